import ACPRouting
import Access
import Agents
import EventLoop
import JSONRPC
import JSONScan
import Tinyvex

/// An `elicitation/create` without an answer: an element of `elicitations:pending`.
struct PendingElicitation {
    /// The session's id, and the resume token of its incarnation. Nil for an elicitation about a request, such as a login.
    let session: (id: String, journal: String)?
    let agent: String
    /// The agent's process id.
    let pid: Int32
    /// The agent's own id for the request, as JSON text.
    let requestId: [UInt8]
    /// The time of the request, in milliseconds since 1970.
    let createdTs: Int64
    /// The request's params as the agent wrote them, or the most important members of long ones.
    let params: [UInt8]
    /// Ordered like the permission requests.
    let place: ListPosition

    /// The members of an elicitation that lists repeat. The session is already named.
    private static let members = [
        "mode", "message", "requestedSchema", "url", "elicitationId", "toolCallId", "omittedBytes",
    ]

    func write(to writer: inout JSONWriter) {
        writer.member("sessionId", ifPresent: session?.id)
        writer.member("agent", agent)
        writer.member("journal", ifPresent: session?.journal)
        if session == nil { writer.member("pid", Int64(pid)) }
        writer.member("requestId", raw: requestId)
        writer.member("createdTs", createdTs)
        let params = try? JSONValue(validating: params)
        for name in Self.members {
            if let value = params?[name] { writer.member(name, raw: value.rawText) }
        }
    }
}

extension AgentRun {
    /// The elicitations that wait for an answer.
    var pendingElicitations: [PendingElicitation] {
        let asked = sessions?.router.pendingElicitations ?? []
        return asked.compactMap { request in
            let session = request.session.flatMap { sessions?.sessions[$0] }
            guard request.session == nil || session != nil else { return nil }
            return PendingElicitation(
                session: session.map { ($0.id, $0.journal) }, agent: name, pid: pid, requestId: request.id.rawText,
                createdTs: request.since, params: request.params,
                place: ListPosition(request.since, Int64(pid), Int64(request.number ?? 0)))
        }
    }
}

extension AgentFunctions {
    /// `elicitations:pending`: the elicitations of all agents, or of one session. Those about requests, which have no
    /// session, are listed for clients that ask for them; with a session, those of the agent that runs it.
    func elicitationsValue(_ params: Parameters, tenant: String?) throws(Rejection) -> [UInt8] {
        let position = try Self.position(params, count: 3)
        let session = try params.optionalString("sessionId", limitBytes: SessionReference.sessionIdLimitBytes)
        let agent = try params.optionalString("agent", limitBytes: SessionReference.agentLimitBytes)
        let listsRequests = try params.optionalBool("requests") ?? false
        let pending = agents.runs(of: tenant).filter { agent == nil || agent == $0.name }.flatMap { run in
            run.pendingElicitations.filter { elicitation in
                guard let id = elicitation.session?.id else {
                    return listsRequests && (session.map { run.sessions?.sessions[$0] != nil } ?? true)
                }
                return session == nil || session == id
            }
        }.sorted { $0.place < $1.place }
        let (page, next) = Self.page(pending.filter { position.map($0.place.isAfter) ?? true }) { elicitation in
            JSONWriter.object { elicitation.write(to: &$0) }
        } place: {
            $0.place
        }
        return page.array(next: next)
    }

    /// `elicitations:answer`: forwards the first valid answer to the agent, and rejects every later one with an error.
    func answerElicitation(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> [UInt8] {
        let (run, session) = try asking(arguments, identity)
        guard let id = arguments.value("requestId").flatMap(RequestID.init) else {
            throw .invalidParams("requestId: the request's id as elicitations:pending has it")
        }
        guard let action = try arguments.optionalString("action") else {
            throw .invalidParams("action: accept, decline or cancel")
        }
        let result = JSONWriter.object { writer in
            writer.member("action", action)
            if let content = arguments.value("content") { writer.member("content", raw: content.rawText) }
        }
        do throws(PermissionFault) {
            try run.sessions?.withRouter { (router) throws(PermissionFault) in
                try router.answerElicitation(session, id, Reply(result: result), by: identity.who)
            }
        } catch {
            throw error.rejection
        }
        recordAnswer(to: id, choice: action, .init(agent: run.name, sessionId: session ?? ""), by: identity)
        return JSONWriter.object { $0.member("answered", true) }
    }

    /// The agent with the elicitation: that of the session, or the one with the process id `pid` for an elicitation about
    /// a request.
    private func asking(
        _ arguments: Parameters, _ identity: Identity
    ) throws(Rejection) -> (run: AgentRun, session: String?) {
        guard arguments.value("sessionId") == nil, let pid = arguments.value("pid")?.int64Value else {
            return try running(arguments, for: identity)
        }
        return (try running(pid, for: identity), nil)
    }
}
