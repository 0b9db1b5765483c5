/// A time such as `90s`, `10m`, `2h`, `1d` or `500ms`. A number without a unit is seconds.
extension Duration: ArgumentValue {
    package static let expectation = "a time such as 90s, 10m, 2h or 1d"

    /// The limit. A time of more than a hundred years is a typing error.
    private static let limitSeconds: Int64 = 36_500 * 86_400

    package init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits: String(digits)) else { return nil }
        if argument.dropFirst(digits.count) == "ms" {
            guard number <= Self.limitSeconds * 1000 else { return nil }
            self = .milliseconds(number)
            return
        }
        guard let unit = Self.secondsPerUnit[String(argument.dropFirst(digits.count))] else { return nil }
        let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit)
        guard !isTooLong, seconds <= Self.limitSeconds else { return nil }
        self = .seconds(seconds)
    }

    /// The duration as a user writes it, to the millisecond.
    package var argument: String {
        let (seconds, attoseconds) = components
        // Reading it fails if it is too long.
        return "\(seconds.multipliedReportingOverflow(by: 1000).partialValue &+ attoseconds / 1_000_000_000_000_000)ms"
    }

    private static let secondsPerUnit: [String: Int64] = ["": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400]
}
