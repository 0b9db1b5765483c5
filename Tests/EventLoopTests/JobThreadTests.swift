import EventLoop
import Posix
import Testing

@Suite struct JobThreadTests {
    /// Posts when the thread has released it.
    private final class Value: Sendable {
        let released: Gate
        init(_ released: Gate) { self.released = released }
        deinit { released.semaphore.post() }
    }

    private final class Gate: Sendable {
        let semaphore = Semaphore()
        var isOpen: Bool { semaphore.wait(for: .zero) }
    }

    @Test func closingWithPatienceDoesNotWaitForALongJobWhichThenEndsTheThread() throws {
        let (begun, mayEnd, released) = (Gate(), Gate(), Gate())
        let thread = try JobThread<Value>(name: "t") { Value(released) }
        thread.perform { _ in
            begun.semaphore.post()
            mayEnd.semaphore.wait()
            return {}
        }
        thread.perform { _ in
            Issue.record("a job that waits is dropped")
            return {}
        }
        begun.semaphore.wait()
        thread.close(within: .zero)
        #expect(!released.isOpen, "the job still runs")
        mayEnd.semaphore.post()
        released.semaphore.wait()
    }

    @Test(.timeLimit(.minutes(1))) func aThreadEndsIfItsOwnerIsReleasedWithoutClosingIt() throws {
        let released = Gate()
        do {
            let thread = try JobThread<Value>(name: "t") { Value(released) }
            thread.perform { _ in {} }
        }
        released.semaphore.wait()
    }

    @Test func closingWithoutPatienceWaitsUntilTheValueIsReleased() throws {
        let released = Gate()
        let thread = try JobThread<Value>(name: "t") { Value(released) }
        thread.close()
        #expect(released.isOpen)
    }

    @Test func closingTwiceIsHarmless() throws {
        let thread = try JobThread<Int>(name: "t") { 0 }
        thread.close(within: .seconds(1))
        thread.close()
    }
}
