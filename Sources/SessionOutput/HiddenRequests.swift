import TerminalIO
import TerminalText
import Tinyvex

/// The rendered requests of a part of a session that is not shown, as long as they wait for an answer. Pure.
struct HiddenRequests: Sendable {
    /// 16 requests; agents seldom have more than one. Of more, the oldest are dropped.
    private static let limit = 16

    private var waiting: [(id: [UInt8], text: TerminalText)] = []

    /// - Parameter text: The rendered entry.
    mutating func note(_ entry: TimelineValue, _ kind: TimelineEntryKind, _ text: TerminalText) {
        let id = entry.content["requestId"].map { Array($0.rawText) } ?? []
        switch kind {
        case .permissionRequest, .elicitationRequest:
            waiting.append((id, text))
            if waiting.count > Self.limit { waiting.removeFirst() }
        case .permissionAnswer, .elicitationAnswer: waiting.removeAll { $0.id == id }
        case .agentStart, .agentExit: waiting = []
        default: break
        }
    }

    /// Returns the texts in the order of the requests, and forgets them.
    mutating func take() -> [TerminalText] {
        defer { waiting = [] }
        return waiting.map(\.text)
    }
}
