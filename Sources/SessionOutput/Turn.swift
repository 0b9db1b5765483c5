import JSONScan
import SessionText

/// The way a turn ended.
package enum TurnEnd: Equatable {
    /// ACP's `stopReason`, for example `end_turn`.
    case stopped(String)
    /// The agent answered with an error.
    case failed(String)
    /// The agent reported no reason.
    case unreported

    /// - Parameter outcome: The data of a `turn_end` entry, a `state_update` with `idle`, or the result of
    ///   `sessions:prompt`.
    package init(_ outcome: JSONValue) {
        let reason = outcome["stopReason"]?.stringValue
        let error = outcome["error"]?["message"]?.stringValue
        if let reason, reason != "error" || error == nil {
            self = .stopped(reason)
        } else if reason != nil || outcome["error"] != nil {
            self = .failed(error ?? "the agent gave no reason")
        } else {
            self = .unreported
        }
    }

    /// The exit status of `acpbridge prompt`.
    package var status: Int32 {
        switch self {
        case .stopped("end_turn"): 0
        case .stopped("refusal"): Self.refused
        case .stopped("cancelled"): Self.cancelled
        case .stopped: Self.cutShort
        case .failed: 1
        case .unreported: 0
        }
    }

    static let refused: Int32 = 4
    static let cutShort: Int32 = 5
    static let cancelled: Int32 = 6
    /// Another turn is running, or too many prompts are waiting. The prompt was not sent.
    package static let busy: Int32 = 7
}

/// Finds one turn in a session's timeline: the first turn that begins with this prompt. The prompt was sent after the
/// timeline subscription was opened.
///
/// In ACP version 1 the answer to the prompt ends the turn. In version 2 that answer contains only the message's id, and the
/// turn ends when the agent is idle again. Several prompts can be in flight, and the timeline does not name the sender of a
/// message. The bridge's answer names the message, so an `idle` counts only if it follows that message.
package struct TurnWatch {
    private enum State {
        case before, running
        case over(TurnEnd)
    }

    private let text: String
    private var state = State.before
    /// The session that the prompt names; nil if it names none.
    private var session: String?
    /// The id of the prompt's message, from the bridge's answer.
    private var message: String?
    /// The answer was lost, so the first message of the user counts as the prompt's.
    private var takesAnyMessage = false
    private var messages = ReportedMessages()
    /// The agent has worked since the prompt, or since it was idle last.
    private var hasWorked = false

    init(prompt text: String) { self.text = text }

    package var end: TurnEnd? { if case .over(let end) = state { end } else { nil } }
    package var hasBegun: Bool { if case .before = state { false } else { true } }

    /// Call with the bridge's answer to the prompt in version 2.
    mutating func inserted(as message: String) {
        self.message = message
        endIfOver()
    }

    /// Call if the bridge's answer to the prompt was lost.
    mutating func answerLost() {
        takesAnyMessage = true
        endIfOver()
    }

    /// Returns whether the entry belongs to the turn. The end of the turn belongs to it; the prompt does not.
    mutating func handle(_ entry: TimelineValue) -> Bool {
        switch (state, entry.kind) {
        case (.before, "prompt"):
            if entry.isPrompt(of: text) { begin(entry) }
            return false
        case (.running, "turn_end"):
            // The answer of version 2, which ends nothing.
            if entry.content["messageId"] != nil, !entry.hasEnd { return true }
            state = .over(TurnEnd(entry.content))
            return true
        case (.running, "update"):
            handle(update: entry)
            return true
        case (.running, "prompt"), (.before, _), (.over, _): return false
        case (.running, _): return true
        }
    }

    private mutating func begin(_ prompt: TimelineValue) {
        state = .running
        session = prompt.content["sessionId"]?.stringValue
    }

    private mutating func handle(update entry: TimelineValue) {
        // The states of subagents say nothing about the turn.
        if let session, entry.content["params"]?["sessionId"]?.stringValue != session { return }
        switch entry.updateKind {
        case "user_message", "user_message_chunk":
            messages.add(entry.update?["messageId"]?.stringValue ?? "")
        case "state_update": handle(agentState: entry.update)
        default: break
        }
    }

    private mutating func handle(agentState update: JSONValue?) {
        guard let update else { return }
        switch update["state"]?.stringValue {
        case "running", "requires_action": hasWorked = true
        case "idle":
            if hasWorked { messages.end(TurnEnd(update)) }
            hasWorked = false
            endIfOver()
        default: break
        }
    }

    private mutating func endIfOver() {
        guard case .running = state else { return }
        let end = message.flatMap { messages.end(of: $0) } ?? (takesAnyMessage ? messages.firstEnd : nil)
        if let end { state = .over(end) }
    }
}

/// The messages of the user that an agent has reported, and how the turn ended that followed each.
private struct ReportedMessages {
    /// 100 messages. Further ones are other people's, or the bridge's answer ends the turn.
    private static let limit = 100
    /// 1 KiB, the limit for an id that the bridge compares.
    private static let idLimitBytes = 1 << 10
    private var reported: [(id: String, end: TurnEnd?)] = []

    mutating func add(_ id: String) {
        guard reported.count < Self.limit, id.utf8.count <= Self.idLimitBytes,
            !reported.contains(where: { $0.id == id })
        else { return }
        reported.append((id, nil))
    }

    mutating func end(_ end: TurnEnd) {
        for index in reported.indices where reported[index].end == nil { reported[index].end = end }
    }

    func end(of id: String) -> TurnEnd? { reported.first { $0.id == id }?.end }
    var firstEnd: TurnEnd? { reported.first?.end }
}

extension TimelineValue {
    /// The text parts of the prompt.
    package var promptText: String {
        SessionRenderer.promptText(content)
    }

    /// Whether the prompt has this text. The timeline has a part of a long prompt, or none in an older bridge.
    func isPrompt(of text: String) -> Bool {
        guard content["omittedBytes"] != nil else { return promptText == text }
        let first = content["prompt"]?.elements.compactMap { $0["text"]?.stringValue }.first ?? ""
        // The bridge can have cut the text in the middle of a character.
        return text.utf8.starts(with: first.utf8.dropLast(4))
    }

    /// The entry has the end of a turn.
    var hasEnd: Bool { content["stopReason"] != nil || content["error"] != nil }
}
