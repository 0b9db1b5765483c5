import EventLoop
import Glibc

/// What a connection waits for, beside a signal of its users: its socket or a time, whichever comes first.
struct ConnectionWait {
    let fd: Int32
    /// Of poll(2). With none of them the descriptor is left alone: one that has hung up would be ready for ever.
    let events: Int32
    let deadline: Instant?
    /// There is nothing to wait for.
    var isOver = false

    init(fd: Int32 = -1, events: Int32 = 0, deadline: Instant?, isOver: Bool = false) {
        self.fd = fd
        self.events = events
        self.deadline = deadline
        self.isOver = isOver
    }

    var pollRequest: pollfd {
        pollfd(fd: events == 0 ? -1 : fd, events: Int16(truncatingIfNeeded: events), revents: 0)
    }

    /// Waits on this very thread. Returns whether the descriptor is ready, or has failed.
    func run(_ wakeUp: WakeUp) -> Bool {
        guard !isOver else { return true }
        var requests = [pollRequest, pollfd(fd: wakeUp.fd, events: Int16(POLLIN), revents: 0)]
        guard poll(&requests, 2, deadline.map(Self.milliseconds) ?? -1) > 0 else { return false }
        if requests[1].revents != 0 { wakeUp.clear() }
        return requests[0].revents != 0
    }

    /// Rounded up, so that the time has come when it is over.
    static func milliseconds(until deadline: Instant) -> Int32 {
        Int32(clamping: max(0, (deadline - .now).nanoseconds / 1_000_000 + 1))
    }
}
