import ACPMethods
import ACPRouting
import Access
import Agents
import EventLoop
import JSONScan
import Tinyvex

extension AgentFunctions {
    /// `sessions:close`: has the agent close one session, if it can. The session ends as if its editor had closed it. An agent
    /// without an editor that has no other session ends.
    ///
    /// - Parameter placed: called when the agent was asked. Before it closes the session, it can ask a permission itself.
    func close(
        _ arguments: Parameters, by identity: Identity, placed: @LoopActor () -> Void,
        then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        let (run, session) = try running(arguments, for: identity)
        if let refusal = run.childRefusal(for: session) { throw refusal }
        guard ACPMethod.canCloseSessions(initializeResult: run.sessions?.initializeResult) else {
            throw Rejection(
                .mutationFailed,
                "the agent \(quoted(run.name)) cannot close one session; agents:stop ends it with all its sessions")
        }
        let params = try? JSONValue(validating: JSONWriter.object { $0.member("sessionId", session) })
        run.ask(ACPMethod.sessionClose.name, params, by: identity.who) { [weak run] reply in
            finish(
                Self.response(reply).map { _ in
                    audit.record(.called(function: ActionName.sessionsClose.rawValue, name(session, run)), by: identity)
                    return FunctionResponse(result: JSONWriter.object { $0.member("closed", true) }) {
                        run?.endIfUnused()
                    }
                })
        }
        placed()
    }

    private func name(_ session: String, _ run: AgentRun?) -> AuditEvent.SessionName {
        .init(agent: run?.name ?? "", sessionId: session)
    }
}
