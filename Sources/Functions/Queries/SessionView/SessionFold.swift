import ACPRouting
import JSONScan
import SessionLog
import Tinyvex

/// The state that results from a session's timeline: its plan, commands, options, tool calls, usage, turn and
/// unanswered permissions. Pure: the caller passes each item once, in order.
package struct SessionFold {
    /// The limit for a plan, a list of commands or options, or a permission request. A larger one is omitted.
    static let partLimitBytes = 64 << 10
    /// The number of permissions to keep. If there are more, the oldest are removed.
    private static let permissionsLimit = 16

    /// The number of the last update that was processed.
    private(set) var lastSeq: Int64 = 0
    private(set) var toolCalls = ToolCalls()
    private(set) var currentModeId: String?
    private(set) var turn = SessionTurn()
    /// The newest JSON text from the agent for each part, by the member of the result that contains it.
    private var parts: [Part: [UInt8]] = [:]
    private var permissions: [(id: [UInt8], json: [UInt8])] = []

    /// Members of the result that each update of a kind replaces.
    enum Part: String, CaseIterable {
        case configOptions, commands, plan, usage
    }

    func part(_ part: Part) -> [UInt8]? { parts[part] }

    var byteCount: Int {
        toolCalls.byteCount + parts.values.reduce(0) { $0 + $1.count }
            + permissions.reduce(0) { $0 + $1.json.count }
    }

    mutating func take(_ item: TimelineItem) {
        switch item {
        case .update(_, let seq, _, let line):
            lastSeq = seq
            takeUpdate(line.span)
        case .entry(_, _, let ts, let kind, let body):
            guard let kind = TimelineKind(rawValue: kind), let body = try? JSONValue(validating: body) else { return }
            takeEntry(kind, body, at: ts)
        }
    }

    // MARK: Updates

    private static let chunk = Array("_chunk\"".utf8)

    private mutating func takeUpdate(_ line: Span<UInt8>) {
        guard let envelope = try? scanEnvelope(line), let range = envelope.updateKind, let update = envelope.update
        else { return }
        // Nearly all updates are message chunks, which do not change this state.
        let kind = line.extracting(range)
        if kind.count > Self.chunk.count,
            kind.extracting((kind.count - Self.chunk.count)...).isEqual(to: Self.chunk)
        {
            return
        }
        guard let name = envelope.string(in: line, at: range),
            let value = try? JSONValue(validating: line.extracting(update))
        else { return }
        takeUpdate(name, value)
    }

    private mutating func takeUpdate(_ kind: String, _ update: JSONValue) {
        switch kind {
        case "tool_call", "tool_call_update": _ = toolCalls.merge(update)
        case "plan": set(.plan, update["entries"].map(Self.plan))
        case "available_commands_update": set(.commands, update["availableCommands"].map { Array($0.rawText) })
        case "config_option_update": set(.configOptions, update["configOptions"].map { Array($0.rawText) })
        case "current_mode_update":
            let mode = update["currentModeId"]?.stringValue?.within(bytes: SessionSetup.modeLimitBytes)
            currentModeId = mode ?? currentModeId
        case "usage_update": set(.usage, Self.usage(update))
        default: break
        }
    }

    private mutating func set(_ part: Part, _ raw: [UInt8]?) {
        guard let raw else { return }
        parts[part] = raw.count <= Self.partLimitBytes ? raw : nil
    }

    private static func plan(_ entries: JSONValue) -> [UInt8] {
        JSONWriter.object { $0.member("entries", entries) }
    }

    private static func usage(_ update: JSONValue) -> [UInt8]? {
        guard update["used"] != nil, update["size"] != nil else { return nil }
        return JSONWriter.object { writer in
            for (name, value) in update.members where name != "sessionUpdate" {
                writer.member(name, raw: value.rawText)
            }
        }
    }

    // MARK: Entries that are not updates

    private mutating func takeEntry(_ kind: TimelineKind, _ body: JSONValue, at ts: Int64) {
        switch kind {
        case .update: break
        case .agentStart, .agentExit:
            turn.ended()
            permissions = []
        case .prompt: turn.began(at: ts)
        case .turnEnd: turn.ended(body, at: ts)
        case .permissionRequest: asked(body, at: ts)
        case .permissionAnswer:
            let id = body["requestId"].map { Array($0.rawText) }
            permissions.removeAll { $0.id == id }
        }
    }

    private mutating func asked(_ body: JSONValue, at ts: Int64) {
        guard let id = body["requestId"], let params = body["params"] else { return }
        if let call = params["toolCall"] { _ = toolCalls.merge(call) }
        guard params.rawText.count <= Self.partLimitBytes, id.rawText.count <= Exchange.idLimitBytes else { return }
        let json = JSONWriter.object { writer in
            writer.member("requestId", id)
            writer.member("askedTs", ts)
            writer.member("params", params)
        }
        permissions.append((Array(id.rawText), json))
        if permissions.count > Self.permissionsLimit { permissions.removeFirst() }
    }

    func writePermissions(to writer: inout JSONWriter) {
        for permission in permissions { writer.element(raw: permission.json) }
    }
}

/// Reports whether a prompt is being processed, and how the last turn ended.
struct SessionTurn {
    /// The stop reasons that ACP defines are single words.
    private static let stopReasonLimitBytes = 1 << 10
    private var running = 0
    private var startedTs: Int64?
    private var endedTs: Int64?
    private var stopReason: String?
    private var error: [UInt8]?

    mutating func began(at ts: Int64) {
        if running == 0 { startedTs = ts }
        running += 1
    }

    mutating func ended(_ outcome: JSONValue, at ts: Int64) {
        running = max(0, running - 1)
        endedTs = ts
        stopReason = outcome["stopReason"]?.stringValue?.within(bytes: Self.stopReasonLimitBytes)
        error = outcome["error"].flatMap { $0.rawText.count <= SessionFold.partLimitBytes ? Array($0.rawText) : nil }
    }

    /// Ends all turns, because the agent has ended.
    mutating func ended() { running = 0 }

    func write(to writer: inout JSONWriter) {
        writer.member("state", running > 0 ? "running" : "idle")
        writer.member("startedTs", ifPresent: startedTs)
        guard running == 0 else { return }
        writer.member("endedTs", ifPresent: endedTs)
        writer.member("stopReason", ifPresent: stopReason)
        if let error { writer.member("error", raw: error) }
    }
}
