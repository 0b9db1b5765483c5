import JSONScan
import TinyvexMachine

/// The agent's messages, in order. When they exceed the limit, and until all of them have been taken, requests are
/// answered with an error and notifications are dropped. Cancellations of requests are always kept.
package struct AgentQueue: MailboxContents {
    static let limitBytes = 32 << 20

    private var events: [AgentEvent] = []
    private var byteCount = 0

    package init() {}

    package var isEmpty: Bool { events.isEmpty }
    package var isFull: Bool { byteCount > Self.limitBytes }

    package mutating func add(_ event: AgentEvent) {
        events.append(event)
        if case .message(let message) = event { byteCount += message.params?.rawText.count ?? 0 }
    }

    package mutating func drain() -> [AgentEvent] {
        defer {
            events = []
            byteCount = 0
        }
        return events
    }
}

/// An event between the agent and a client that serves it.
package enum AgentEvent: Sendable {
    case message(AgentMessage)
    /// The connection that carried the agent's requests is gone.
    case lost
}
