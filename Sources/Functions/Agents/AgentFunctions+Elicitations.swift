import ACPRouting
import Access
import Agents
import EventLoop
import JSONRPC
import JSONScan
import Tinyvex

extension AgentFunctions {
    /// `elicitations:pending`: the elicitations of all agents, or of one session. Those about requests, which have no
    /// session, are listed for clients that ask for them; with a session, those of the agent that runs it.
    ///
    /// - Parameter others: the elicitations of other bridges, of this tenant.
    func elicitationsValue(
        _ params: Parameters, tenant: String?, others: [PendingRow]
    ) throws(Rejection) -> [UInt8] {
        let filter = try PendingFilter(params)
        let listsRequests = try params.optionalBool("requests") ?? false
        let own = agents.runs(of: tenant).flatMap { run in
            run.pendingElicitations.filter { elicitation in
                guard let session = elicitation.session else { return listsRequests && filter.fits(requestOf: run) }
                return filter.fits(session.id, session.journal, agent: elicitation.agent)
            }
        }.map { elicitation in
            PendingRow(
                sessionId: elicitation.session?.id ?? "", agent: elicitation.agent,
                journal: elicitation.session?.journal, place: elicitation.place
            ) { JSONWriter.object { elicitation.write(to: &$0) } }
        }
        return try Self.page(
            params, own + others.filter { filter.fits($0.sessionId, $0.journal, agent: $0.agent) })
    }

    /// `elicitations:answer`: forwards the first valid answer to the agent, and rejects every later one with an error.
    func answerElicitation(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> [UInt8] {
        let (run, session) = try asking(arguments, identity)
        guard let id = arguments.valueOrNull("requestId").flatMap(RequestID.init) else {
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
