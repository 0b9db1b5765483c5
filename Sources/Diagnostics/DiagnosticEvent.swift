/// An event in the daemon's own log.
///
/// The log never contains a prompt, a token or the value of an environment variable. Each case therefore has typed
/// fields, and no event carries free text of an agent or a client. Names that agents and clients choose are
/// limited: see ``DiagnosticLine``.
package enum DiagnosticEvent: Sendable {
    // MARK: The bridge

    /// The bridge accepts connections. `agents` is the number of agents that the previous program handed over.
    case started(version: String, pid: Int32, agents: Int)
    case listening(address: String)
    case stopping
    case stopped
    /// Another program replaces this one and continues with its agents.
    case handingOver(agents: Int)
    /// The other program could not be started, and this one continues.
    case handOverFailed
    /// A sentence for the person who runs the bridge, which the program wrote itself.
    case warned(String)

    // MARK: Agents and sessions

    case agentStarted(agent: String, pid: Int32)
    case agentEnded(agent: String, pid: Int32, AgentEnd?)
    /// An agent has failed while no client had it, and is started again after the pause.
    case agentRestarting(agent: String, attempt: Int, seconds: Int64)
    /// An agent has failed too often and is not started again.
    case agentGivenUp(agent: String, attempts: Int)
    case sessionClaimed(agent: String, sessionId: String)
    case sessionEnded(agent: String, sessionId: String)
    /// An agent has opened a session that another agent of its name runs already. `pid` is that of the agent that came last.
    case sessionRunsTwice(agent: String, sessionId: String, pid: Int32)

    // MARK: The session log

    case logFailed(error: String)
    case logRecovered

    /// The audit log's newest line, which is known outside its file from now on.
    case auditHead(number: Int64, hash: String)

    // MARK: The hub

    case hubConnected(place: String)
    /// The hub cannot be used. Reported once, until it can be used again or the error changes.
    case hubFailed(error: String)
    /// The hub refuses the contents of a session, so nothing more of it is shipped.
    case hubRefused(sid: Int64, error: String)

    // MARK: Peers

    case peerConnected(peer: String)
    /// The peer cannot be used. Reported once, until it can be used again.
    case peerFailed(peer: String, error: String)

    // MARK: Clients

    case clientConnected(id: String, path: StaticString)
    case clientClosed(id: String, reason: StaticString)
    /// An HTTP request was answered. `id` is the value of `X-Request-ID`; `path` has no query.
    case answered(method: String, path: String, status: Int, id: String)
    /// A request or a connection was refused before it reached a function. `status` is the HTTP status.
    case refused(status: Int, peer: String)

    // MARK: Errors

    /// An error that the bridge has ignored.
    ///
    /// - Parameter doing: The activity that failed, as a part of a sentence: "watching a socket".
    case failed(doing: StaticString, error: String)

    /// How an agent's process ended.
    package enum AgentEnd: Sendable {
        case exited(code: Int32)
        case signaled(signal: Int32)
    }
}

extension DiagnosticEvent {
    package var level: DiagnosticLevel {
        switch self {
        case .logFailed, .handOverFailed: .error
        case .warned, .refused, .failed, .logRecovered, .hubFailed, .hubRefused, .peerFailed, .agentRestarting,
            .agentGivenUp, .sessionRunsTwice:
            .warning
        case .started, .listening, .stopping, .stopped, .handingOver, .agentStarted, .agentEnded, .auditHead,
            .hubConnected, .peerConnected:
            .info
        case .sessionClaimed, .sessionEnded, .clientConnected, .clientClosed, .answered: .debug
        }
    }

    /// The events with equal keys share a limit of lines per time. Nil: the event is not limited, because its number is
    /// limited by something that the user starts.
    var rateKey: String? {
        switch self {
        case .refused, .logFailed, .logRecovered, .hubConnected, .hubFailed, .hubRefused, .sessionRunsTwice: name
        // There are few peers, and one that fails must not hide another one.
        case .peerConnected(let peer), .peerFailed(let peer, _): "\(name) \(peer)"
        case .failed(let doing, _): "\(name) \(doing)"
        default: nil
        }
    }

