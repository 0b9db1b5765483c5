import Testing
import Tinyvex

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00"), (951_782_399_000, "2000-02-28T23:59:59"), (951_868_799_999, "2000-02-29T23:59:59"),
        (1_705_314_600_000, "2024-01-15T10:30:00"), (4_107_542_400_000, "2100-03-01T00:00:00"),
        (253_402_300_799_999, "9999-12-31T23:59:59"),
    ])
    func timesAreFormattedAsCivilTime(milliseconds: Int64, text: String) {
        #expect(Timestamp.seconds(milliseconds) == text + "Z")
    }

    @Test func timesCanHaveMilliseconds() {
        #expect(Timestamp.milliseconds(1_705_314_600_007) == "2024-01-15T10:30:00.007Z")
    }

    @Test(arguments: [Int64.min, -1, .max])
    func timesOutOfRangeDoNotTrap(milliseconds: Int64) {
        #expect(Timestamp.milliseconds(milliseconds).count == 24)
    }
}
