import Posix

/// Reads the time. A test sets the time itself.
@LoopActor package protocol TimeSource: AnyObject, Sendable {
    /// The monotonic time, for deadlines.
    var now: Instant { get }
    /// Milliseconds since 1970, for dates.
    var dateMilliseconds: Int64 { get }
    /// The number of the loop's present turn. It increases with each turn.
    var turnCount: Int { get }
}

/// Runs actions later on the loop.
@LoopActor package protocol TimerScheduler: AnyObject, Sendable {
    /// Runs `action` once, after `delay` or later.
    @discardableResult
    func schedule(after delay: Duration, _ action: @escaping @LoopActor () -> Void) -> Timer
    /// Runs `action` once, after the caller has returned to the loop. ``EventLoop`` does it without a timer, which costs far less.
    func soon(_ action: @escaping @LoopActor () -> Void)
}

/// Reports the readiness of descriptors.
@LoopActor package protocol Poller: AnyObject, Sendable {
    /// The buffer that all readers share: its bytes are consumed before a handler returns.
    var readChunk: UnsafeMutableRawBufferPointer { get }
    /// Watches `fd`, which the caller still owns. Cancel the watch before you close the descriptor.
    func watch(_ fd: Int32, _ interest: Readiness, _ handler: any PollHandler) throws(SystemError) -> Watch
    /// Called by the watch after its interest has changed.
    func interestChanged(of watch: Watch, from earlier: Readiness)
    /// Called by the watch when it is cancelled.
    func forget(_ watch: Watch)
}

/// The clock, the timers and the poller that a component uses. The daemon passes ``main`` down from its entry point;
/// a test passes its own.
package struct LoopServices: Sendable {
    package let time: any TimeSource
    package let timers: any TimerScheduler
    package let poller: any Poller

    package init(time: any TimeSource, timers: any TimerScheduler, poller: any Poller) {
        (self.time, self.timers, self.poller) = (time, timers, poller)
    }

    /// The system's clocks and the process's event loop.
    package static let main = LoopServices(time: EventLoop.main, timers: EventLoop.main, poller: EventLoop.main)
}

extension EventLoop: TimeSource, TimerScheduler, Poller {
    @LoopActor package var now: Instant { .now }
    @LoopActor package var dateMilliseconds: Int64 { wallClockMilliseconds() }
}
