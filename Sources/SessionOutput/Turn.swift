import JSONScan
import SessionText

/// The way a turn ended.
package enum TurnEnd: Equatable {
    /// ACP's `stopReason`, for example `end_turn`.
    case stopped(String)
    /// The agent answered with an error.
    case failed(String)

    /// - Parameter outcome: The data of a `turn_end` entry, or a `state_update` with `idle`.
    init(_ outcome: JSONValue) {
        let reason = outcome["stopReason"]?.stringValue
        let error = outcome["error"]?["message"]?.stringValue
        if let reason, reason != "error" || error == nil {
            self = .stopped(reason)
        } else {
            self = .failed(error ?? "the agent gave no reason")
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
/// In ACP version 2 the answer to the prompt contains only the message's id, and the turn ends when the agent is idle
/// again. An `idle` counts only after the agent has taken the prompt as a message of the user and has worked on it.
package struct TurnWatch {
    private enum State {
        case before, running
        case over(TurnEnd)
    }

    private let text: String
    private var state = State.before
    /// The session that the prompt names; nil if it names none.
    private var session: String?
    /// The agent has added a message of the user since the prompt.
    private var hasMessage = false
    /// The agent has worked since the prompt.
    private var hasWorked = false

    init(prompt text: String) { self.text = text }

    package var end: TurnEnd? { if case .over(let end) = state { end } else { nil } }
    package var hasBegun: Bool { if case .before = state { false } else { true } }

    /// Returns whether the entry belongs to the turn. The end of the turn belongs to it; the prompt does not.
    mutating func handle(_ entry: TimelineValue) -> Bool {
        switch (state, entry.kind) {
        case (.before, "prompt"):
            if entry.promptText == text { begin(entry) }
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
        case "user_message", "user_message_chunk": hasMessage = true
        case "state_update": handle(agentState: entry.update)
        default: break
        }
    }

    private mutating func handle(agentState update: JSONValue?) {
        guard let update else { return }
        switch update["state"]?.stringValue {
        case "running", "requires_action": hasWorked = true
        case "idle" where hasMessage && hasWorked: state = .over(TurnEnd(update))
        // The end of an earlier turn.
        case "idle": hasWorked = false
        default: break
        }
    }
}

extension TimelineValue {
    /// The text parts of the prompt.
    var promptText: String {
        SessionRenderer.promptText(content)
    }

    /// The entry has the end of a turn.
    fileprivate var hasEnd: Bool { content["stopReason"] != nil || content["error"] != nil }
}
