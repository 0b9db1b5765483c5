import ACPRouting
import Access
import Agents
import EventLoop
import JSONScan
import Tinyvex

/// A session that an agent has open.
@LoopActor struct OpenSession {
    let id: String
    let run: AgentRun

    /// The value of both actions: `{"sessionId":"s1","agent":"codex","journal":"9f03c2aa-16-1","started":true}`. The journal
    /// is empty until the log has stored the session's beginning, as in lists.
    ///
    /// - Parameter isOwn: The client's own request has started the agent.
    func value(isOwn: Bool) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", id)
            writer.member("agent", run.name)
            writer.member("journal", run.sessions?.sessions[id]?.journal ?? "")
            writer.member("started", isOwn)
        }
    }

    /// Sends a prompt. If a turn runs, the prompt waits for its end. The answer is on the timeline.
    func prompt(_ text: String, by identity: Identity, _ audit: AuditLog) throws(Rejection) {
        guard let params = try? JSONValue(validating: SessionOpening.promptParams(text, session: id)) else { return }
        do throws(ClientRefusal) {
            try run.prompt(session: id, params: params, by: identity.who, queues: true) { _ in }
        } catch {
            throw error.rejection
        }
        audit.record(.prompted(.init(agent: run.name, sessionId: id)), by: identity)
    }
}
