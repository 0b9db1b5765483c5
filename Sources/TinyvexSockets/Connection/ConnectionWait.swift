import EventLoop
import Glibc
import Posix

/// The event that a connection waits for, besides its users' signal: its socket or a time, whichever comes first.
struct ConnectionWait {
    let fd: Int32
    /// Events of poll(2). If this is 0, the descriptor is not polled, because a descriptor that has hung up would
    /// always be ready.
    let events: Int32
    let deadline: Instant?
    /// The wait is already over.
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

    /// Waits on the calling thread. Returns true if the descriptor is ready or has failed.
    func run(_ wakeUp: WakeUp) -> Bool {
        guard !isOver else { return true }
        var requests = [pollRequest, pollfd(fd: wakeUp.fd, events: Int16(POLLIN), revents: 0)]
        guard poll(&requests, 2, deadline.map(Self.milliseconds) ?? -1) > 0 else { return false }
        if requests[1].revents != 0 { wakeUp.clear() }
        return requests[0].revents != 0
    }

    /// Rounded up, so that the deadline has passed when the wait is over.
    static func milliseconds(until deadline: Instant) -> Int32 {
        Int32(clamping: max(0, (deadline - .now).nanoseconds / 1_000_000 + 1))
    }
}
