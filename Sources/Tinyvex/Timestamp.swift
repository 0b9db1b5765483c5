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
        guard !parts.contains(-1), (1...12).contains(parts[1]), (1...31).contains(parts[2]) else { return nil }
        let time = ((parts[3] * 60 + parts[4]) * 60 + parts[5]) * 1000 + parts[6]
        let value = days(year: parts[0], month: parts[1], day: parts[2]) * 86_400_000 + time
        // Rules out everything that is not a date, such as February 30.
        return milliseconds(value) == text ? value : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64 {
        digits.reduce(0) { $0 < 0 || !(0x30...0x39).contains($1) ? -1 : $0 * 10 + Int64($1 - 0x30) }
    }

    /// Days from 1970-01-01 after Howard Hinnant, as in `date`, `days_from_civil`.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Clamps to the years 1970 to 9999. A time outside of them is not valid for a session.
    private static func clamped(_ milliseconds: Int64) -> Int64 { min(max(0, milliseconds), 253_402_300_799_999) }

    /// Civil date from day count after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    private static func date(_ milliseconds: Int64) -> String {
        let seconds = clamped(milliseconds) / 1000
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time.joined(separator: ":"))"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
