import JSONScan
import SessionLog

/// What is written down when someone does it. Never what they wrote: no prompt, no token, no value of an environment.
enum AuditEvent: Sendable, Equatable {
    /// Someone was let in, to this path: `/tinyvex`.
    case connected(path: String)
    /// Someone reads a session as it goes.
    case attached(SessionName)
    case prompted(SessionName)
    case cancelled(SessionName)
    /// Someone answered a permission request: the agent's id of it, and `cancelled` or the option that was chosen.
    case answered(SessionName, requestId: String, choice: String)
    case agentStarted(agent: String, pid: Int32)
    case agentStopped(agent: String, pid: Int32)
    /// A mutation or an action by its name, of the session it is about where there is one.
    case called(function: String, SessionName?)
    /// A session was too old, or the log too large: see ``RetentionPolicy``.
    case forgotten(SessionName)
    case tokenIssued(id: String, role: String)
    case tokenRevoked(id: String)
    case rightsChanged
    case stopped
    /// Another program took the bridge's place.
    case replaced

    /// Which session of which agent.
    struct SessionName: Sendable, Equatable {
        let agent: String
        let sessionId: String
    }

    var name: String {
        switch self {
        case .connected: "connected"
        case .attached: "attached"
        case .prompted: "prompted"
        case .cancelled: "cancelled"
        case .answered: "answered"
        case .agentStarted: "agent_started"
        case .agentStopped: "agent_stopped"
        case .called: "called"
        case .forgotten: "forgotten"
        case .tokenIssued: "token_issued"
        case .tokenRevoked: "token_revoked"
        case .rightsChanged: "rights_changed"
        case .stopped: "stopped"
        case .replaced: "replaced"
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .connected(let path): writer.member("path", path)
        case .attached(let session), .forgotten(let session), .prompted(let session), .cancelled(let session):
            write(session, to: &writer)
        case .answered(let session, let requestId, let choice):
            write(session, to: &writer)
            writer.member("requestId", Self.cut(requestId))
            writer.member("choice", Self.cut(choice))
        case .agentStarted(let agent, let pid), .agentStopped(let agent, let pid):
            writer.member("agent", agent)
            writer.member("pid", pid)
        case .called(let function, let session):
            writer.member("function", function)
            if let session { write(session, to: &writer) }
        case .tokenIssued(let id, let role):
            writer.member("tokenId", id)
            writer.member("role", role)
        case .tokenRevoked(let id): writer.member("tokenId", id)
        case .rightsChanged, .stopped, .replaced: break
        }
    }

    private func write(_ session: SessionName, to writer: inout JSONWriter) {
        writer.member("agent", session.agent)
        writer.member("sessionId", Self.cut(session.sessionId))
    }

    /// Unicode scalars. What an agent names its sessions, requests and options may be as long as a line of its own.
    private static let nameLimitCharacters = 256

    private static func cut(_ name: String) -> String {
        name.utf8.count <= nameLimitCharacters ? name : name.prefix(scalars: nameLimitCharacters) + "…"
    }
}
