import ACPMethods
import Access
import Agents
import EventLoop
import JSONRPC
import JSONScan
import SessionReplay
import SessionStreams
import Tinyvex

/// The sessions whose updates a client receives without a subscription, as ACP specifies: the sessions that it has
/// created or opened, and their child sessions.
@LoopActor final class FollowedSessions {
    /// A request that opens a session once it is answered.
    struct Opening {
        let run: AgentRun
        /// The session's id; nil if the answer will contain it.
        let session: String?
        /// Whether the client receives the whole history.
        let replays: Bool
    }

    /// False if the client follows no sessions, because it subscribes to them.
    let isEnabled: Bool
    /// Requests that will open a session for this client to follow, once they are answered.
    private(set) var openings: [RequestID: Opening] = [:]
    private let registry: SessionRegistry
    private let audit: AuditLog
    private unowned let connection: any RemoteClientConnection
    private let lines: RemoteClientLines

    init(
        _ connection: any RemoteClientConnection, isEnabled: Bool, lines: RemoteClientLines,
        host: any RemoteClientHost
    ) {
        (self.connection, self.isEnabled, self.lines) = (connection, isEnabled, lines)
        (registry, audit) = (host.registry, host.audit)
    }

    // MARK: Opening

    /// Notes a request to the agent that will open a session.
    func noteOpening(_ request: RemoteClient.Request, of run: AgentRun) {
        guard isEnabled else { return }
        switch ACPMethod(named: request.method) {
        case .sessionNew, .sessionFork:
            openings[request.id] = Opening(run: run, session: nil, replays: true)
        case .sessionLoad, .sessionResume:
            openings[request.id] = Opening(run: run, session: request.session, replays: request.namesReplay)
        default: break
        }
    }

    /// Notes an opening that the previous program handed over.
    func restore(_ opening: Opening, of request: RequestID) { openings[request] = opening }

    /// Call when the client leaves an agent, or the agent has ended: no answer opens a session then.
    func forgetOpenings(of run: AgentRun) { openings = openings.filter { $0.value.run !== run } }

    /// Sends the agent's answer to the client. If the answer creates a session, the session's updates follow it. If it
    /// resumes a session, it is sent after the session's earlier updates.
    func deliver(_ line: [UInt8], _ id: RequestID, _ answer: JSONValue?, after session: Session?) {
        guard let opening = openings.removeValue(forKey: id), let result = answer?["result"] else {
            return lines.send(line, after: session)
        }
        let run = opening.run
        if opening.replays, let id = opening.session, let opened = run.sessions?.sessions[id] {
            return registry.whenClaimed { [weak self] in
                let children = run.sessions?.descendants(of: id) ?? []
                self?.sendHistories(of: ([opened] + children)[...], of: run) {
                    self?.sendState(of: opened, of: run)
                    self?.lines.send(line, after: session)
                }
            }
        }
        if let id = opening.session { follow(id, of: run, replays: false) }
        lines.send(line, after: session)
        if opening.session == nil, let id = result["sessionId"]?.stringValue {
            follow(id, of: run, replays: true)
        }
    }

    /// Sends the session's updates on this connection: all of them, or only those since the agent resumed the session. The
    /// numbers are known when the log has the session.
    private func follow(_ id: String, of run: AgentRun, replays: Bool) {
        guard let session = run.sessions?.sessions[id] else { return }
        registry.whenClaimed(session) { [weak self] in
            self?.follow(session, from: replays ? 1 : session.headAtClaim + 1)
        }
    }

    /// Sends the session's updates from the number `next` on this connection, unless they are sent already.
    func follow(_ session: Session, from next: Int64) {
        guard isEnabled, connection.updateReader(of: session) == nil else { return }
        audit.record(
            .attached(.init(agent: session.agent, sessionId: session.id)), by: connection.identity,
            connection: connection.id)
        connection.addReader(of: session, from: next) { lines.stop($0, of: session) }
    }

    // MARK: Histories

