import ACPRouting
import Access
import Agents
import EventLoop
import JSONRPC
import JSONScan
import Tinyvex

/// An `elicitation/create` about a session without an answer: an element of `elicitations:pending`.
struct PendingElicitation {
    let sessionId: String
    let agent: String
    /// The resume token of the session's incarnation.
    let journal: String
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
        writer.member("sessionId", sessionId)
        writer.member("agent", agent)
        writer.member("journal", journal)
        writer.member("requestId", raw: requestId)
        writer.member("createdTs", createdTs)
        let params = try? JSONValue(validating: params)
        for name in Self.members {
            if let value = params?[name] { writer.member(name, raw: value.rawText) }
        }
    }
}

extension AgentRun {
    /// The elicitations about sessions that wait for an answer.
    var pendingElicitations: [PendingElicitation] {
        let asked = sessions?.router.pendingElicitations ?? []
        return asked.compactMap { request in
            guard let id = request.session, let session = sessions?.sessions[id] else { return nil }
            return PendingElicitation(
                sessionId: id, agent: name, journal: session.journal, requestId: request.id.rawText,
                createdTs: request.since, params: request.params,
                place: ListPosition(request.since, Int64(pid), Int64(request.number ?? 0)))
        }
    }
}

extension AgentFunctions {
    /// `elicitations:pending`: the elicitations of all agents, or of one session.
    func elicitationsValue(_ params: Parameters, tenant: String?) throws(Rejection) -> [UInt8] {
        let position = try Self.position(params, count: 3)
        let session = try params.optionalString("sessionId", limitBytes: SessionReference.sessionIdLimitBytes)
        let agent = try params.optionalString("agent", limitBytes: SessionReference.agentLimitBytes)
        let pending = agents.runs(of: tenant).flatMap(\.pendingElicitations).filter { elicitation in
            (session == nil || session == elicitation.sessionId) && (agent == nil || agent == elicitation.agent)
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
        let (run, session) = try running(arguments, for: identity)
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
        recordAnswer(to: id, choice: action, .init(agent: run.name, sessionId: session), by: identity)
        return JSONWriter.object { $0.member("answered", true) }
    }
}
