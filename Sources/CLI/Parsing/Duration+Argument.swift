/// `90s`, `15m`, `12h`, `30d` or `2w`: a whole number and its unit.
extension Duration: ArgumentValue {
    static let expectation = "a whole number and a unit (s, m, h, d or w), such as 90s, 12h or 30d"

    private static let secondsPerUnit: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

    /// Nothing and more than a thousand years are refused: neither is what someone means.
    init?(argument: String) {
        guard let unit = argument.last.flatMap({ Self.secondsPerUnit[$0] }),
            let count = Int64(digits: argument.dropLast()), count > 0
        else { return nil }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, seconds <= 1000 * 366 * 86_400 else { return nil }
        self = .seconds(seconds)
    }
}
