import ACPMethods
import ACPRouting
import AgentProcess
import Agents
import EventLoop
import HTTP1
import JSONRPC
import JSONScan
import SessionRecords
import SessionStreams
import Tinyvex

/// Sessions that a client creates, resumes or joins.
extension RemoteClient {
    /// A request that opens a session once it is answered.
    struct Opening {
        let place: Place
        /// The session's id; nil if the answer will contain it.
        let session: String?
        /// Whether the client receives the whole history.
        let replays: Bool
    }

    /// A `session/load` or `session/resume` of a session that an agent is running. The bridge answers it, after the
    /// history if the client receives that.
    @LoopActor final class Load {
        let request: Request
        let session: Session
        let run: AgentRun
        /// True if the agent becomes the client's own with the answer.
        let takesOver: Bool
        /// How the agent ended during the load. Nil while it runs.
        var runEnded: TerminationStatus?

        init(_ request: Request, _ session: Session, of run: AgentRun, takesOver: Bool) {
            (self.request, self.session, self.run, self.takesOver) = (request, session, run, takesOver)
        }
    }

    func noteOpening(_ request: Request, _ place: Place) {
        guard followsSessions else { return }
        let method = ACPMethod(named: request.method)
        switch method {
        case .sessionNew, .sessionFork:
            openings[request.id] = Opening(place: place, session: nil, replays: true)
        case .sessionLoad, .sessionResume:
            openings[request.id] = Opening(
                place: place, session: request.session, replays: Self.namesReplay(request))
        default: break
        }
    }

    /// Sends the agent's answer to the client. If the answer creates a session, the session's updates follow it. If it
    /// resumes a session, it is sent after the session's earlier updates.
    func deliverAnswer(_ line: [UInt8], _ id: RequestID, _ answer: JSONValue?, after session: Session?) {
        guard let opening = openings.removeValue(forKey: id), let result = answer?["result"] else {
            return send(line, session)
        }
        let run = opening.place.run
        if opening.replays, let id = opening.session, let opened = run.sessions?.sessions[id] {
            return host.registry.whenClaimed { [weak self] in
                let children = run.sessions?.descendants(of: id) ?? []
                self?.sendHistories(of: ([opened] + children)[...], of: run) {
                    self?.sendState(of: opened, of: run)
                    self?.send(line, session)
                }
            }
        }
        if let id = opening.session { follow(id, of: run, replays: false) }
        send(line, session)
        if opening.session == nil, let id = result["sessionId"]?.stringValue {
            follow(id, of: run, replays: true)
        }
    }

    /// Sends the session's updates on this connection: all of them, or only those since the agent resumed the session. The
    /// numbers are known when the log has the session.
    private func follow(_ id: String, of run: AgentRun, replays: Bool) {
        guard let session = run.sessions?.sessions[id] else { return }
        host.registry.whenClaimed(session) { [weak self] in
            self?.follow(session, from: replays ? 1 : session.headAtClaim + 1)
        }
    }

    func follow(_ session: Session, from next: Int64) {
        guard followsSessions, connection.lineReader(of: session) == nil else { return }
        host.audit.record(
            .attached(.init(agent: session.agent, sessionId: session.id)), by: connection.identity,
            connection: connection.id)
        connection.addReader(of: session, from: next) { lines.stop($0, of: session) }
    }

    /// Handles `session/load` or `session/resume` of a session that an agent is running. The agent is not disturbed,
    /// because the history comes from the log. Returns false if no agent runs the session, or if the client's own agent
    /// must resume it.
    ///
    /// An agent without an editor becomes this client's own with the answer. Otherwise, or if another client is faster,
    /// the client joins the agent's other clients. If the agent ends before the answer, the request fails. A client that loads a session of its own agent again receives the history again.
    func resumeSession(_ request: Request) throws(Rejection) -> Bool {
        guard let id = request.session,
            let run = try host.agents.run(of: id, journal: request.journal, for: connection.identity),
            let session = run.sessions?.sessions[id]
        else { return false }
        try checkVersion(of: run)
        if let refusal = run.childRefusal(for: id) { throw refusal }
        let sendsHistory = followsSessions ? try asksForHistory(request) : false
        if own?.run === run, !sendsHistory { return false }
        let takesOver = host.mayBeTaken(run) && (try? connection.identity.require(.control)) != nil
        let load = Load(request, session, of: run, takesOver: takesOver)
        begin(load)
        host.registry.whenClaimed { [weak self] in
            guard let self else { return }
            guard sendsHistory else {
                self.host.registry.whenClaimed(session) { [weak self] in self?.follow(session, from: session.head + 1) }
                return self.finish(load) { self.answer(load) }
            }
            let children = run.sessions?.descendants(of: id) ?? []
            self.sendHistories(of: ([session] + children)[...], of: run) { self.finish(load) { self.answer(load) } }
        }
        return true
    }

    /// True for `session/load`, and for version 2's `session/resume` with the place `{"type":"start"}`.
    private func asksForHistory(_ request: Request) throws(Rejection) -> Bool {
        guard Self.namesReplay(request) else { return false }
        guard request.method == ACPMethod.sessionLoad.name || request.replayFrom?["type"]?.stringValue == "start" else {
            throw .invalidParams("replayFrom: the bridge can repeat a session only from its start")
        }
        return true
    }

    /// True for `session/load`, and for version 2's `session/resume` from any place.
    private static func namesReplay(_ request: Request) -> Bool {
        request.method == ACPMethod.sessionLoad.name || request.replayFrom?.isNull == false
    }

    /// Sends the end of a session's history, which only version 2 reports.
    private func endHistory(of session: Session, of run: AgentRun) {
        guard run.protocolVersion == 2 else { return }
        send(Self.update(session.id, Array(#"{"sessionUpdate":"replay_complete"}"#.utf8)), session)
    }

    /// Sends the session's current state, which precedes the answer to `session/resume` in version 2.
    private func sendState(of session: Session, of run: AgentRun) {
        guard followsSessions, run.protocolVersion == 2 else { return }
        let state = run.sessions?.state(of: session.id) ?? Self.stateUpdate(run, session.id)
        send(Self.update(session.id, state), session)
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
    private func sendChildren(of session: Session, of run: AgentRun) {
        guard followsSessions, let sessions = run.sessions else { return }
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
            send(Self.update(parent.id, update), parent)
            sendState(of: child, of: run)
        }
    }

    /// Sends all that is stored of each session, one after the other.
    private func sendHistories(
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

    private func answer(_ load: Load) {
        let (session, run) = (load.session, load.run)
        sendState(of: session, of: run)
        let setup = run.sessions?.setup(of: session.id) ?? Array("{}".utf8)
        send(MessageText.response(id: load.request.id, rawResult: setup), session)
        sendChildren(of: session, of: run)
        guard own?.run !== run else { return }
        // Join after the answer: the agent's open requests must be sent after it.
        if load.takesOver, host.mayBeTaken(run) {
            host.replaceAbsentOwner(of: run) { join(run, session.id, isPrimary: true) }
        } else {
            join(run, session.id)
        }
    }
}

extension RemoteClient.Request {
    /// The place from which version 2's `session/resume` repeats the session. Nil if the request has none.
    fileprivate var replayFrom: JSONValue? { params?["replayFrom"] }
}
