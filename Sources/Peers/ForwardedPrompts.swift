import SessionRecords

/// The prompts that this bridge has sent to a peer for its clients, and that have no answer yet. Pure.
///
/// The peer knows this bridge as their only sender. With the texts, a waiting prompt gets the name of the client that has
/// sent it, so that this client can take it back. Each open call of a client is here once, so their number is limited
/// with that of the calls.
package struct ForwardedPrompts: Sendable {
    private struct Prompt {
        let number: Int
        let sid: Int64
        let by: String
        let text: String?
    }

    /// In the order of sending.
    private var open: [Prompt] = []
    private var lastNumber = 0

    package init() {}

    /// Returns the number for ``remove(_:)``.
    ///
    /// - Parameters:
    ///   - sid: the session's place among those of this bridge.
    ///   - text: the first text of the prompt; nil if it has none.
    package mutating func add(in sid: Int64, by name: String, _ text: String?) -> Int {
        lastNumber += 1
        open.append(
            Prompt(number: lastNumber, sid: sid, by: name, text: text?.prefix(scalars: RemotePrompt.textCharacters)))
        return lastNumber
    }

    /// Call when the prompt has an answer.
    package mutating func remove(_ number: Int) { open.removeAll { $0.number == number } }

    /// Returns the queue of a session with the names of this bridge's clients.
    func named(_ queue: [RemotePrompt], in sid: Int64) -> [RemotePrompt] {
        var rest = open.filter { $0.sid == sid }
        return queue.map { waiting in
            guard waiting.isOwn, let index = rest.firstIndex(where: { $0.text == waiting.text }) else { return waiting }
            var named = waiting
            named.by = rest.remove(at: index).by
            return named
        }
    }
}
