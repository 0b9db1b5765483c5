import Testing
import TinyvexTransport

@Suite struct BackoffTests {
    private func backoff(seed: UInt64 = 1) -> Backoff {
        Backoff(shortest: .milliseconds(100), longest: .seconds(15), seed: seed)
    }

    @Test func twoClientsDoNotReconnectAtTheSameMoment() {
        var (one, other) = (backoff(seed: 1), backoff(seed: 2))
        #expect((1...5).map { _ in one.nextDelay() } != (1...5).map { _ in other.nextDelay() })
    }

    @Test func everyDelayIsWithinTheBounds() {
        var backoff = backoff()
        for _ in 1...100 {
            #expect((.milliseconds(100)...(.seconds(15))).contains(backoff.nextDelay()))
        }
    }

    @Test func afterASuccessTheDelaysAreShortAgain() {
        var backoff = backoff()
        for _ in 1...10 { _ = backoff.nextDelay() }
        #expect(backoff.failures == 10)
        backoff.succeeded()
        #expect(backoff.nextDelay() <= .milliseconds(200))
    }
}
