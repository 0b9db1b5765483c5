import EventLoop
import JSONRPC
import JSONScan
import SessionLog
import Tinyvex

/// Sessions that a client opens, goes on with or joins.
extension GuestLink {
    /// A request whose answer opens a session.
    struct Opening {
        let place: Place
        /// Nil where the answer names it.
        let session: String?
        /// The client is to be told all that was.
        let replays: Bool
    }

    func noteOpening(_ request: Request, _ place: Place) {
        guard followsSessions else { return }
        switch request.method {
        case "session/new", "session/fork":
            openings[request.id] = Opening(place: place, session: nil, replays: true)
        case "session/load", "session/resume":
            let replays = request.method == "session/load"
            openings[request.id] = Opening(place: place, session: request.session, replays: replays)
        default: break
        }
    }

    /// Gives the agent's answer to the client. One that opens a session has its updates follow; one that goes on with a
    /// session comes behind those that were.
    func deliverAnswer(_ line: [UInt8], _ id: RequestID, _ answer: JSONValue?, behind session: Session?) {
        guard let opening = openings.removeValue(forKey: id), let result = answer?["result"] else {
            return send(line, session)
        }
        if let id = opening.session { follow(id, of: opening.place.run, replays: opening.replays) }
        send(line, session)
        if opening.session == nil, let id = result["sessionId"]?.stringValue {
            follow(id, of: opening.place.run, replays: true)
        }
    }

    /// Sends the session's updates on this connection, all of them or those since the agent went on with it.
    private func follow(_ id: String, of run: AgentRun, replays: Bool) {
        guard let session = run.sessions?.sessions[id] else { return }
        bridge.registry.whenClaimed { [weak self] in
            self?.follow(session, from: replays ? 1 : session.headAtClaim + 1)
        }
    }

    func follow(_ session: Session, from next: Int64) {
        guard followsSessions, connection.reader(of: session) == nil else { return }
        bridge.audit.record(
            .attached(.init(agent: session.agent, sessionId: session.id)), by: connection.identity,
            connection: connection.id)
        let reader = Subscription(
            subId: "acp:\(session.id)", stream: .updates, session: session, next: next, connection: connection,
            registry: bridge.registry)
        lines.stop(reader)
        connection.add(reader)
    }

    /// `session/load` or `session/resume` of a session that an agent runs, which is not disturbed by it: the history
    /// comes from the log. False where no agent does.
    ///
    /// An agent without an editor becomes this client's own; otherwise the client joins those who work with it.
    func goOn(_ request: Request) throws(Rejection) -> Bool {
        guard let id = request.session, let run = try bridge.run(of: id, for: connection.identity),
            let session = run.sessions?.sessions[id], own?.run !== run
        else { return false }
        let takesOver = bridge.mayBeTaken(run) && (try? connection.identity.require(.control)) != nil
        if takesOver { becomesRunning() }
        bridge.registry.whenClaimed { [weak self] in
            guard let self else { return }
            self.follow(session, from: request.method == "session/load" ? 1 : session.head + 1)
            let setup = run.sessions?.setup(of: id) ?? Array("{}".utf8)
            self.send(MessageText.response(id: request.id, rawResult: setup), session)
            // Only now: what the agent still asks comes behind the answer.
            let absent = takesOver ? self.bridge.absentOwner(of: run) : nil
            self.join(run, id, isPrimary: takesOver)
            absent?.giveWay()
        }
        return true
    }
}
