import JSONScan
import SessionText

/// The way a turn ended.
enum TurnEnd: Equatable {
    /// ACP's `stopReason`, for example `end_turn`.
    case stopped(String)
    /// The agent answered with an error.
    case failed(String)

    init(_ entry: TimelineEntry) {
        if let reason = entry.content["stopReason"]?.stringValue {
            self = .stopped(reason)
        } else {
            self = .failed(entry.content["error"]?["message"]?.stringValue ?? "the agent gave no reason")
        }
    }

    /// The exit status of `acpbridge prompt`.
    var status: Int32 {
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
    static let busy: Int32 = 7
}

/// Finds one turn in a session's timeline: the first turn that begins with this prompt. The prompt was sent after the
/// timeline subscription was opened.
struct TurnWatch {
    private enum State {
        case before, running
        case over(TurnEnd)
    }

    private let text: String
    private var state = State.before

    init(prompt text: String) { self.text = text }

    var end: TurnEnd? { if case .over(let end) = state { end } else { nil } }
    var hasBegun: Bool { if case .before = state { false } else { true } }

    /// Returns whether the entry belongs to the turn. The end of the turn belongs to it; the prompt does not.
    mutating func take(_ entry: TimelineEntry) -> Bool {
        switch (state, entry.kind) {
        case (.before, "prompt"):
            if entry.promptText == text { state = .running }
            return false
        case (.running, "turn_end"):
            state = .over(TurnEnd(entry))
            return true
        case (.running, "prompt"), (.before, _), (.over, _): return false
        case (.running, _): return true
        }
    }
}

extension TimelineEntry {
    /// The text parts of the prompt.
    var promptText: String {
        SessionRenderer.promptText(content)
    }
}
