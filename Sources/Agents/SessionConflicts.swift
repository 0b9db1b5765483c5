import EventLoop
import FieldLimits
import Tinyvex

/// The sessions that an editor's agent must not open, because another agent of the same name opens or keeps them. A kept agent
/// of another version of ACP gives an idle session up.
///
/// Two agents with one session would write two histories under one id, and neither could be named by the id. A session is
/// also refused if the other agent runs it in another version of ACP, or as a child of another session. Other requests pass
/// unchanged, as all of an editor's bytes: two editors can load one session, as without the bridge.
struct SessionConflicts {
    /// False if no session can be refused. The editor's lines are then not checked.
    let arePossible: @LoopActor () -> Bool
    /// Judges a `session/load` or `session/resume` of this session.
    let verdict: @LoopActor (_ session: String) -> Verdict
    /// Has the other agent give the session up. `finish` is called once, with the error if the agent still must not open the
    /// session.
    let release: @LoopActor (_ session: String, _ finish: @escaping @LoopActor (Rejection?) -> Void) -> Void

    enum Verdict {
        case free
        case refused(Rejection)
        /// Another agent can give the session up. Otherwise the request gets this error.
        case releasable(Rejection)

        var refusal: Rejection? {
            switch self {
            case .free: nil
            case .refused(let refusal), .releasable(let refusal): refusal
            }
        }
    }

    static let none = SessionConflicts {
        false
    } verdict: { _ in
        .free
    } release: { _, finish in
        finish(nil)
    }
}

extension AgentPool {
    /// Returns the conflicts of this agent's editor with the other agents.
    func conflicts(of run: AgentRun) -> SessionConflicts {
        SessionConflicts { [weak self, weak run] in
            guard let self, let run else { return false }
            if self.releases.isAny(of: run.name, tenant: run.tenant) { return true }
            let version = run.editorVersion
            return self.neighbours(of: run.name, tenant: run.tenant, except: run).contains { other in
                other.opensSessions || version == nil || !other.speaks(version: version)
            }
        } verdict: { [weak self, weak run] session in
            guard let self, let run else { return .free }
            return self.verdict(session, by: run)
        } release: { [weak self, weak run] session, finish in
            guard let self, let run else { return }
            self.release(session, by: run, then: finish)
        }
    }

    private func verdict(_ session: String, by run: AgentRun) -> SessionConflicts.Verdict {
        if let other = other(running: session, than: run) {
            if let refusal = other.versionRefusal(for: run.editorVersion, of: session) {
                return canRelease(session, of: other, to: run) ? .releasable(refusal) : .refused(refusal)
            }
            if let refusal = other.childRefusal(for: session) { return .refused(refusal) }
        }
        return refusal(toOpen: session, agent: run.name, tenant: run.tenant, by: run).map { .refused($0) } ?? .free
    }

    private func other(running session: String, than run: AgentRun) -> AgentRun? {
        neighbours(of: run.name, tenant: run.tenant, except: run).first {
            $0.sessions?.sessions[session]?.isLive == true
        }
    }

    private func release(
        _ session: String, by run: AgentRun, then finish: @escaping @LoopActor (Rejection?) -> Void
    ) {
        let verdict = verdict(session, by: run)
        guard case .releasable(let refusal) = verdict, let other = other(running: session, than: run) else {
            return finish(verdict.refusal)
        }
        let begins = release(session, of: other, to: run, for: .editor) { [weak self, weak run] isFree in
            guard let self, let run, isFree else { return finish(refusal) }
            finish(self.verdict(session, by: run).refusal)
        }
        if !begins { finish(refusal) }
    }

    /// Returns an agent of this name and tenant that has the session now, or is opening it. It can be ending, if there is no
    /// other.
    package func opener(of session: String, agent: String, tenant: String?) -> AgentRun? {
        let openers = runs.filter { run in
            run.name == agent && run.tenant == tenant
                && (run.sessions?.sessions[session]?.isLive == true || run.isOpening(session))
        }
        return openers.first { !$0.isLeaving && !$0.isOpening(session) } ?? openers.first { !$0.isLeaving }
            ?? openers.first
    }

    /// Returns the error for a `session/load` or `session/resume` that an agent of this name must not get, because another
    /// one is opening the session. Nil if the agent can open the session.
    ///
    /// - Parameter own: The agent that would open the session. Nil if it is not started yet.
    package func refusal(toOpen session: String, agent: String, tenant: String?, by own: AgentRun?) -> Rejection? {
        if releases.contains(session, of: agent, tenant: tenant) { return Self.isBeingOpened(session) }
        return Self.refusal(of: session, heldBy: neighbours(of: agent, tenant: tenant, except: own))
    }

    private static func isBeingOpened(_ session: String) -> Rejection {
        Rejection(
            .invalidRequest,
            "another agent is opening this session; `acpbridge attach \(session.prefix(scalars: 100)) --take` continues it after "
                + "that")
    }

    private static func refusal(of session: String, heldBy others: [AgentRun]) -> Rejection? {
        let other = others.first { !$0.isLeaving && ($0.isOpening(session) || $0.keeps(session)) }
        guard let other else { return nil }
        if other.isOpening(session) { return isBeingOpened(session) }
        let id = session.prefix(scalars: 100)
        return Rejection(
            .invalidRequest,
            "another agent runs this session; `acpbridge attach \(id) --take` continues it, and "
                + "`acpbridge stop \(id)` ends that agent")
    }

    /// The other running agents of the same name and tenant. A session is identified by its agent's name and its id.
    private func neighbours(of name: String, tenant: String?, except own: AgentRun?) -> [AgentRun] {
        guard runs.count > 1 || own == nil else { return [] }
        return runs.filter { $0 !== own && $0.name == name && $0.tenant == tenant && !$0.isEnding }
    }
}

extension AgentRun {
    /// True if a session of the agent can be refused to another agent.
    fileprivate var opensSessions: Bool {
        staysUntilStopped || purpose?.session != nil || sessions?.router.isContinuingAny == true
            || sessions?.router.hasChildren == true
    }

    /// True if the agent was asked, or will be asked, to open the session, and has not answered.
    package func isOpening(_ session: String) -> Bool {
        purpose?.session == session || sessions?.router.isContinuing(session) == true
    }

    /// True if the agent has the session open, and keeps it without an editor.
    fileprivate func keeps(_ session: String) -> Bool {
        staysUntilStopped && sessions?.sessions[session]?.isLive == true
    }

    /// The version that the editor and the agent speak. Before the agent's answer it is the version for which the editor
    /// has asked.
    fileprivate var editorVersion: Int64? {
        protocolVersion ?? sessions?.router.requestedVersion
    }
}
