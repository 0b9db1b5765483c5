import JSONScan
import Tinyvex

/// Reports whether a prompt is being processed, and how the last turn ended.
///
/// In ACP version 1 a turn is one prompt and its answer. In version 2 the agent reports its state, and that alone
/// decides.
package struct SessionTurn {
    /// The stop reasons that ACP defines are single words.
    private static let stopReasonLimitBytes = 1 << 10
    private var running = 0
    /// The state that the agent reported last. Nil in version 1.
    private var agentState: String?
    /// The work that continues independently of turns, as the agent wrote it.
    private var background: [UInt8]?
    private var startedTs: Int64?
    private var endedTs: Int64?
    private var stopReason: String?
    private var error: [UInt8]?

    private var isRunning: Bool { running > 0 || (agentState ?? "idle") != "idle" }

    mutating func began(at ts: Int64) {
        if !isRunning { startedTs = ts }
        running += 1
    }

    /// In version 2 the answer to a prompt contains only the message's id, and ends nothing.
    mutating func ended(_ outcome: JSONValue, at ts: Int64) {
        let reason = outcome["stopReason"]?.stringValue
        if outcome["messageId"] != nil, reason == nil, outcome["error"] == nil { return }
        running = max(0, running - 1)
        if reason != nil, agentState != nil { agentState = "idle" }
        setEnd(outcome, at: ts)
    }

    /// Ends all turns, because the agent has ended.
    mutating func ended() {
        running = 0
        agentState = nil
        background = nil
    }

    /// - Parameter update: A `state_update`. A repeated `idle` reports only the background work.
    /// - Returns: True if it ends the work of the agent.
    mutating func changed(_ update: JSONValue, at ts: Int64) -> Bool {
        guard let state = update["state"]?.stringValue?.within(bytes: Self.stopReasonLimitBytes) else { return false }
        if let list = update["background"] { background = Self.limited(list) }
        let wasRunning = isRunning
        agentState = state
        if state == "idle" {
            running = 0
            if wasRunning { setEnd(update, at: ts) }
        } else if !wasRunning {
            startedTs = ts
        }
        return state == "idle" && wasRunning
    }

    private mutating func setEnd(_ outcome: JSONValue, at ts: Int64) {
        endedTs = ts
        stopReason = outcome["stopReason"]?.stringValue?.within(bytes: Self.stopReasonLimitBytes)
        error = outcome["error"].flatMap(Self.limited)
    }

    private static func limited(_ value: JSONValue) -> [UInt8]? {
        value.rawText.count <= SessionFold.partLimitBytes ? Array(value.rawText) : nil
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("state", isRunning ? "running" : "idle")
        writer.member("agentState", ifPresent: agentState)
        if let background { writer.member("background", raw: background) }
        writer.member("startedTs", ifPresent: startedTs)
        guard !isRunning else { return }
        writer.member("endedTs", ifPresent: endedTs)
        writer.member("stopReason", ifPresent: stopReason)
        if let error { writer.member("error", raw: error) }
    }
}
