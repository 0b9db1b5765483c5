import JSONScan

/// Makes the spans of one turn from the session's timeline. Pure: the caller passes each item once, in order.
///
///     invoke_agent codex
///     ├─ execute_tool edit
///     │  └─ permission
///     └─ execute_tool execute
///
/// Names and attributes are those of OpenTelemetry's semantic conventions for generative AI. Prompts, titles, arguments
/// and texts of errors are included only on request.
package struct TurnTrace: Sendable {
    package struct Session: Sendable {
        let agent: String
        let id: String

        package init(agent: String, id: String) { (self.agent, self.id) = (agent, id) }
    }

    private struct Wait {
        var span: TraceSpan
        /// The options' kinds by their ids.
        let kinds: [String: String]
    }

    private let session: Session
    private let includesContent: Bool
    private let ids: TraceIds
    /// Nil before the prompt.
    private var root: TraceSpan?
    private var tools: [String: TraceSpan] = [:]
    /// The ids of `tools`, in their order.
    private var toolOrder: [String] = []
    private var waits: [String: Wait] = [:]
    private var ended: [TraceSpan] = []
    private var endedCalls: Set<String> = []
    private var openPrompts = 0
    private var promptCount: Int64 = 0
    private var omittedSpans: Int64 = 0
    private var lastTs: Int64 = 0
    private var isSampled = true
    /// The turn has ended. Further items are ignored.
    package private(set) var isEnded = false

    /// Tool calls and waits for permissions of one turn. Further ones are counted.
    static let spanLimit = 1_000
    /// Bytes of a name, an id or another short text in an attribute. Longer texts are cut.
    static let nameLimitBytes = 256
    /// 4 KiB for a prompt, a title, arguments or the text of an error. Longer texts are cut.
    static let contentLimitBytes = 4 << 10

    package init(of session: Session, includesContent: Bool, ids: TraceIds) {
        self.session = session
        self.includesContent = includesContent
        self.ids = ids
    }

    // MARK: Items

    /// - Parameters:
    ///   - kind: The kind of an entry of the timeline.
    ///   - body: The entry's data, as JSON.
    ///   - ts: Milliseconds since 1970.
    package mutating func entry(_ kind: String, _ body: [UInt8], at ts: Int64) {
        guard !isEnded, let value = try? JSONValue(validating: body) else { return }
        if kind == "prompt" { prompted(value, at: ts) }
        guard root != nil else { return }
        lastTs = max(lastTs, ts)
        switch kind {
        case "turn_end": answered(value, at: ts)
        case "permission_request": permissionRequested(value, at: ts)
        case "permission_answer": permissionAnswered(value, at: ts)
        case "agent_exit":
            root?.failure = ""
            root?.set("error.type", "agent_exit")
            isEnded = true
        default: break
        }
    }

    /// - Parameter line: A `session/update` line.
    package mutating func update(_ line: Span<UInt8>, at ts: Int64) {
        guard !isEnded, let envelope = try? scanEnvelope(line), let range = envelope.updateKind,
            let update = envelope.update, let kind = envelope.string(in: line, at: range)
        else { return }
        if root != nil { lastTs = max(lastTs, ts) }
        // Nearly all updates are message chunks, which have no span.
        guard Self.kinds.contains(kind), let value = try? JSONValue(validating: line.extracting(update)) else { return }
        if kind == "state_update" { return changed(value, at: ts) }
        guard root != nil else { return }
        toolChanged(value, at: ts)
    }

    private static let kinds: Set<String> = ["tool_call", "tool_call_update", "state_update"]

    /// The rest of the turn is not read.
    ///
    /// - Parameter ts: The end of the turn.
    package mutating func cut(at ts: Int64) {
        root?.set("acpbridge.truncated", "true")
        lastTs = max(lastTs, ts)
        isEnded = true
    }

    /// Returns the spans, the turn's first; none if the items had no prompt, or if the prompt's trace is not sampled.
    package func spans() -> [TraceSpan] {
        guard var root, isSampled else { return [] }
        root.end = max(root.start, lastTs)
        if promptCount > 1 { root.set("acpbridge.prompts", promptCount) }
        if omittedSpans > 0 { root.set("acpbridge.omitted_spans", omittedSpans) }
        let open = toolOrder.compactMap { tools[$0] } + waits.values.map(\.span).sorted { $0.start < $1.start }
        return [root] + ended
            + open.map { span in
                var span = span
                span.end = root.end
                return span
            }
    }

    // MARK: The turn

    private mutating func prompted(_ params: JSONValue, at ts: Int64) {
        openPrompts += 1
        promptCount += 1
        begin(parent: params["_meta"], at: ts)
        guard includesContent, let text = Self.text(ofPrompt: params) else { return }
        let messages = JSONWriter.array { writer in
            writer.object { writer in
                writer.member("role", "user")
                writer.memberArray("parts") { writer in
                    writer.object {
                        $0.member("type", "text")
                        $0.member("content", Self.cut(text, Self.contentLimitBytes))
                    }
                }
            }
        }
        if root?.attribute("gen_ai.input.messages") == nil {
            root?.set("gen_ai.input.messages", String(decoding: messages, as: UTF8.self))
        }
    }

    private static func text(ofPrompt params: JSONValue) -> String? {
        let texts = params["prompt"]?.elements.compactMap { $0["text"]?.stringValue } ?? []
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    /// - Parameter meta: The prompt's `_meta`. Its `traceparent` becomes the parent.
    private mutating func begin(parent meta: JSONValue?, at ts: Int64) {
        guard root == nil else { return }
        let parent = (meta?["traceparent"]?.stringValue).flatMap {
            TraceContext(parent: $0, state: meta?["tracestate"]?.stringValue)
        }
        isSampled = parent?.isSampled ?? true
        let agent = Self.cut(session.agent, Self.nameLimitBytes)
        var span = TraceSpan(
            traceId: parent?.traceId ?? ids.trace(), spanId: ids.span(), parentId: parent?.spanId,
            traceState: parent?.state, name: "invoke_agent \(agent)", kind: .client, start: ts, end: ts)
        span.set("gen_ai.operation.name", "invoke_agent")
        span.set("gen_ai.agent.name", agent)
        span.set("gen_ai.conversation.id", Self.cut(session.id, Self.nameLimitBytes))
        root = span
        lastTs = ts
    }

    /// In version 2 of ACP, an answer that names a message only accepts the prompt.
    private mutating func answered(_ result: JSONValue, at ts: Int64) {
        openPrompts = max(0, openPrompts - 1)
        let isOnlyAccepted = result["messageId"] != nil && result["stopReason"] == nil && result["error"] == nil
        guard !isOnlyAccepted else { return }
        end(result)
        if openPrompts == 0 { isEnded = true }
    }

    /// A `state_update` of version 2.
    private mutating func changed(_ update: JSONValue, at ts: Int64) {
        guard let state = update["state"]?.stringValue else { return }
        guard state == "idle" else { return begin(parent: nil, at: ts) }
        guard root != nil else { return }
        end(update)
        isEnded = true
    }

    private mutating func end(_ result: JSONValue) {
        if let reason = result["stopReason"]?.stringValue {
            root?.set("gen_ai.response.finish_reasons", TraceSpan.Value.texts([Self.cut(reason, Self.nameLimitBytes)]))
        }
        if let usage = result["usage"] {
            root?.set("gen_ai.usage.input_tokens", usage["inputTokens"]?.int64Value)
            root?.set("gen_ai.usage.output_tokens", usage["outputTokens"]?.int64Value)
            root?.set("gen_ai.usage.cache_read.input_tokens", usage["cachedReadTokens"]?.int64Value)
            root?.set("gen_ai.usage.cache_creation.input_tokens", usage["cachedWriteTokens"]?.int64Value)
        }
        guard let error = result["error"] else { return }
        let message = content(error["message"]?.stringValue) ?? ""
        root?.failure = message
        root?.set("error.type", error["code"]?.int64Value.map { String($0) } ?? "_OTHER")
    }

    // MARK: Tool calls

    private mutating func toolChanged(_ call: JSONValue, at ts: Int64) {
        guard let id = Self.id(call["toolCallId"]) else { return }
        if tools[id] == nil {
            // An update can come after the call's end.
            guard !endedCalls.contains(id) else { return }
            beginTool(id, call, at: ts)
        }
        guard tools[id] != nil else { return }
        if includesContent {
            let (title, arguments) = (content(call["title"]?.stringValue), content(call["rawInput"]?.rawString))
            tools[id]?.set("acpbridge.tool.title", title)
            tools[id]?.set("gen_ai.tool.call.arguments", arguments)
        }
        guard let status = call["status"]?.stringValue, Self.finalStatuses.contains(status) else { return }
        endTool(id, status, at: ts)
    }

    private static let finalStatuses: Set<String> = ["completed", "failed", "cancelled"]

    private mutating func beginTool(_ id: String, _ call: JSONValue, at ts: Int64) {
        guard let root, let spanId = newSpanId() else { return }
        // A title can contain paths and commands, so the tool's kind is its name.
        let tool = Self.cut(call["kind"]?.stringValue ?? "other", Self.nameLimitBytes)
        var span = TraceSpan(
            traceId: root.traceId, spanId: spanId, parentId: root.spanId, traceState: root.traceState,
            name: "execute_tool \(tool)", kind: .internal, start: ts, end: ts)
        span.set("gen_ai.operation.name", "execute_tool")
        span.set("gen_ai.tool.name", tool)
        span.set("gen_ai.tool.call.id", id)
        span.set("gen_ai.conversation.id", Self.cut(session.id, Self.nameLimitBytes))
        tools[id] = span
        toolOrder.append(id)
    }

    private mutating func endTool(_ id: String, _ status: String, at ts: Int64) {
        guard var span = tools.removeValue(forKey: id) else { return }
        toolOrder.removeAll { $0 == id }
        endedCalls.insert(id)
        span.end = max(span.start, ts)
        if status != "completed" {
            span.failure = ""
            span.set("error.type", status)
        }
        ended.append(span)
    }

    // MARK: Permissions

    private mutating func permissionRequested(_ request: JSONValue, at ts: Int64) {
        guard let id = Self.id(request["requestId"]), waits[id] == nil else { return }
        let params = request["params"]
        let call = params?["toolCall"] ?? params?["subject"]?["toolCall"] ?? params?["subject"]
        let callId = Self.id(call?["toolCallId"])
        // An agent can request a permission before it announces the call.
        if let call, let callId, tools[callId] == nil { toolChanged(call, at: ts) }
        guard let root, let spanId = newSpanId() else { return }
        var span = TraceSpan(
            traceId: root.traceId, spanId: spanId, parentId: callId.flatMap { tools[$0]?.spanId } ?? root.spanId,
            traceState: root.traceState, name: "permission", kind: .internal, start: ts, end: ts)
        span.set("gen_ai.tool.call.id", callId)
        var kinds: [String: String] = [:]
        for option in params?["options"]?.elements.prefix(Self.optionLimit) ?? [] {
            guard let id = Self.id(option["optionId"]), let kind = option["kind"]?.stringValue else { continue }
            kinds[id] = Self.cut(kind, Self.nameLimitBytes)
        }
        waits[id] = Wait(span: span, kinds: kinds)
    }

    /// The most options of one request whose kinds are kept.
    private static let optionLimit = 64

    private mutating func permissionAnswered(_ answer: JSONValue, at ts: Int64) {
        guard let id = Self.id(answer["requestId"]), var wait = waits.removeValue(forKey: id) else { return }
        wait.span.end = max(wait.span.start, ts)
        let outcome = answer["result"]?["outcome"]
        let kind = Self.id(outcome?["optionId"]).flatMap { wait.kinds[$0] }
        let name = outcome?["outcome"]?.stringValue ?? (answer["error"] == nil ? "other" : "error")
        wait.span.set("acpbridge.permission.outcome", Self.cut(name, Self.nameLimitBytes))
        wait.span.set("acpbridge.permission.kind", kind)
        ended.append(wait.span)
    }

    // MARK: Values

    /// Returns nil at the limit.
    private mutating func newSpanId() -> String? {
        guard tools.count + waits.count + ended.count < Self.spanLimit else {
            omittedSpans += 1
            return nil
        }
        return ids.span()
    }

    private func content(_ text: String?) -> String? {
        includesContent ? text.map { Self.cut($0, Self.contentLimitBytes) } : nil
    }

    /// The text of a string or a number; nil if it is longer than an id that is noted.
    private static func id(_ value: JSONValue?) -> String? {
        guard let value, let text = value.stringValue ?? value.int64Value.map({ String($0) }) else { return nil }
        return text.utf8.count <= nameLimitBytes ? text : nil
    }

    /// Cuts between characters.
    private static func cut(_ text: String, _ limitBytes: Int) -> String {
        guard text.utf8.count > limitBytes else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limitBytes - "…".utf8.count)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }
}
