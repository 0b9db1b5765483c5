import ACPRouting
import JSONScan
import SessionRecords
import SessionText
import Tinyvex

/// The state that results from a session's timeline: its plan, commands, options, tool calls, usage, turn and
/// unanswered permissions and elicitations; in ACP version 2 also its terminals, several plans and subagents. Updates of both versions
/// give the same state. Pure: the caller passes each item once, in order.
package struct SessionFold {
    /// The limit for a plan, a list of commands or options, or a permission request. A larger one is omitted.
    package static let partLimitBytes = 64 << 10

    /// The number of the last update that was processed.
    package private(set) var lastSeq: Int64 = 0
    package private(set) var toolCalls = ToolCalls()
    package private(set) var currentModeId: String?
    package private(set) var turn = SessionTurn()
    private var report = UsageReport()
    /// The costs that the agent has reported.
    package private(set) var costs = CostHistory()
    /// The newest JSON text from the agent for each part, by the member of the result that contains it.
    private var parts: [Part: [UInt8]] = [:]
    private var permissions = UnansweredRequests()
    private var elicitations = UnansweredRequests()
    private var entities = AgentEntities()
    /// True after an update of a kind that only version 2 has. There, null in an update clears a member.
    private var isVersion2 = false

    /// Members of the result that each update of a kind replaces.
    package enum Part: String, CaseIterable {
        case configOptions, commands, plan, usage
    }

    package init() {}

    package func part(_ part: Part) -> [UInt8]? { parts[part] }

    /// The rate limit that the agent has reported last.
    package var rateLimit: RateLimit? { report.rateLimit }

    /// The tokens that the session has consumed, as far as the timeline has the ends of its turns.
    package var tokens: TokenCount? { report.tokens }

    /// The newest usage as the agent wrote it, with the cost of the whole session.
    ///
    /// - Parameter known: the cost of the session, if it is known from elsewhere. The timeline can lack reports: the first
    ///   ones after retention, and those that an agent repeated when it resumed the session.
    package func usage(costing known: UsageCost? = nil) -> [UInt8]? {
        guard let raw = parts[.usage], let cost = known ?? report.cost, let value = try? JSONValue(validating: raw),
            value["cost"].flatMap(UsageCost.init) != cost
        else { return parts[.usage] }
        return JSONWriter.object { writer in
            for (name, value) in value.members where name != "cost" { writer.member(name, raw: value.rawText) }
            writer.memberObject("cost") { cost.write(to: &$0) }
        }
    }

    var byteCount: Int {
        toolCalls.byteCount + parts.values.reduce(0) { $0 + $1.count }
            + permissions.byteCount + elicitations.byteCount + entities.byteCount
    }

    /// Adds the next entry of the timeline to the state. Entries must be applied in their order.
    package mutating func apply(_ item: TimelineItem) {
        switch item {
        case .update(_, let seq, let ts, let line):
            lastSeq = seq
            applyUpdate(line.span, at: ts)
        case .entry(_, _, let ts, let kind, let body):
            guard let kind = TimelineEntryKind(rawValue: kind), let body = try? JSONValue(validating: body) else {
                return
            }
            applyEntry(kind, body, at: ts)
        }
    }

    // MARK: Updates

    private static let chunk = Array("_chunk\"".utf8)
    /// The kinds of chunk that change this state.
    private static let relevantChunks = ["terminal_output_chunk", "tool_call_content_chunk"].map {
        Array("\"\($0)\"".utf8)
    }

    private mutating func applyUpdate(_ line: Span<UInt8>, at ts: Int64) {
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
            entities.apply(name, value, ofSubagent: session)
        } else {
            applyUpdate(name, value, of: session, at: ts)
        }
    }

    private mutating func applyUpdate(_ kind: String, _ update: JSONValue, of session: String, at ts: Int64) {
        switch kind {
        case "tool_call", "tool_call_update": _ = toolCalls.merge(update, isVersion2: isVersion2)
        case "tool_call_content_chunk": toolCalls.append(update)
        case "state_update": if turn.changed(update, at: ts) { report.turnEnded(update) }
        case "plan_update", "plan_removed":
            entities.apply(kind, update, of: session)
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
        case "usage_update":
            set(.usage, usage(update))
            report.apply(UsageUpdate(update))
            if let cost = report.cost { costs.note(cost, at: ts) }
        default: entities.apply(kind, update, of: session)
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

    /// The update, with the last cost if it has none: the cost is that of the whole session.
    private func usage(_ update: JSONValue) -> [UInt8]? {
        guard update["used"] != nil, update["size"] != nil else { return nil }
        let earlier = update["cost"] == nil ? parts[.usage].flatMap { try? JSONValue(validating: $0) } : nil
        return JSONWriter.object { writer in
            for (name, value) in update.members where name != "sessionUpdate" {
                writer.member(name, raw: value.rawText)
            }
            if let cost = earlier?["cost"] { writer.member("cost", raw: cost.rawText) }
        }
    }

    // MARK: Entries that are not updates

    private mutating func applyEntry(_ kind: TimelineEntryKind, _ body: JSONValue, at ts: Int64) {
        switch kind {
        case .update: break
        case .agentStart, .agentExit:
            if kind == .agentStart { report.runBegan() }
            turn.ended()
            permissions.removeAll()
            elicitations.removeAll()
        case .prompt:
            turn.began(at: ts)
            report.prompted()
        case .turnEnd:
            turn.ended(body, at: ts)
            report.turnEnded(body)
        case .permissionRequest: asked(body, at: ts)
        case .permissionAnswer: permissions.remove(answeredBy: body)
        case .elicitationRequest: elicitations.add(body, at: ts)
        case .elicitationAnswer: elicitations.remove(answeredBy: body)
        }
    }

    private mutating func asked(_ body: JSONValue, at ts: Int64) {
        guard body["requestId"] != nil, let params = body["params"] else { return }
        if let call = params["toolCall"] ?? params["subject"]?["toolCall"],
            !entities.isSubagent(params["sessionId"]?.stringValue ?? "")
        {
            _ = toolCalls.merge(call, isVersion2: isVersion2)
        }
        permissions.add(body, at: ts)
    }

    /// Writes the unanswered permission requests: `{"requestId":5,"askedTs":MS,"params":{…}}`.
    package func writePermissions(to writer: inout JSONWriter) { permissions.write(to: &writer) }

    /// Writes the unanswered elicitations in the form of the permission requests.
    package func writeElicitations(to writer: inout JSONWriter) { elicitations.write(to: &writer) }

    /// Writes the members that only sessions in ACP version 2 have: `terminals`, `plans`, `subagents`, `compactions`.
    package func writeEntities(to writer: inout JSONWriter) { entities.write(to: &writer) }
}
