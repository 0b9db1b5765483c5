import CShims
import Glibc

/// The registration of one descriptor in the loop. It keeps its handler alive until it is cancelled.
@LoopActor package final class Watch {
    package let fd: Int32
    /// Identifies the watch to its poller.
    package let token: UInt64
    package private(set) var handler: (any PollHandler)?
    /// ``PollHandler/comesLater`` of the handler, because it is asked for each event.
    let comesLater: Bool
    package private(set) var interest: Readiness
    private var isActive = true
    private unowned let poller: any Poller

    package init(fd: Int32, token: UInt64, interest: Readiness, handler: any PollHandler, poller: any Poller) {
        self.fd = fd
        self.token = token
        self.interest = interest
        self.handler = handler
        comesLater = handler.comesLater
        self.poller = poller
    }

    /// Changes the awaited readiness. With `.hangup` alone, only the peer's close is reported. With an empty set,
    /// nothing is reported; otherwise a closed peer would be reported in every turn until someone reads.
    package func wait(for interest: Readiness) {
        guard isActive, interest != self.interest else { return }
        let earlier = self.interest
        self.interest = interest
        poller.interestChanged(of: self, from: earlier)
    }

    /// Ends the watch. The descriptor can be closed after that. A second call has no effect.
    package func cancel() {
        guard isActive else { return }
        isActive = false
        handler = nil
        poller.forget(self)
    }

    var epollEvent: epoll_event {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = token
        return event
    }
}

/// The loop's watches by slot. A token contains the slot's generation, so that an event in this turn for a closed
/// descriptor never reaches a new descriptor with the same number.
struct WatchTable {
    static let wakeToken = UInt64.max

    private var slots: [(generation: UInt32, watch: Watch?)] = []
    private var free: [Int] = []

    @LoopActor mutating func insert(fd: Int32, interest: Readiness, handler: any PollHandler, poller: any Poller)
        -> Watch
    {
        if free.isEmpty {
            free.append(slots.count)
            slots.append((0, nil))
        }
        let slot = free.removeLast()
        slots[slot].generation &+= 1
        let token = UInt64(slots[slot].generation) << 32 | UInt64(slot)
        let watch = Watch(fd: fd, token: token, interest: interest, handler: handler, poller: poller)
        slots[slot].watch = watch
        return watch
    }

    @LoopActor mutating func remove(_ watch: Watch) {
        let slot = Int(watch.token & 0xffff_ffff)
        slots[slot].watch = nil
        free.append(slot)
    }

    func watch(forToken token: UInt64) -> Watch? {
        let slot = Int(token & 0xffff_ffff)
        guard slot < slots.count, slots[slot].generation == UInt32(token >> 32) else { return nil }
        return slots[slot].watch
    }
}
