import ACPMethods
import AgentProcess
import Agents
import EventLoop
import JSONRPC
import JSONScan
import SessionStreams
import Tinyvex

/// A `session/load` or `session/resume` of a session that an agent is running, or a `session/new` that joins it. The bridge
/// answers it, after the history if the client receives that.
@LoopActor final class SessionLoad {
    let request: RemoteClient.Request
    let session: Session
    let run: AgentRun
    /// True if the agent becomes the client's own with the answer.
    let takesOver: Bool
    /// How the agent ended during the load. Nil while it runs.
    var runEnded: TerminationStatus?
    /// True for a `session/new` that joins the session.
    var isJoin: Bool { ACPMethod(named: request.method) == .sessionNew }
    /// True for a `session/new` whose answer was sent, before the history.
    var isAnswered = false
    /// Ends the pause between the answer to a `session/new` and the history. Nil outside of it.
    var pause: Timer?

    init(_ request: RemoteClient.Request, _ session: Session, of run: AgentRun, takesOver: Bool) {
        (self.request, self.session, self.run, self.takesOver) = (request, session, run, takesOver)
    }
}

/// Loads of sessions that an agent is running.
extension RemoteClient {
    /// Handles `session/load` or `session/resume` of a session that an agent is running. The agent is not disturbed,
    /// because the history comes from the log. Returns false if no agent runs the session, or if the client's own agent
    /// must resume it.
    ///
    /// An agent without an editor becomes this client's own with the answer. Otherwise, or if another client is faster,
    /// the client joins the agent's other clients. If the agent ends before the answer, the request fails. A client that
    /// loads a session of its own agent again receives the history again.
    func resumeSession(_ request: Request) throws(Rejection) -> Bool {
        guard let id = request.session, let run = try run(of: id, request.journal),
            let session = run.sessions?.sessions[id]
        else { return false }
        if let refusal = versionRefusal(of: run, id) {
            guard awaitRelease(request, of: id, by: run, otherwise: refusal) else { throw refusal }
            return true
        }
        if let refusal = run.childRefusal(for: id) { throw refusal }
        let sendsHistory = followed.isEnabled ? try asksForHistory(request) : false
        if places.own?.run === run, !sendsHistory { return false }
        let load = begin(request, session, of: run)
        host.registry.whenClaimed { [weak self] in
            guard let self else { return }
            guard sendsHistory else {
                self.followFromNow(session)
                return self.finish(load) { self.answer(load) }
            }
            let children = run.sessions?.descendants(of: id) ?? []
            self.followed.sendHistories(of: ([session] + children)[...], of: run) {
                self.finish(load) { self.answer(load) }
            }
        }
        return true
    }

    /// Has an agent of another version of ACP give up the session, and handles the request again after that. Returns false if
    /// the agent cannot, or if the client has no agent that can continue the session.
    private func awaitRelease(
        _ request: Request, of session: String, by run: AgentRun, otherwise refusal: Rejection
    ) -> Bool {
        guard canControl, ownName == run.name,
            run.canRelease(session), let own = try? ownAgent(for: request).run
        else { return false }
        if case .starting = state {
            // It waits until the client's own agent is initialized, and is judged again.
            handle(request)
            return true
        }
        let begins = host.agents.release(session, of: run, to: own, for: connection.identity) { [weak self] isFree in
            guard let self else { return }
            openReleases -= 1
            if case .closed = state { return }
            if isFree { handle(request) } else { refuse(request.id, refusal) }
        }
        if begins { openReleases += 1 }
        return begins
    }

    /// True for `session/load`, and for version 2's `session/resume` with the place `{"type":"start"}`.
    private func asksForHistory(_ request: Request) throws(Rejection) -> Bool {
        guard request.namesReplay else { return false }
        guard request.method == ACPMethod.sessionLoad.name || request.replayFrom?["type"]?.stringValue == "start" else {
            throw .invalidParams("replayFrom: the bridge can repeat a session only from its start")
        }
        return true
    }

    private func answer(_ load: SessionLoad) {
        let (session, run) = (load.session, load.run)
        followed.sendState(of: session, of: run)
        let setup = run.sessions?.setup(of: session.id) ?? Array("{}".utf8)
        lines.send(MessageText.response(id: load.request.id, rawResult: setup), after: session)
        followed.sendChildren(of: session, of: run)
        join(load)
    }

    /// Begins a load. With it, the client takes an agent over that has no other owner.
    private func begin(_ request: Request, _ session: Session, of run: AgentRun) -> SessionLoad {
        let load = SessionLoad(request, session, of: run, takesOver: host.mayBeTaken(run) && canControl)
        begin(load)
        return load
    }

    /// The client gets the session's further updates, but not its history.
    private func followFromNow(_ session: Session) {
        host.registry.whenClaimed(session) { [weak self] in self?.followed.follow(session, from: session.head + 1) }
    }

