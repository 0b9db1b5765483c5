import JSONRPC
import JSONScan

/// A prompt that the agent is answering.
struct Turn: Equatable, Codable {
    let request: RequestID
    /// Milliseconds since 1970.
    let since: Int64
    /// The sender's name. Nil for the editor.
    let by: String?
}

/// A prompt that waits until the turns before it have ended.
package struct QueuedPrompt: Codable {
    let asker: Exchange.Asker
    let params: [UInt8]
    let by: String
    let since: Int64

    /// The length of the prompt's text in lists, in characters.
    static let shownTextLimit = 1000

    /// `{"by":"token tk_1","queuedTs":1763697600003,"text":"and the tests?"}`
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("by", by)
            writer.member("queuedTs", since)
            let text = PromptTitle.text(params: params)?.prefix(scalars: Self.shownTextLimit)
            writer.member("text", ifPresent: text)
        }
    }
}

extension Exchange {
    /// The maximum number of waiting prompts in one session.
    static let queueLimit = 32
    /// The maximum size of a session's waiting prompts together, in bytes.
    static let queueLimitBytes = 4 << 20

    package var hasRunningTurn: Bool { !turns.isEmpty }

    mutating func turnBegan(
        _ session: String, under id: RequestID, _ params: JSONValue?, _ asker: Asker, at now: Int64
    ) -> Event {
        let by = name(of: asker)
        turns[session, default: []].append(Turn(request: id, since: now, by: by))
        return .promptSent(id: session, params: params.map { Array($0.rawText) } ?? Array("{}".utf8), by: by)
    }

    mutating func turnEnded(_ session: String, under id: RequestID, _ reply: Reply, at now: Int64) -> [Event] {
        turns[session]?.removeAll { $0.request == id }
        var events: [Event] = [.turnEnded(id: session, outcome: reply.outcome)]
        guard turns[session]?.isEmpty == true else { return events }
        turns[session] = nil
        if let next = takeQueued(session) {
            events.append(.queueChanged(id: session))
            events += send("session/prompt", next.params, session: session, asker: next.asker, at: now)
        }
        return events
    }

    private mutating func takeQueued(_ session: String) -> QueuedPrompt? {
        guard var queue = queues[session], !queue.isEmpty else { return nil }
        let next = queue.removeFirst()
        queues[session] = queue.isEmpty ? nil : queue
        return next
    }

    /// Appends a prompt to the session's queue. Returns nil if the queue is full.
    mutating func enqueue(_ session: String, _ prompt: QueuedPrompt) -> [Event]? {
        let waiting = queues[session] ?? []
        let bytes = waiting.reduce(prompt.params.count) { $0 + $1.params.count }
        guard waiting.count < Self.queueLimit, bytes <= Self.queueLimitBytes else { return nil }
        queues[session, default: []].append(prompt)
        return [.queueChanged(id: session)]
    }

    /// Removes matching prompts from the queues. Returns the events that notify their senders.
    mutating func dropQueued(
        in only: String? = nil, where isDropped: (QueuedPrompt) -> Bool = { _ in true }
    ) -> [Event] {
        var events: [Event] = []
        for (session, queue) in queues where only == nil || session == only {
            let dropped = queue.filter(isDropped)
            guard !dropped.isEmpty else { continue }
            let kept = queue.filter { !isDropped($0) }
            queues[session] = kept.isEmpty ? nil : kept
            events.append(.queueChanged(id: session))
            for prompt in dropped {
                events += refuse(prompt.asker, .requestCancelled, "the prompt was cancelled while it waited", session)
            }
        }
        return events
    }

    private func refuse(
        _ asker: Asker, _ code: ErrorCode, _ message: String, _ session: String
    ) -> [Event] {
        let reply = Reply(error: code, message)
        switch asker {
        case .guest(let guest, let id): return [.toGuest(guest, reply.text(id: id), session: session)]
        case .bridge(let ticket): return [.answered(ticket, reply)]
        case .editor, .nobody: return []
        }
    }
}
