import ACPRouting
import JSONScan
import SessionRecords
import SessionText
import Tinyvex

/// The state that results from a session's timeline: its plan, commands, options, tool calls, usage, turn and
/// unanswered permissions; in ACP version 2 also its terminals, several plans and subagents. Updates of both versions
/// give the same state. Pure: the caller passes each item once, in order.
package struct SessionFold {
    /// The limit for a plan, a list of commands or options, or a permission request. A larger one is omitted.
    package static let partLimitBytes = 64 << 10
    /// The number of permissions to keep. If there are more, the oldest are removed.
    private static let permissionsLimit = 16

    /// The number of the last update that was processed.
    package private(set) var lastSeq: Int64 = 0
    package private(set) var toolCalls = ToolCalls()
    package private(set) var currentModeId: String?
    package private(set) var turn = SessionTurn()
    /// The newest JSON text from the agent for each part, by the member of the result that contains it.
    private var parts: [Part: [UInt8]] = [:]
    private var permissions: [(id: [UInt8], json: [UInt8])] = []
    private var entities = AgentEntities()
    /// True after an update of a kind that only version 2 has. There, null in an update clears a member.
    private var isVersion2 = false

    /// Members of the result that each update of a kind replaces.
    package enum Part: String, CaseIterable {
        case configOptions, commands, plan, usage
    }

    package init() {}

    package func part(_ part: Part) -> [UInt8]? { parts[part] }

    var byteCount: Int {
        toolCalls.byteCount + parts.values.reduce(0) { $0 + $1.count }
            + permissions.reduce(0) { $0 + $1.json.count } + entities.byteCount
    }

    package mutating func take(_ item: TimelineItem) {
        switch item {
        case .update(_, let seq, let ts, let line):
            lastSeq = seq
            takeUpdate(line.span, at: ts)
        case .entry(_, _, let ts, let kind, let body):
            guard let kind = TimelineEntryKind(rawValue: kind), let body = try? JSONValue(validating: body) else {
                return
            }
            takeEntry(kind, body, at: ts)
        }
    }

    // MARK: Updates

    private static let chunk = Array("_chunk\"".utf8)
    /// The kinds of chunk that change this state.
    private static let relevantChunks = ["terminal_output_chunk", "tool_call_content_chunk"].map {
        Array("\"\($0)\"".utf8)
    }

    private mutating func takeUpdate(_ line: Span<UInt8>, at ts: Int64) {
        guard let envelope = try? scanEnvelope(line), let range = envelope.updateKind, let update = envelope.update
        else { return }
        // Nearly all updates are message chunks, which do not change this state.
        let kind = line.extracting(range)
        if kind.count > Self.chunk.count,
            kind.extracting((kind.count - Self.chunk.count)...).isEqual(to: Self.chunk),
            !kind.isEqual(to: Self.relevantChunks[0]), !kind.isEqual(to: Self.relevantChunks[1])
        {
            return
        }
        guard let name = envelope.string(in: line, at: range),
            let value = try? JSONValue(validating: line.extracting(update))
        else { return }
        if UpdateText.kindsOfVersion2.contains(name) { isVersion2 = true }
        let session = envelope.string(in: line, at: envelope.sessionId) ?? ""
        if entities.isSubagent(session) {
            entities.take(name, value, ofSubagent: session)
        } else {
            takeUpdate(name, value, of: session, at: ts)
        }
    }

    private mutating func takeUpdate(_ kind: String, _ update: JSONValue, of session: String, at ts: Int64) {
        switch kind {
        case "tool_call", "tool_call_update": _ = toolCalls.merge(update, isVersion2: isVersion2)
        case "tool_call_content_chunk": toolCalls.append(update)
        case "state_update": turn.changed(update, at: ts)
        case "plan_update", "plan_removed":
            entities.take(kind, update, of: session)
            parts[.plan] = entities.newestEntries.map { entries in
                JSONWriter.object { $0.member("entries", raw: entries) }
            }
        case "plan": set(.plan, update["entries"].map(Self.plan))
        case "available_commands_update": set(.commands, update["availableCommands"].map { Array($0.rawText) })
        case "config_option_update":
            set(.configOptions, update["configOptions"].map { Array($0.rawText) })
            currentModeId = Self.mode(update) ?? currentModeId
        case "current_mode_update":
            let mode = update["currentModeId"]?.stringValue?.within(bytes: SessionSetup.modeLimitBytes)
            currentModeId = mode ?? currentModeId
        case "usage_update": set(.usage, Self.usage(update))
        default: entities.take(kind, update, of: session)
        }
    }

    /// In version 2, modes are options of a category.
    private static func mode(_ update: JSONValue) -> String? {
        let options = update["configOptions"]?.elements ?? []
        return options.first { $0["configId"] != nil && $0["category"]?.stringValue == "mode" }?["currentValue"]?
            .stringValue?.within(bytes: SessionSetup.modeLimitBytes)
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

    private mutating func takeEntry(_ kind: TimelineEntryKind, _ body: JSONValue, at ts: Int64) {
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
        // `elicitations:pending` lists them.
        case .elicitationRequest, .elicitationAnswer: break
        }
    }

    private mutating func asked(_ body: JSONValue, at ts: Int64) {
        guard let id = body["requestId"], let params = body["params"] else { return }
        if let call = params["toolCall"] ?? params["subject"]?["toolCall"],
            !entities.isSubagent(params["sessionId"]?.stringValue ?? "")
        {
            _ = toolCalls.merge(call, isVersion2: isVersion2)
        }
        guard params.rawText.count <= Self.partLimitBytes, id.rawText.count <= RequestRouter.idLimitBytes else {
            return
        }
        let json = JSONWriter.object { writer in
            writer.member("requestId", id)
            writer.member("askedTs", ts)
            writer.member("params", params)
        }
        permissions.append((Array(id.rawText), json))
        if permissions.count > Self.permissionsLimit { permissions.removeFirst() }
    }

    package func writePermissions(to writer: inout JSONWriter) {
        for permission in permissions { writer.element(raw: permission.json) }
    }

    /// Writes the members that only sessions in ACP version 2 have: `terminals`, `plans`, `subagents`, `compactions`.
    package func writeEntities(to writer: inout JSONWriter) { entities.write(to: &writer) }
}
