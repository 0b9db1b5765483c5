import EventLoop
import Posix

/// A clock, timers and a poller that a test drives by hand: nothing happens until the test calls for it.
@LoopActor package final class ManualLoop: TimeSource, TimerScheduler, Poller {
    package private(set) var now = Instant(nanoseconds: 0)
    /// Milliseconds since 1970. It advances with `now`.
    package private(set) var dateMilliseconds: Int64 = 1_000
    /// Each timer that fires and each report of readiness is a turn of its own.
    package private(set) var turnCount = 0
    package let readChunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var timers = TimerQueue()
    private var watches: [Int32: Watch] = [:]

    package init() {}

    isolated deinit { readChunk.deallocate() }

    package var services: LoopServices { LoopServices(time: self, timers: self, poller: self) }

    // MARK: Time

    /// Advances the clock and runs the timers that are due, in their order, each at its own time.
    package func advance(by duration: Duration) {
        let end = now + duration
        while let deadline = timers.nextDeadline, deadline <= end {
            if deadline > now { pass(deadline - now) }
            turnCount += 1
            timers.popDue(at: now)?.fire()
        }
        if end > now { pass(end - now) }
    }

    /// Advances the clock without running timers, as slow work does.
    package func pass(_ duration: Duration) {
        now = now + duration
        dateMilliseconds += duration.nanoseconds / 1_000_000
    }

    @discardableResult
    package func schedule(after delay: Duration, _ action: @escaping @LoopActor () -> Void) -> Timer {
        timers.add(at: now + delay, action)
    }

    package func soon(_ action: @escaping @LoopActor () -> Void) { schedule(after: .zero, action) }

    // MARK: Descriptors

    package func watch(_ fd: Int32, _ interest: Readiness, _ handler: any PollHandler) throws(SystemError) -> Watch {
        let watch = Watch(fd: fd, token: UInt64(fd), interest: interest, handler: handler, poller: self)
        watches[fd] = watch
        return watch
    }

    package func interestChanged(of watch: Watch, from earlier: Readiness) {}

    package func forget(_ watch: Watch) { watches[watch.fd] = nil }

    /// The descriptors that are watched.
    package var watched: [Int32] { watches.keys.sorted() }

    /// The readiness for which a descriptor is watched; nil if it is not watched.
    package func interest(in fd: Int32) -> Readiness? { watches[fd]?.interest }

    /// Reports readiness to the handler of a descriptor. Without a watch, nothing happens.
    package func report(_ readiness: Readiness, of fd: Int32) {
        guard let watch = watches[fd] else { return }
        turnCount += 1
        watch.handler?.pollReady(watch, readiness)
    }
}
