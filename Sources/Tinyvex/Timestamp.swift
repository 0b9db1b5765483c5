/// Times as text, in the only form that the bridge writes: ISO 8601, in UTC.
public enum Timestamp {
    /// `2024-01-15T10:30:00Z`, rounded down.
    public static func seconds(_ milliseconds: Int64) -> String { date(milliseconds) + "Z" }

    /// `2024-01-15T10:30:00.123Z`
    public static func milliseconds(_ milliseconds: Int64) -> String {
        "\(date(milliseconds)).\(padded(clamped(milliseconds) % 1000, 3))Z"
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
