import ArgumentParsing

/// The sessions to keep: `30d` by age, `10GB` by size, or both: `30d,10GB`.
package struct RetentionText: Equatable, Sendable {
    package var age: Duration?
    package var logBytes: Int?

    package init(age: Duration? = nil, logBytes: Int? = nil) {
        self.age = age
        self.logBytes = logBytes
    }
}

extension RetentionText: ArgumentValue {
    package static let expectation = "an age, a size or both, such as 30d, 10GB or 30d,10GB"

    package init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count) else { return nil }
        for part in parts {
            // A number without a unit would be ambiguous: seconds as an age, bytes as a size.
            guard part.last?.isNumber == false else { return nil }
            if age == nil, let duration = Duration(argument: part), duration > .zero {
                age = duration
            } else if logBytes == nil, let size = ByteSize(part), size.bytes > 0 {
                logBytes = size.bytes
            } else {
                return nil
            }
        }
    }
}
