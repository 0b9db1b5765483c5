import Posix
import Testing

@testable import SessionLog

@Suite struct AppendTimesTests {
    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test func anAppendCountsFromItsSubmissionAndADeliveryFromTheRead() {
        var times = AppendTimes()
        times.received()
        times.flushed(at: at(10))
        times.received()
        times.flushed(at: at(20))
        times.submitted(isAll: true, at: at(30))
        #expect(times.stored(at: at(37)) == 7)
        #expect(times.published(at: at(40)) == 30)
        #expect(times.stored(at: at(50)) == nil && times.published(at: at(50)) == nil)
    }

    @Test func aFlushWithoutNewDataDoesNotReadTheClock() {
        var times = AppendTimes()
        times.flushed(
            at: {
                Issue.record("the clock was read"); return at(1)
            }())
        times.received()
        times.flushed(at: at(100))
        times.submitted(isAll: true, at: at(100))
        #expect(times.published(at: at(105)) == 5)
    }

    @Test func anAppendThatIsRepeatedAfterAFailureCountsFromTheFirstRead() {
        var times = AppendTimes()
        times.received()
        times.flushed(at: at(10))
        times.submitted(isAll: true, at: at(10))
        times.submitted(isAll: true, at: at(500))
        #expect(times.stored(at: at(501)) == 1)
        #expect(times.published(at: at(510)) == 500)
    }

    @Test func dataThatDidNotFitCountsFromTheSubmission() {
        var times = AppendTimes()
        times.received()
        times.flushed(at: at(10))
        times.submitted(isAll: false, at: at(20))
        #expect(times.published(at: at(30)) == 20)
        times.submitted(isAll: true, at: at(40))
        #expect(times.published(at: at(45)) == 25)
    }
}
