import ArgumentParsing

/// The base URL of an OpenTelemetry collector: `http://127.0.0.1:4318`.
package struct CollectorURL: Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

extension CollectorURL: ArgumentValue {
    package static let expectation = "a URL without a user, query or fragment, such as http://127.0.0.1:4318"

    /// Rejects a user and a password, because the URL is in the list of processes and in `config show`.
    package init?(argument: String) {
        guard let scheme = ["http://", "https://"].first(where: argument.lowercased().hasPrefix) else { return nil }
        let rest = argument.utf8.dropFirst(scheme.utf8.count)
        guard let first = rest.first, !":/".utf8.contains(first), argument.utf8.count <= 2_000,
            rest.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\\".utf8.contains($0) })
        else { return nil }
        description = argument
    }
}
