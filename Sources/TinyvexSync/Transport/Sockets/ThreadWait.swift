import EventLoop
import Glibc

/// How a connection's thread waits: for its socket, for its users, or for a time, whichever comes first.
struct ThreadWait {
    let wakeUp: WakeUp

    /// Returns whether the descriptor is ready, or has failed.
    ///
    /// - Parameter fd: is left alone when no event of it is asked for: one that has hung up would be ready for ever.
    func wait(for events: Int32, on fd: Int32 = -1, until deadline: Instant?) -> Bool {
        var waits = [
            pollfd(fd: events == 0 ? -1 : fd, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: wakeUp.fd, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waits, 2, deadline.map(Self.milliseconds) ?? -1) > 0 else { return false }
        if waits[1].revents != 0 { wakeUp.clear() }
        return waits[0].revents != 0
    }

    /// Rounded up, so that the time has come when it is over.
    static func milliseconds(until deadline: Instant) -> Int32 {
        Int32(clamping: max(0, (deadline - .now).nanoseconds / 1_000_000 + 1))
    }
}
