import Posix
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct WakeTimerTests {
    /// A timer, and a thread that waits for it once.
    private final class Waiting: Sendable {
        let timer: WakeTimer
        private let end = Mutex<Instant?>(nil)
        private let hasEnded = Semaphore()

        init() throws { timer = try WakeTimer() }

        func begin() throws {
            try WorkerThread(name: "waiting") { [self] in
                timer.wait()
                end.withLock { $0 = .now }
                hasEnded.post()
            }.detach()
        }

        /// The time at which the wait ended; nil if it does not end.
        func ending() -> Instant? { hasEnded.wait(for: .seconds(20)) ? end.withLock { $0 } : nil }
    }

    @Test func aTimerReturnsAtItsTime() throws {
        let waiting = try Waiting()
        let time = Instant.now + .milliseconds(20)
        waiting.timer.set(time)
        try waiting.begin()
        #expect(try #require(waiting.ending()) >= time)
    }

    @Test(arguments: [Instant(nanoseconds: -1), Instant(nanoseconds: 0), Instant(nanoseconds: 1)])
    func aTimeInThePastIsNow(time: Instant) throws {
        let waiting = try Waiting()
        waiting.timer.set(time)
        try waiting.begin()
        #expect(waiting.ending() != nil)
    }

    @Test func aNewTimeReplacesTheOneBefore() throws {
        let waiting = try Waiting()
        waiting.timer.set(.now + .seconds(1_000_000))
        waiting.timer.set(.now)
        try waiting.begin()
        #expect(waiting.ending() != nil)
    }

    @Test func aWaitingThreadIsToldOfATimeThatIsSetMeanwhile() throws {
        let waiting = try Waiting()
        try waiting.begin()
        let time = Instant.now + .milliseconds(20)
        waiting.timer.set(time)
        #expect(try #require(waiting.ending()) >= time)
    }
}
