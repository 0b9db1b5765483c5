/// Days of the Gregorian calendar, counted from 1970-01-01. Counts in eras of 400 years that begin in March, so that the leap day is
/// the last day of a year. After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
package enum CivilDate {
    private static let daysPerEra: Int64 = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let daysToEpoch: Int64 = 719_468

    /// Returns nil if the calendar has no such day. The year has four digits.
    package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (0...9_999).contains(year), (1...12).contains(month), day >= 1, day <= length(year, month) else {
            return nil
        }
        let shifted = month <= 2 ? year - 1 : year
        let era = floor(shifted, by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysToEpoch
    }

    /// - Parameter days: Those of a year with four digits.
    package static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let era = floor(days + daysToEpoch, by: daysPerEra)
        let dayOfEra = days + daysToEpoch - era * daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// The day of a time in seconds since 1970.
    package static func days(ofSeconds seconds: Int64) -> Int64 { floor(seconds, by: 86_400) }

    private static func length(_ year: Int64, _ month: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floor(_ number: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
