import EventLoop
import Tinyvex

/// The sessions that an editor's agent must not open, because another agent of the same name runs them.
///
/// A session is refused if the other agent runs it in another version of ACP, or as a child of another session: neither
/// can be continued. Other requests pass unchanged, as all of an editor's bytes.
struct SessionConflicts {
    /// False if no session can be refused. The editor's lines are then not checked.
    let arePossible: @LoopActor () -> Bool
    /// Returns the error for a `session/load` or `session/resume` of this session.
    let refusal: @LoopActor (_ session: String) -> Rejection?

    static let none = SessionConflicts {
        false
    } refusal: { _ in
        nil
    }
}

extension AgentPool {
    /// Returns the conflicts of this agent's editor with the other agents.
    func conflicts(of run: AgentRun) -> SessionConflicts {
        SessionConflicts { [weak self, weak run] in
            guard let self, let run else { return false }
            let version = run.editorVersion
            return self.neighbours(of: run).contains { other in
                other.hasChildSessions || version == nil || other.versionRefusal(for: version) != nil
            }
        } refusal: { [weak self, weak run] session in
            guard let self, let run else { return nil }
            let other = self.neighbours(of: run).first { $0.sessions?.sessions[session]?.isLive == true }
            return other.flatMap { $0.versionRefusal(for: run.editorVersion) ?? $0.childRefusal(for: session) }
        }
    }

    /// The other running agents of the same name and tenant. A session is identified by its agent's name and its id.
    private func neighbours(of run: AgentRun) -> [AgentRun] {
        guard runs.count > 1 else { return [] }
        return runs.filter { $0 !== run && $0.name == run.name && $0.tenant == run.tenant && !$0.isEnding }
    }
}

extension AgentRun {
    /// The version that the editor and the agent speak. Before the agent's answer it is the version for which the editor
    /// has asked.
    fileprivate var editorVersion: Int64? {
        protocolVersion ?? sessions?.router.requestedVersion
    }

    fileprivate var hasChildSessions: Bool { sessions?.router.hasChildren == true }
}
