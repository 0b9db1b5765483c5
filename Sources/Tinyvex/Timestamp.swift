/// Times as text, in the only form that the bridge writes: ISO 8601, in UTC.
public enum Timestamp {
    /// `2024-01-15T10:30:00Z`, rounded down.
    public static func seconds(_ milliseconds: Int64) -> String { date(milliseconds) + "Z" }

    /// `2024-01-15T10:30:00.123Z`
    public static func milliseconds(_ milliseconds: Int64) -> String {
        "\(date(milliseconds)).\(padded(clamped(milliseconds) % 1000, 3))Z"
    }

    /// Reads the form that ``milliseconds(_:)`` writes, and no other. The result is in milliseconds since 1970.
    public static func parse(_ text: String) -> Int64? {
        let digits = Array(text.utf8)
        guard digits.count == 24 else { return nil }
        let parts = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19, 20..<23].map { number(digits[$0]) }
        guard !parts.contains(-1), let days = CivilDate.days(parts[0], parts[1], parts[2]) else { return nil }
        let time = ((parts[3] * 60 + parts[4]) * 60 + parts[5]) * 1000 + parts[6]
        let value = days * 86_400_000 + time
        // Rules out other spellings, such as a 25th hour.
        return milliseconds(value) == text ? value : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64 {
        digits.reduce(0) { $0 < 0 || !(0x30...0x39).contains($1) ? -1 : $0 * 10 + Int64($1 - 0x30) }
    }

    /// Clamps to the years 1970 to 9999. A time outside of them is not valid for a session.
    private static func clamped(_ milliseconds: Int64) -> Int64 { min(max(0, milliseconds), 253_402_300_799_999) }

    private static func date(_ milliseconds: Int64) -> String {
        let seconds = clamped(milliseconds) / 1000
        let (year, month, day) = CivilDate.date(CivilDate.days(ofSeconds: seconds))
        let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time.joined(separator: ":"))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
