import EventLoop

/// Pages of the log that readers hold while their sockets drain, together under one limit: whoever has waited longest
/// gives its page up and reads it again when there is room in its socket. So a thousand stopped readers cost no more
/// than a few.
@LoopActor final class HeldPages {
    static let limitBytes = 4 << 20

    private var holders: [Subscription] = []
    private var byteCount = 0

    /// Called by a subscription that has just taken a page; the newest page is kept whatever its size.
    func took(_ holder: Subscription, bytes: Int) {
        holders.append(holder)
        byteCount += bytes
        while byteCount > Self.limitBytes, holders.count > 1 { holders[0].dropPage() }
    }

    func gaveUp(_ holder: Subscription, bytes: Int) {
        guard let index = holders.firstIndex(where: { $0 === holder }) else { return }
        holders.remove(at: index)
        byteCount -= bytes
    }
}
