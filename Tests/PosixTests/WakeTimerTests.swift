import Posix
import Synchronization
import Testing

@Suite struct WakeTimerTests {
    @Test func aTimerReturnsAtItsTime() throws {
        let timer = try WakeTimer()
        let time = Instant.now + .milliseconds(20)
        timer.set(time)
        timer.wait()
        #expect(Instant.now >= time)
    }

    @Test(arguments: [Instant(nanoseconds: -1), Instant(nanoseconds: 0), Instant(nanoseconds: 1)])
    func aTimeInThePastIsNow(time: Instant) throws {
        let timer = try WakeTimer()
        timer.set(time)
        timer.wait()
    }

    /// Without the second time, the test would not end.
    @Test func aNewTimeReplacesTheOneBefore() throws {
        let timer = try WakeTimer()
        timer.set(.now + .seconds(1_000_000))
        timer.set(.now)
        timer.wait()
    }

    @Test func aWaitingThreadIsToldOfATimeThatIsSetMeanwhile() throws {
        let timer = Shared(try WakeTimer())
        let end = Mutex<Instant?>(nil)
        let isOver = Shared(end)
        let time = Instant.now + .milliseconds(20)
        let thread = try WorkerThread(name: "waiting") {
            timer.value.wait()
            isOver.value.withLock { $0 = .now }
        }
        timer.value.set(time)
        thread.join()
        #expect(isOver.value.withLock { $0 }.map { $0 >= time } == true)
    }

    /// For a value without copies that two threads use.
    private final class Shared<Value: ~Copyable & Sendable>: Sendable {
        let value: Value
        init(_ value: consuming Value) { self.value = value }
    }
}
