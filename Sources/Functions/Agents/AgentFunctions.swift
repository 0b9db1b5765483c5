import ACPRouting
import Access
import Agents
import EventLoop
import FileStore
import JSONRPC
import JSONScan
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

/// Lists agents and their pending permissions, and drives a session for clients that do not speak ACP.
@LoopActor package struct AgentFunctions {
    let agents: AgentPool
    let audit: AuditLog
    let files: FileFunctions
    let profiles: @Sendable () -> [ProfileSummary]
    let forwarding: Forwarding

    // MARK: Lists

    /// Returns a page of the running agents, in the order in which they were started. Only the first page contains the
    /// profiles and the bridges.
    func agentsValue(_ params: Parameters, tenant: String?, ownName: String) throws(Rejection) -> [UInt8] {
        let position = try Self.position(params, count: 2)
        let running = agents.runs(of: tenant).map { (run: $0, place: ListPosition($0.startedAt, Int64($0.pid))) }
            .sorted { $0.place < $1.place }
        let (page, next) = Self.page(running.filter { position.map($0.place.isAfter) ?? true }) { row in
            JSONWriter.object { write(row.run, to: &$0) }
        } place: {
            $0.place
        }
        return JSONWriter.object { writer in
            writer.memberArray("profiles") { writer in
                for profile in position == nil ? profiles() : [] {
                    writer.object { profile.write(to: &$0) }
                }
            }
            writer.memberArray("running") { writer in
                for row in page.rows { writer.element(raw: row) }
            }
            if position == nil, tenant == nil { writeBridges(ownName, to: &writer) }
            writer.member("nextCursor", ifPresent: next)
        }
    }

    /// Writes `bridges`, if sessions can begin at others.
    private func writeBridges(_ ownName: String, to writer: inout JSONWriter) {
        let places = forwarding.places
        guard !places.isEmpty else { return }
        writer.memberArray("bridges") { writer in
            writer.object { writer in
                writer.member("name", ownName)
                writer.member("own", true)
            }
            for place in places {
                writer.object { writer in
                    writer.member("name", place.name)
                    writer.member("unreachableTs", ifPresent: place.unreachableTs)
                }
            }
        }
    }

    /// The value of `agents:list` for another bridge. Its running agents are not listed, because no function of this bridge
    /// takes their process ids.
    ///
    /// - Parameter profiles: A JSON array.
    static func agentsValue(profiles: [UInt8]) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("profiles", raw: profiles)
            writer.memberArray("running") { _ in }
        }
    }

    static func position(_ params: Parameters, count: Int) throws(Rejection) -> ListPosition? {
        guard let cursor = try params.optionalCursor() else { return nil }
        guard let position = ListPosition(cursor, count: count) else { throw .unknownCursor }
        return position
    }

    /// Returns as many of the rows as fit, and the position of the last one if more rows follow it.
    static func page<Row>(
        _ rows: [Row], json: (Row) -> [UInt8], place: (Row) -> ListPosition
    ) -> (page: ListPage, next: String?) {
        var page = ListPage()
        for row in rows where !page.add(json(row)) { break }
        guard page.rows.count < rows.count else { return (page, nil) }
        return (page, place(rows[page.rows.count - 1]).description)
    }

    private func write(_ run: AgentRun, to writer: inout JSONWriter) {
        writer.member("name", run.name)
        writer.member("pid", Int64(run.pid))
        writer.member("startedTs", run.startedAt)
        writer.member("residentBytes", ProcessFacts.residentBytes(of: run.pid))
        let sessions = run.sessions?.sessions.keys.sorted() ?? []
        let listed = Self.beginning(of: sessions)
        writer.memberArray("sessions") { for id in listed { $0.element(id) } }
        if listed.count < sessions.count { writer.member("omittedSessions", sessions.count - listed.count) }
        writer.member("stderrTail", run.errorTail.text)
        writer.member("primary", ifPresent: run.primaryName)
        if run.isStarting { writer.member("starting", true) }
    }

    /// An agent can run 10,000 sessions. Their ids would make its row larger than a page; `sessions:list` returns all
    /// of them.
    private static func beginning(of sessions: [String]) -> ArraySlice<String> {
        var room = sessionsLimitBytes
        return sessions.prefix { id in
            room -= id.utf8.count
            return room >= 0
        }
    }

    /// 64 KiB of ids: more than 1,000 ids of the usual length.
    private static let sessionsLimitBytes = 64 << 10

    /// - Parameter others: the requests of other bridges, of this tenant.
    func permissionsValue(
        _ params: Parameters, tenant: String?, others: [PendingRow]
    ) throws(Rejection) -> [UInt8] {
        let filter = try PendingFilter(params)
        let own = agents.runs(of: tenant).flatMap(\.pendingPermissions).map { permission in
            PendingRow(
                sessionId: permission.sessionId, agent: permission.agent, journal: permission.journal,
                place: permission.place
            ) { JSONWriter.object { permission.write(to: &$0) } }
        }
        return try Self.page(
            params, (own + others).filter { filter.fits($0.sessionId, $0.journal, agent: $0.agent) })
    }

    /// Returns a page of open requests, the oldest first.
    static func page(_ params: Parameters, _ rows: [PendingRow]) throws(Rejection) -> [UInt8] {
        let position = try position(params, count: 3)
        let pending = rows.filter { position.map($0.place.isAfter) ?? true }.sorted { $0.place < $1.place }
        let (page, next) = page(pending) {
            $0.json()
        } place: {
            $0.place
        }
        return page.array(next: next)
    }

    // MARK: Driving a session

    /// `sessions:prompt`: finishes with the agent's own response after the turn has ended.
    ///
    /// - Parameter placed: called when the prompt was sent or queued. A prompt with files is so only after they were read.
    func prompt(
        _ arguments: Parameters, by identity: Identity, placed: @escaping @LoopActor () -> Void,
        then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        let blocks = try Self.promptBlocks(arguments)
        guard let named = try PromptFiles(blocks) else {
            try prompt(arguments, Array(blocks.rawText), by: identity, then: finish)
            return placed()
        }
        try check(named, running(arguments, for: identity).run)
        files.resolve(named, for: identity) { result in
            do throws(Rejection) {
                // The agent can have ended while the files were read.
                try prompt(arguments, result.get(), by: identity, then: finish)
                placed()
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func prompt(
        _ arguments: Parameters, _ blocks: [UInt8], by identity: Identity, then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        let (run, session) = try running(arguments, for: identity)
        let params = try Self.promptParams(blocks, session)
        let queues = try arguments.optionalBool("queue") ?? false
        do throws(ClientRefusal) {
            try run.prompt(session: session, params: params, by: identity.who, queues: queues) { reply in
                finish(Self.response(reply))
            }
        } catch {
            throw error.rejection
        }
        audit.record(.prompted(.init(agent: run.name, sessionId: session)), by: identity)
    }

    /// Refuses files of a type that the agent's capabilities do not have. If these are unknown, all files are accepted.
    private func check(_ named: PromptFiles, _ run: AgentRun) throws(Rejection) {
        guard let capabilities = PromptCapabilities(initializeResult: run.sessions?.initializeResult) else { return }
        for type in named.types.sorted() where !capabilities.accepts(type) {
            throw .invalidParams("the agent \(quoted(run.name)) accepts no \(type) in a prompt")
        }
    }

    /// `sessions:cancel`: notifies the agent. Pending permission requests of the session are answered as cancelled.
    func cancel(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> FunctionResponse {
        let (run, session) = try running(arguments, for: identity)
        do throws(ClientRefusal) {
            try run.cancel(session, by: identity.who)
        } catch {
            throw error.rejection
        }
        audit.record(.cancelled(.init(agent: run.name, sessionId: session)), by: identity)
        return FunctionResponse(result: JSONWriter.object { $0.member("cancelled", true) })
    }

    /// `sessions:unqueue`: removes a waiting prompt and returns its content. Only the sender or an admin can do that.
    func unqueue(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> FunctionResponse {
        let (run, session) = try running(arguments, for: identity)
        guard let since = try arguments.optionalInteger("queuedTs", in: 0...Int64.max) else {
            throw .invalidParams("queuedTs: that of the prompt in the session's queue")
        }
        guard let prompt = run.sessions?.router.queues[session]?.first(where: { $0.since == since }) else {
            throw Rejection(.mutationFailed, "this prompt does not wait: it was sent to the agent, or removed")
        }
        guard prompt.by == identity.who || identity.role == .admin else {
            throw Rejection(
                .readOnly, "only the prompt's sender or an admin can remove it", rpcCode: .invalidRequest)
        }
        run.unqueue(prompt, in: session)
        audit.record(.unqueued(.init(agent: run.name, sessionId: session)), by: identity)
        return FunctionResponse(result: JSONWriter.object { $0.member("prompt", raw: prompt.content) })
    }

    /// The session of `sessions:view`, which must have a running agent.
    func viewedSession(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> Session {
        let (run, id) = try running(arguments, for: identity)
        guard let session = run.sessions?.sessions[id] else {
            throw SessionRegistry.unknown(try SessionReference(arguments))
        }
        return session
    }

    /// `agents:stop`: ends the agent that runs the session, has the process id or is being started, as if no client needed it any
    /// longer.
    func stopAgent(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> FunctionResponse {
        let run =
            if let pid = try arguments.optionalInteger("pid", in: 1...Int64(Int32.max)) {
                try running(pid, for: identity)
            } else if let key = try arguments.optionalString("start") {
                try starting(key, for: identity)
            } else {
                try running(arguments, for: identity).run
            }
        audit.record(.agentStopped(agent: run.name, pid: run.pid), by: identity)
        let value = JSONWriter.object { writer in
            writer.member("agent", run.name)
            writer.member("pid", run.pid)
        }
        return FunctionResponse(result: value) { run.end() }
    }

    /// `permissions:answer`: forwards the first valid answer to the agent, and rejects every later one with an error.
    func answerPermission(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> [UInt8] {
        let (run, session) = try running(arguments, for: identity)
        guard let id = arguments.valueOrNull("requestId").flatMap(RequestID.init) else {
            throw .invalidParams("requestId: the id that permissions:pending lists")
        }
        guard let outcome = arguments.value("outcome") else {
            throw .invalidParams(#"outcome: {"outcome":"selected","optionId":…} or {"outcome":"cancelled"}"#)
        }
        let reply = Reply(result: JSONWriter.object { $0.member("outcome", raw: outcome.rawText) })
        do throws(PermissionFault) {
            try run.sessions?.withRouter { (router) throws(PermissionFault) in
                try router.answerPermission(session, id, reply, by: identity.who)
            }
        } catch {
            throw error.rejection
        }
        recordAnswer(to: id, outcome, .init(agent: run.name, sessionId: session), by: identity)
        return JSONWriter.object { $0.member("answered", true) }
    }

    package func recordAnswer(
        to id: RequestID, _ outcome: JSONValue?, _ session: AuditEvent.SessionName, by identity: Identity
    ) {
        let choice = outcome?["optionId"]?.stringValue ?? outcome?["action"]?.stringValue ?? "cancelled"
        recordAnswer(to: id, choice: choice, session, by: identity)
    }

    func recordAnswer(to id: RequestID, choice: String, _ session: AuditEvent.SessionName, by identity: Identity) {
        audit.record(
            .answered(session, requestId: String(decoding: id.rawText, as: UTF8.self), choice: choice), by: identity)
    }

    // MARK: Helpers

    private func starting(_ key: String, for identity: Identity) throws(Rejection) -> AgentRun {
        let run = agents.runs.first {
            $0.purpose?.keys.contains(key) == true && identity.maySee(tenant: $0.tenant) && !$0.isEnding
        }
        guard let run else {
            throw Rejection(.mutationFailed, "the start has ended: the agent has the session, or failed")
        }
        return run
    }

    func running(_ pid: Int64, for identity: Identity) throws(Rejection) -> AgentRun {
        let run = agents.runs.first { Int64($0.pid) == pid && identity.maySee(tenant: $0.tenant) }
        guard let run else {
            throw .invalidParams("pid: no agent has the process id \(pid); agents:list lists the agents")
        }
        return run
    }

    func running(
        _ arguments: Parameters, for identity: Identity
    ) throws(Rejection) -> (run: AgentRun, session: String) {
        let reference = try SessionReference(arguments)
        let id = reference.sessionId
        let found = agents.runs(of: id, agent: reference.agent, journal: reference.journal, for: identity)
        guard let run = found.first else { throw .noAgentRuns(id) }
        guard found.count == 1 else {
            let advice = "; name one with \"agent\", or the session with \"journal\""
            throw AgentPool.ambiguity(of: id, in: found, advice: advice)
        }
        return (run, id)
    }

    /// Reads the prompt from `text`, or from ACP's content blocks in `prompt`.
    private static func promptBlocks(_ arguments: Parameters) throws(Rejection) -> JSONValue {
        if let given = arguments.value("prompt"), given.kind == .array { return given }
        guard let text = try arguments.optionalString("text"), !text.isEmpty else {
            throw .invalidParams("text or prompt: the prompt, as text or as ACP's content blocks")
        }
        guard let value = try? JSONValue(validating: SessionOpening.promptBlocks(text)) else {
            throw .invalidParams("text: it is not valid")
        }
        return value
    }

    private static func promptParams(_ blocks: [UInt8], _ session: String) throws(Rejection) -> JSONValue {
        let params = JSONWriter.object { writer in
            writer.member("sessionId", session)
            writer.member("prompt", raw: blocks)
        }
        guard let value = try? JSONValue(validating: params) else { throw .invalidParams("prompt: too deeply nested") }
        return value
    }

    static func response(_ reply: Reply) -> Result<FunctionResponse, Rejection> {
        if let result = reply.result { return .success(FunctionResponse(result: result)) }
        let error = reply.error.flatMap { try? JSONValue(validating: $0) }.flatMap(ErrorObject.init)
        return .failure(
            Rejection(error?.code ?? .internalError, error?.message ?? "the agent's answer has no result"))
    }
}

extension PermissionFault {
    package var rejection: Rejection {
        switch self {
        case .notPending: Rejection(.invalidParams, "the request was already answered, or never existed")
        case .optionNotOffered(let option): Rejection(.invalidParams, "the option \(quoted(option)) was not offered")
        case .invalidElicitation(let message): Rejection(.invalidParams, message)
        case .malformed:
            Rejection(
                .invalidParams,
                #"an answer is {"outcome":{"outcome":"selected","optionId":…}} or {"outcome":{"outcome":"cancelled"}}"#)
        }
    }
}
