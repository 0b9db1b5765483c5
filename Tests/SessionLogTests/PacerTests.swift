import Posix
import SessionRecords
import Testing

@testable import SessionLog

@Suite struct PacerTests {
    private let start = Instant.now

    /// Simulates half a second with one request per commit and one commit per `spacing`.
    private func pacer(spacing: Duration) -> (Pacer, last: Instant) {
        var pacer = Pacer()
        var last = start
        while last - start < .milliseconds(500) {
            last = last + spacing
            pacer.commitBegins(requests: 1, at: last)
        }
        return (pacer, last)
    }

    @Test func aFirstRequestIsCommittedAtOnce() {
        #expect(Pacer().delay(at: start) == .zero)
    }

    @Test func fewRequestsAreCommittedAtOnce() {
        let (pacer, last) = pacer(spacing: .microseconds(600))
        #expect(pacer.delay(at: last + .microseconds(1)) == .zero)
    }

    @Test func frequentRequestsAreCommittedOncePerMillisecond() {
        let (pacer, last) = pacer(spacing: .microseconds(100))
        #expect(pacer.delay(at: last + .microseconds(300)) == .microseconds(700))
        #expect(pacer.delay(at: last + .milliseconds(2)) == .zero)
    }

    @Test func manyRequestsInFewCommitsAreDelayed() {
        var pacer = Pacer()
        for millisecond in 0..<500 { pacer.commitBegins(requests: 50, at: start + .milliseconds(millisecond)) }
        #expect(pacer.delay(at: start + .microseconds(499_200)) == .microseconds(800))
    }

    @Test func aRequestAfterAnIdlePeriodIsCommittedAtOnce() {
        let (pacer, last) = pacer(spacing: .microseconds(100))
        #expect(pacer.delay(at: last + .seconds(1)) == .zero)
    }
}
