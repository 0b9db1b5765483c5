import JSONScan
import SessionText

/// How a turn ended.
enum TurnEnd: Equatable {
    /// ACP's `stopReason`: `end_turn`.
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

    /// Of `acpbridge prompt`.
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
    /// Another turn runs, or too many wait: nothing was asked.
    static let busy: Int32 = 7
}

/// Finds one turn in a session's timeline: the first that begins with this prompt, which was asked after the timeline
/// was subscribed to.
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

    /// Whether the entry belongs to the turn; its prompt does not, its end does.
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
    /// What was asked, as far as it is text.
    var promptText: String {
        SessionRenderer.promptText(content)
    }
}
