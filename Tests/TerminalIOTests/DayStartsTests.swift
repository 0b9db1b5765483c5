import Glibc
import Testing

@testable import TerminalIO

/// The time zone is that of the whole process, so each test has a process of its own.
@Suite struct DayStartsTests {
    private static func set(zone: String) {
        setenv("TZ", zone, 1)
        tzset()
    }

    @Test func aDayHas23Or25HoursWhenTheClocksChange() async {
        await #expect(processExitsWith: .success) {
            DayStartsTests.set(zone: "CET-1CEST,M3.5.0,M10.5.0/3")
            // Until noon of 2026-03-30 and of 2026-10-26.
            let spring = Dates.dayStarts(from: 0, to: 1_774_872_000_000, limit: 3)
            let autumn = Dates.dayStarts(from: 0, to: 1_793_016_000_000, limit: 2)
            let isRight =
                spring == [1_774_652_400_000, 1_774_738_800_000, 1_774_821_600_000]
                && autumn == [1_792_879_200_000, 1_792_969_200_000]
            exit(isRight ? 0 : 1)
        }
    }

    @Test func aDayWithoutMidnightBeginsAtOne() async {
        await #expect(processExitsWith: .success) {
            DayStartsTests.set(zone: "EET-2EEST,M3.5.0/0,M10.5.0/0")
            let starts = Dates.dayStarts(from: 0, to: 1_774_872_000_000, limit: 3)
            let days = starts.map { Dates.day(milliseconds: $0) }
            let isRight =
                starts == [1_774_648_800_000, 1_774_735_200_000, 1_774_818_000_000]
                && days == ["2026-03-28", "2026-03-29", "2026-03-30"]
            exit(isRight ? 0 : 1)
        }
    }

    @Test func theFirstDayBeginsAtTheGivenTimeWithinTheLimit() async {
        await #expect(processExitsWith: .success) {
            DayStartsTests.set(zone: "UTC0")
            let (day, noon): (Int64, Int64) = (86_400_000, 43_200_000)
            let isRight =
                Dates.dayStarts(from: 9 * day + noon, to: 10 * day + noon, limit: 5) == [9 * day + noon, 10 * day]
                && Dates.dayStarts(from: 9 * day, to: 10 * day, limit: 5) == [9 * day, 10 * day]
                && Dates.dayStarts(from: 0, to: 10 * day, limit: 2) == [9 * day, 10 * day]
            exit(isRight ? 0 : 1)
        }
    }
}
