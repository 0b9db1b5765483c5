/// The calls that have no answer yet, in the order they were made.
///
/// Bounded in bytes: what does not fit is refused, and the caller hears so at once.
struct CallQueue {
    private struct Entry {
        let call: Call
        var isSent = false
        /// It was refused for want of rights once, and is tried with a new token.
        var hasNewToken = false
    }

    /// For what one call takes beside its params.
    private static let overheadBytes = 256

    let limitBytes: Int
    private(set) var byteCount = 0
    private var entries: [CallID: Entry] = [:]
    /// Not sent on this connection; those from `first` on, rising.
    private var waiting: ArraySlice<CallID> = []

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var isEmpty: Bool { entries.isEmpty }
    var hasWaiting: Bool { !waiting.isEmpty }

    /// False when it does not fit. One call always fits, whatever its size.
    mutating func add(_ id: CallID, _ call: Call) -> Bool {
        guard entries.isEmpty || byteCount + Self.size(call) <= limitBytes else { return false }
        entries[id] = Entry(call: call)
        byteCount += Self.size(call)
        waiting.append(id)
        return true
    }

    /// The next to send, taken as sent. What nothing answers is forgotten by that.
    mutating func takeNext() -> (id: CallID, call: Call)? {
        while let id = waiting.popFirst() {
            guard let call = entries[id]?.call else { continue }
            if call.loss == .forgets { remove(id) } else { entries[id]?.isSent = true }
            return (id, call)
        }
        return nil
    }

    /// Its answer has come, or nobody waits for it any more. False when it was not known.
    @discardableResult
    mutating func remove(_ id: CallID) -> Bool {
        guard let entry = entries.removeValue(forKey: id) else { return false }
        byteCount -= Self.size(entry.call)
        return true
    }

    /// Was refused for want of rights: waits to be sent anew with another token, if that has not been tried yet.
    mutating func holdForToken(_ id: CallID) -> Bool {
        guard let entry = entries[id], !entry.hasNewToken else { return false }
        entries[id]?.hasNewToken = true
        entries[id]?.isSent = false
        waiting = (waiting + [id]).sorted()[...]
        return true
    }

    /// What may be sent again waits again, in its old order. Returns what may not, and is known to have been sent.
    mutating func connectionLost() -> [CallID] {
        var failed: [CallID] = []
        for (id, entry) in entries where entry.call.loss != .repeats {
            if entry.isSent { failed.append(id) }
            if entry.isSent || entry.call.loss == .forgets { remove(id) }
        }
        for id in entries.keys { entries[id]?.isSent = false }
        waiting = entries.keys.sorted()[...]
        return failed.sorted()
    }

    /// Gives up all that were sent, or all.
    mutating func takeAll(onlySent: Bool = false) -> [CallID] {
        let ids = entries.filter { !onlySent || $0.value.isSent }.keys.sorted()
        for id in ids { remove(id) }
        return ids
    }

    private static func size(_ call: Call) -> Int { call.byteCount + overheadBytes }
}
