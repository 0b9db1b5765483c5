import Posix
import Testing

@Suite struct InstantTests {
    @Test func aTimeBeyondTheClocksRangeIsItsEnd() {
        let now = Instant(nanoseconds: 5)
        #expect(now + .nanoseconds(7) == Instant(nanoseconds: 12))
        #expect(now + .milliseconds(Int64.max) == Instant(nanoseconds: .max))
        #expect(Instant(nanoseconds: -5) + .seconds(Int64.min) == Instant(nanoseconds: .min))
    }
}
