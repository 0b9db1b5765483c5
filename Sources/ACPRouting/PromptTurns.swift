import JSONRPC
import JSONScan

/// A prompt that the agent is answering.
struct PromptTurn: Equatable, Codable {
    let request: RequestID
    /// Milliseconds since 1970.
    let since: Int64
    /// The sender's name. Nil for the editor.
    let by: String?
    /// The number of turns that the agent had begun when the prompt was sent. Nil in version 1 of ACP.
    var sentAfter: Int?
}

/// A prompt that waits until the turns before it have ended.
package struct QueuedPrompt: Codable {
    let asker: RequestRouter.Asker
    let params: [UInt8]
    /// The sender's name.
    package let by: String
    /// When it was queued, in milliseconds since 1970. It identifies the prompt: see ``PromptTurns/enqueue(_:in:)``.
    package internal(set) var since: Int64

    /// The length of the prompt's text in lists, in characters.
    static let shownTextLimit = 1000

    /// The beginning of the text; nil if the prompt has none.
    package var text: String? { PromptTitle.text(params: params)?.prefix(scalars: Self.shownTextLimit) }

    /// ACP's content blocks, a JSON array. An empty one if the sender gave no array.
    package var content: [UInt8] {
        let blocks = (try? JSONValue(validating: params))?["prompt"]
        return blocks?.kind == .array ? Array(blocks?.rawText ?? []) : Array("[]".utf8)
    }

    /// `{"by":"token tk_1","queuedTs":1763697600003,"text":"and the tests?"}`
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("by", by)
            writer.member("queuedTs", since)
            writer.member("text", ifPresent: text)
        }
    }
}

/// The running turns, and the prompts that wait for them, by session.
struct PromptTurns: Codable {
    private var turns: [String: [PromptTurn]] = [:]
    private(set) var queues: [String: [QueuedPrompt]] = [:]
    /// The time of the prompt that was queued last. Nil if none was.
    private var lastQueuedTs: Int64?

    /// The maximum number of waiting prompts in one session.
    static let queueLimit = 32
    /// The maximum size of a session's waiting prompts together, in bytes.
    static let queueLimitBytes = 4 << 20

    var isAnyRunning: Bool { !turns.isEmpty }

    /// The session's oldest running turn.
    func running(in session: String) -> PromptTurn? { turns[session]?.first }

    func isWaiting(_ asker: RequestRouter.Asker) -> Bool {
        queues.values.contains { $0.contains { $0.asker == asker } }
    }

    func isAnyWaiting(of client: RequestRouter.ClientNumber) -> Bool {
        queues.values.contains { $0.contains { $0.asker.isClient(client) } }
    }

    mutating func begin(_ turn: PromptTurn, in session: String) { turns[session, default: []].append(turn) }

    /// True if a prompt waits in any session.
    var isAnyQueued: Bool { !queues.isEmpty }

    /// Ends a turn. Takes out the next waiting prompt if the session's last turn has ended.
    mutating func end(_ request: RequestID, in session: String) -> QueuedPrompt? {
        remove(request, in: session) != nil ? next(in: session) : nil
    }

    /// Removes a prompt that the agent has answered.
    mutating func remove(_ request: RequestID, in session: String) -> PromptTurn? {
        guard let index = turns[session]?.firstIndex(where: { $0.request == request }) else { return nil }
        let turn = turns[session]?.remove(at: index)
        if turns[session]?.isEmpty == true { turns[session] = nil }
        return turn
    }

    /// Takes out the next waiting prompt, if the agent has answered all prompts of the session.
    mutating func next(in session: String) -> QueuedPrompt? {
        guard turns[session] == nil else { return nil }
        guard var queue = queues[session], !queue.isEmpty else { return nil }
        let next = queue.removeFirst()
        queues[session] = queue.isEmpty ? nil : queue
        return next
    }

    /// Appends a prompt to the session's queue. Its time is at least 1 ms after that of each prompt queued before, so the
    /// time identifies it. Returns false if the queue is full.
    mutating func enqueue(_ prompt: QueuedPrompt, in session: String) -> Bool {
        let waiting = queues[session] ?? []
        let bytes = waiting.reduce(prompt.params.count) { $0 + $1.params.count }
        guard waiting.count < Self.queueLimit, bytes <= Self.queueLimitBytes else { return false }
        var prompt = prompt
        if let lastQueuedTs { prompt.since = max(prompt.since, lastQueuedTs + 1) }
        lastQueuedTs = prompt.since
        queues[session, default: []].append(prompt)
        return true
    }

    /// Removes matching prompts from the queues and returns them by session.
    ///
    /// - Parameter only: Search only this session's queue. Nil searches all queues.
    mutating func dequeue(
        in only: String? = nil, where isDropped: (QueuedPrompt) -> Bool
    ) -> [(session: String, prompts: [QueuedPrompt])] {
        var result: [(session: String, prompts: [QueuedPrompt])] = []
        for (session, queue) in queues where only == nil || session == only {
            let dropped = queue.filter(isDropped)
            guard !dropped.isEmpty else { continue }
            let kept = queue.filter { !isDropped($0) }
            queues[session] = kept.isEmpty ? nil : kept
            result.append((session, dropped))
        }
        return result
    }
}
