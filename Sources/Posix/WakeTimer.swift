import CShims
import Glibc

/// A timer for which one thread waits (timerfd_create(2)). Other threads can set it without waking that thread before the
/// time has come.
package struct WakeTimer: ~Copyable, Sendable {
    private let timer: Descriptor

    /// A timer without a time.
    package init() throws(SystemError) {
        let raw = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
        guard raw >= 0 else { throw SystemError("timerfd_create") }
        timer = Descriptor(owning: raw)
    }

    /// Replaces the time at which ``wait()`` returns. A time in the past is now.
    package func set(_ time: Instant) {
        var setting = itimerspec()
        // Zero would be no time.
        let nanoseconds = max(1, time.nanoseconds)
        setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        timerfd_settime(timer.raw, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    /// Waits for the time that was set last. If there is none, or if a call has already waited for it, waits until another
    /// one is set and comes.
    package func wait() {
        var count: UInt64 = 0
        while read(timer.raw, &count, MemoryLayout.size(ofValue: count)) < 0, errno == EINTR {}
    }
}