    var name: String {
        switch self {
        case .started: "started"
        case .listening: "listening"
        case .stopping: "stopping"
        case .stopped: "stopped"
        case .handingOver: "handing_over"
        case .handOverFailed: "hand_over_failed"
        case .warned: "warned"
        case .agentStarted: "agent_started"
        case .agentEnded: "agent_ended"
        case .agentRestarting: "agent_restarting"
        case .agentGivenUp: "agent_given_up"
        case .sessionClaimed: "session_claimed"
        case .sessionEnded: "session_ended"
        case .sessionRunsTwice: "session_runs_twice"
        case .logFailed: "log_failed"
        case .logRecovered: "log_recovered"
        case .auditHead: "audit_head"
        case .hubConnected: "hub_connected"
        case .hubFailed: "hub_failed"
        case .hubRefused: "hub_refused"
        case .peerConnected: "peer_connected"
        case .peerFailed: "peer_failed"
        case .clientConnected: "client_connected"
        case .clientClosed: "client_closed"
        case .answered: "answered"
        case .refused: "refused"
        case .failed: "failed"
        }
    }

    var fields: [DiagnosticField] {
        switch self {
        case .started(let version, let pid, let agents):
            [.text("version", version), .integer("pid", Int64(pid)), .integer("agents", Int64(agents))]
        case .listening(let address): [.text("address", address)]
        case .stopping, .stopped, .handOverFailed, .logRecovered: []
        case .handingOver(let agents): [.integer("agents", Int64(agents))]
        case .warned(let sentence): [.text("text", sentence)]
        case .agentStarted(let agent, let pid): [.text("agent", agent), .integer("pid", Int64(pid))]
        case .agentEnded(let agent, let pid, let end):
            [.text("agent", agent), .integer("pid", Int64(pid))] + (end.map { [$0.field] } ?? [])
        case .agentRestarting(let agent, let attempt, let seconds):
            [.text("agent", agent), .integer("attempt", Int64(attempt)), .integer("seconds", seconds)]
        case .agentGivenUp(let agent, let attempts): [.text("agent", agent), .integer("attempts", Int64(attempts))]
        case .sessionClaimed(let agent, let id), .sessionEnded(let agent, let id):
            [.text("agent", agent), .text("session", id)]
        case .sessionRunsTwice(let agent, let id, let pid):
            [.text("agent", agent), .text("session", id), .integer("pid", Int64(pid))]
        case .logFailed(let error), .hubFailed(let error): [.text("error", error)]
        case .auditHead(let number, let hash): [.integer("seq", number), .text("hash", hash)]
        case .hubConnected(let place): [.text("place", place)]
        case .hubRefused(let sid, let error): [.integer("sid", sid), .text("error", error)]
        case .peerConnected(let peer): [.text("peer", peer)]
        case .peerFailed(let peer, let error): [.text("peer", peer), .text("error", error)]
        case .clientConnected(let id, let path): [.text("connection", id), .text("path", path.description)]
        case .clientClosed(let id, let reason): [.text("connection", id), .text("reason", reason.description)]
        case .answered(let method, let path, let status, let id):
            [
                .text("method", method), .text("path", path), .integer("status", Int64(status)),
                .text("request_id", id),
            ]
        case .refused(let status, let peer): [.integer("status", Int64(status)), .text("peer", peer)]
        case .failed(let doing, let error): [.text("doing", doing.description), .text("error", error)]
        }
    }
}

extension DiagnosticEvent.AgentEnd {
    fileprivate var field: DiagnosticField {
        switch self {
        case .exited(let code): .integer("status", Int64(code))
        case .signaled(let signal): .integer("signal", Int64(signal))
        }
    }
}
