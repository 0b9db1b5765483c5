import EventLoop
import Glibc
import Posix

/// Waits for descriptors, and ends early if the benchmark is interrupted.
package enum Waiting {
    /// Returns when `fd` is readable or its writer has closed.
    package static func readable(_ fd: Int32, until deadline: Instant) throws { try wait(fd, POLLIN, deadline) }

    /// Returns when `fd` is writable or its reader has closed.
    package static func writable(_ fd: Int32, until deadline: Instant) throws { try wait(fd, POLLOUT, deadline) }

    private static func wait(_ fd: Int32, _ event: Int32, _ deadline: Instant) throws {
        while true {
            let milliseconds = (deadline - .now).nanoseconds / 1_000_000
            guard milliseconds > 0 else { throw BenchFailure("the other end did not respond in time") }
            var wait = pollfd(fd: fd, events: Int16(event), revents: 0)
            if poll(&wait, 1, Int32(clamping: milliseconds)) > 0 { return }
            try Interruption.check()
        }
    }
}