    /// Joins the agent, or makes it the client's own. Call after the answer and the history: the agent's open requests must be
    /// sent after them.
    private func join(_ load: SessionLoad) {
        let (session, run) = (load.session, load.run)
        guard places.own?.run !== run else { return }
        if load.takesOver, host.mayBeTaken(run) {
            host.replaceAbsentOwner(of: run) { join(run, session.id, isPrimary: true) }
        } else {
            join(run, session.id)
        }
    }
}

/// `session/new` on `/acp?session=ID`, with which most editors begin, and the other requests about that session.
extension RemoteClient {
    /// The pause between the answer to `session/new` and the history. An editor registers a session after it has the answer,
    /// and some drop updates until then: other agents wait 50 ms for Zed.
    private static let registrationPause = Duration.milliseconds(100)

    /// Returns the running session of the URL, and its agent. Nil if the URL names no session.
    func addressedSession() throws(Rejection) -> (run: AgentRun, session: Session)? {
        guard let id = address.session else { return nil }
        guard let run = try run(of: id, nil), let session = run.sessions?.sessions[id] else { throw .noAgentRuns(id) }
        return (run, session)
    }

    /// Joins the running session of the URL. The agent is not asked: the request's `cwd` and `mcpServers` are ignored.
    ///
    /// The client does not know the session's id before, so the answer comes first. After a pause the history follows, as with
    /// `session/load`, and then what is true now and the agent's open requests.
    func joinSession(_ request: Request) throws(Rejection) {
        guard let (run, session) = try addressedSession() else { return }
        try checkVersion(of: run, session.id)
        if let refusal = run.childRefusal(for: session.id) { throw refusal }
        guard !isLoading(session), connection.updateReader(of: session) == nil else {
            throw Rejection(
                .invalidRequest,
                "this connection is for the session \(quoted(session.id)), which is open here already; for a new session, "
                    + "connect to an agent instead of the session")
        }
        let load = begin(request, session, of: run)
        host.registry.whenClaimed { [weak self] in self?.answerJoin(load) }
    }

    private func answerJoin(_ load: SessionLoad) {
        guard isUnfinished(load) else { return }
        guard load.runEnded == nil, let sessions = load.run.sessions else { return finish(load) {} }
        load.isAnswered = true
        let answer = sessions.openingAnswer(of: load.session.id)
        connection.send(MessageText.response(id: load.request.id, rawResult: answer))
        load.pause = host.timers.schedule(after: Self.registrationPause) { [weak self] in self?.sendHistory(after: load)
        }
        // One that has waited for the answer can end the pause.
        handleWaiting()
    }

    private func sendHistory(after load: SessionLoad) {
        load.pause = nil
        guard isUnfinished(load) else { return }
        let (session, run) = (load.session, load.run)
        let children = run.sessions?.descendants(of: session.id) ?? []
        followed.sendHistories(of: ([session] + children)[...], of: run) { [weak self] in
            self?.finish(load) {
                self?.followed.sendSetup(of: session, of: run)
                self?.completeJoin(load)
            }
        }
    }

    /// Whether the client already begins a turn, or loads the session.
    func endsPause(_ request: Request) -> Bool {
        switch ACPMethod(named: request.method) {
        case .sessionPrompt, .sessionLoad, .sessionResume: true
        default: false
        }
    }

    /// Ends the pause without the history if the client does not wait for it. It would take the history for a part of its turn.
    func omitHistory(before request: Request) {
        guard let load = pausedJoin(of: request.session), endsPause(request) else { return }
        load.pause?.cancel()
        load.pause = nil
        followFromNow(load.session)
        finish(load) { completeJoin(load) }
    }

    private func completeJoin(_ load: SessionLoad) {
        followed.sendState(of: load.session, of: load.run)
        followed.sendChildren(of: load.session, of: load.run)
        join(load)
    }

    /// Handles the `session/close` of a client that is beside another one: it leaves the session, and can join it again by
    /// `session/new`. An editor sends both on one connection if a tab is closed and opened again. Returns false for other
    /// sessions, and if the client still waits for an answer.
    func leaveSession(_ request: Request) -> Bool {
        guard followed.isEnabled, places.own == nil, request.session == address.session, !isAnswering,
            let (run, session) = try? addressedSession(), let place = places[run],
            run.sessions?.router.owesAnswer(to: place.number) == false
        else { return false }
        leave(place, session)
        connection.send(MessageText.response(id: request.id, rawResult: Array("{}".utf8)))
        return true
    }
}

extension RemoteClient.Request {
    /// The place from which version 2's `session/resume` repeats the session. Nil if the request has none.
    fileprivate var replayFrom: JSONValue? { params?["replayFrom"] }

    /// True for `session/load`, and for version 2's `session/resume` from any place.
    var namesReplay: Bool { method == ACPMethod.sessionLoad.name || replayFrom?.isNull == false }
}
