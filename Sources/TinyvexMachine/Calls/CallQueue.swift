/// The unanswered calls, in the order they were made.
///
/// The queue is bounded in bytes. A call that does not fit is refused at once.
struct CallQueue {
    private struct Entry {
        let call: Call
        var isSent = false
        /// The call was refused once for missing rights, and is retried with a new token.
        var hasNewToken = false
    }

    /// An estimate of a call's size without its params.
    private static let overheadBytes = 256

    let limitBytes: Int
    private(set) var byteCount = 0
    private var entries: [CallID: Entry] = [:]
    /// Calls not sent on this connection. The ids from `first` on are in ascending order.
    private var waiting: ArraySlice<CallID> = []

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var isEmpty: Bool { entries.isEmpty }

    /// Returns false if the call does not fit. A single call always fits, whatever its size.
    mutating func add(_ id: CallID, _ call: Call) -> Bool {
        guard entries.isEmpty || byteCount + Self.size(call) <= limitBytes else { return false }
        entries[id] = Entry(call: call)
        byteCount += Self.size(call)
        waiting.append(id)
        return true
    }

    /// Returns the next call to send, and marks it as sent. A call that gets no answer is removed at this point.
    mutating func takeNext() -> (id: CallID, call: Call)? {
        while let id = waiting.popFirst() {
            guard let call = entries[id]?.call else { continue }
            if call.loss == .forgets { remove(id) } else { entries[id]?.isSent = true }
            return (id, call)
        }
        return nil
    }

    /// Removes a call that was answered or that no caller waits for any longer. Returns false if the call is unknown.
    @discardableResult
    mutating func remove(_ id: CallID) -> Bool {
        guard let entry = entries.removeValue(forKey: id) else { return false }
        byteCount -= Self.size(entry.call)
        return true
    }

    /// Queues a call that was refused for missing rights, to send it again with a new token. Returns false if that has
    /// already been tried.
    mutating func holdForToken(_ id: CallID) -> Bool {
        guard let entry = entries[id], !entry.hasNewToken else { return false }
        entries[id]?.hasNewToken = true
        entries[id]?.isSent = false
        waiting = (waiting + [id]).sorted()[...]
        return true
    }

    /// Queues the repeatable calls again, in their old order. Returns the calls that were sent and cannot be repeated.
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

    /// Removes and returns all calls, or only the sent ones.
    mutating func removeAll(onlySent: Bool = false) -> [CallID] {
        let ids = entries.filter { !onlySent || $0.value.isSent }.keys.sorted()
        for id in ids { remove(id) }
        return ids
    }

    private static func size(_ call: Call) -> Int { call.byteCount + overheadBytes }
}