    /// Sends the end of a session's history, which only version 2 reports.
    private func endHistory(of session: Session, of run: AgentRun) {
        guard run.protocolVersion == 2 else { return }
        lines.send(Self.update(session.id, Array(#"{"sessionUpdate":"replay_complete"}"#.utf8)), after: session)
    }

    /// Sends the session's current mode and options again, because the history has earlier ones. An agent does not report those
    /// that a client has set.
    func sendSetup(of session: Session, of run: AgentRun) {
        for update in run.sessions?.setupUpdates(of: session.id) ?? [] {
            lines.send(Self.update(session.id, update), after: session)
        }
    }

    /// Sends the session's current state, which precedes the answer to `session/resume` in version 2.
    func sendState(of session: Session, of run: AgentRun) {
        guard isEnabled, run.protocolVersion == 2 else { return }
        let state = run.sessions?.state(of: session.id) ?? Self.stateUpdate(run, session.id)
        lines.send(Self.update(session.id, state), after: session)
    }

    /// The state of a session that has reported none itself: that in its parent's report of it, or else `idle`, which
    /// holds until the agent writes another state.
    private static func stateUpdate(_ run: AgentRun, _ session: String) -> [UInt8] {
        let reported = run.sessions?.router.reportedState(ofChild: session).flatMap { try? JSONValue(validating: $0) }
        return JSONWriter.object { writer in
            writer.member("sessionUpdate", "state_update")
            if reported?["state"] == nil { writer.member("state", "idle") }
            for (name, value) in reported?.members ?? [] { writer.member(name, raw: value.rawText) }
        }
    }

    private static func update(_ session: String, _ update: [UInt8]) -> [UInt8] {
        MessageText.notification(method: ACPMethod.sessionUpdate.name) { writer in
            writer.member("sessionId", session)
            writer.member("update", raw: update)
        }
    }

    /// Sends the current rights and state of the session's live children. In a history both are past.
    func sendChildren(of session: Session, of run: AgentRun) {
        guard isEnabled, let sessions = run.sessions else { return }
        for child in sessions.descendants(of: session.id) {
            let parent = child.parentId.flatMap { sessions.sessions[$0] } ?? session
            let update = JSONWriter.object { writer in
                writer.member("sessionUpdate", "subagent_update")
                writer.member("sessionId", child.id)
                writer.memberObject("capabilities") { writer in
                    if sessions.router.canBeCancelled(child: child.id) { writer.memberObject("cancel") { _ in } }
                }
                // In version 2 the child reports its state itself.
                if run.protocolVersion != 2, let state = sessions.router.reportedState(ofChild: child.id) {
                    writer.member("state", raw: state)
                }
            }
            lines.send(Self.update(parent.id, update), after: parent)
            sendState(of: child, of: run)
        }
    }

    /// Sends all that is stored of each session, one after the other.
    func sendHistories(
        of sessions: ArraySlice<Session>, of run: AgentRun, then action: @escaping @LoopActor () -> Void
    ) {
        guard let session = sessions.first else { return action() }
        sendHistory(of: session, of: run) { [weak self] in
            self?.endHistory(of: session, of: run)
            self?.sendHistories(of: sessions.dropFirst(), of: run, then: action)
        }
    }

    /// Sends all that is stored of the session, and then its further updates.
    private func sendHistory(of session: Session, of run: AgentRun, then action: @escaping @LoopActor () -> Void) {
        connection.sendHistory(of: session, addsPrompts: run.protocolVersion != 2) { [weak self] next in
            guard let self else { return }
            self.follow(session, from: next)
            action()
        }
    }

    // MARK: Prompts

    /// Sends a prompt of another client in its place among the updates.
    func othersPrompted(_ params: [UInt8], in session: Session) {
        guard isEnabled, connection.updateReader(of: session) != nil else { return }
        for chunk in ConversationHistory.chunks(ofPrompt: params, in: session.id) { lines.send(chunk, after: session) }
    }

    // MARK: Child sessions

    /// Sends a child's updates on this connection, if the client follows sessions without subscriptions.
    func childOpened(_ child: Session, of parent: Session, isNew: Bool) {
        guard isEnabled, !isAboutToLoad(child) else { return }
        let registry = registry
        // The updates of an earlier child until now are its history.
        let next = isNew || child.sid == nil ? nil : child.head + 1
        // The announcement is the newest update of the parent.
        parent.whenPublished(through: parent.receivedBytes) { [weak self] in
            registry.whenClaimed(child) { self?.follow(child, from: next ?? child.headAtClaim + 1) }
        }
    }

    /// True if the client has asked the agent for the history of an ancestor, which includes that of the child.
    private func isAboutToLoad(_ child: Session) -> Bool {
        openings.values.contains { opening in
            guard opening.replays, let session = opening.session else { return false }
            return opening.run.sessions?.router.isChild(child.id, below: session) == true
        }
    }
}
