import FieldLimits
import JSONScan

/// An action that the audit log records. It never contains user data: no prompt, no token, no environment value.
package enum AuditEvent: Sendable, Equatable {
    /// A client was admitted to this path: `/tinyvex`. The address is that of a TCP client.
    case connected(path: String, address: String? = nil)
    /// A client began to read a session's live updates.
    case attached(SessionName)
    case prompted(SessionName)
    case cancelled(SessionName)
    /// A client removed a waiting prompt.
    case unqueued(SessionName)
    /// A client answered a permission request. `requestId` is the agent's id of the request; `choice` is `cancelled` or
    /// the chosen option.
    case answered(SessionName, requestId: String, choice: String)
    case agentStarted(agent: String, pid: Int32)
    case agentStopped(agent: String, pid: Int32)
    /// A client called this mutation or action, on this session if it concerns one. `bridge` is the other bridge that the
    /// call names.
    case called(function: String, SessionName?, bridge: String? = nil)
    /// A session was deleted because it was too old or the log was too large: see ``RetentionPolicy``.
    case forgotten(SessionName)
    /// A client requested a code for a token with this role.
    case codeIssued(role: String)
    case tokenIssued(id: String, role: String)
    case tokenRevoked(id: String)
    /// A client made a link to a session, with a token of this role.
    case shared(SessionName, tokenId: String, role: String)
    /// A client stored a file with this `storageId`.
    case fileStored(id: String, byteCount: Int)
    /// A client deleted a stored file.
    case fileDeleted(id: String)
    case rightsChanged
    case stopped
    /// Another program replaced the bridge.
    case replaced

    /// A session, named by its agent and its id.
    package struct SessionName: Sendable, Equatable {
        let agent: String
        let sessionId: String

        package init(agent: String, sessionId: String) {
            self.agent = agent
            self.sessionId = sessionId
        }
    }

    var name: String {
        switch self {
        case .connected: "connected"
        case .attached: "attached"
        case .prompted: "prompted"
        case .cancelled: "cancelled"
        case .unqueued: "unqueued"
        case .answered: "answered"
        case .agentStarted: "agent_started"
        case .agentStopped: "agent_stopped"
        case .called: "called"
        case .forgotten: "forgotten"
        case .codeIssued: "code_issued"
        case .tokenIssued: "token_issued"
        case .tokenRevoked: "token_revoked"
        case .shared: "shared"
        case .fileStored: "file_stored"
        case .fileDeleted: "file_deleted"
        case .rightsChanged: "rights_changed"
        case .stopped: "stopped"
        case .replaced: "replaced"
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .connected(let path, let address):
            writer.member("path", path)
            writer.member("address", ifPresent: address)
        case .attached(let session), .forgotten(let session), .prompted(let session), .cancelled(let session),
            .unqueued(let session):
            write(session, to: &writer)
        case .answered(let session, let requestId, let choice):
            write(session, to: &writer)
            writer.member("requestId", Self.cut(requestId))
            writer.member("choice", Self.cut(choice))
        case .agentStarted(let agent, let pid), .agentStopped(let agent, let pid):
            writer.member("agent", agent)
            writer.member("pid", pid)
        case .called(let function, let session, let bridge):
            writer.member("function", function)
            if let session { write(session, to: &writer) }
            writer.member("bridge", ifPresent: bridge.map(Self.cut))
        case .codeIssued(let role): writer.member("role", role)
        case .tokenIssued(let id, let role):
            writer.member("tokenId", id)
            writer.member("role", role)
        case .tokenRevoked(let id): writer.member("tokenId", id)
        case .shared(let session, let tokenId, let role):
            write(session, to: &writer)
            writer.member("tokenId", tokenId)
            writer.member("role", role)
        case .fileStored(let id, let byteCount):
            writer.member("storageId", id)
            writer.member("size", byteCount)
        case .fileDeleted(let id): writer.member("storageId", id)
        case .rightsChanged, .stopped, .replaced: break
        }
    }

    private func write(_ session: SessionName, to writer: inout JSONWriter) {
        writer.member("agent", session.agent)
        writer.member("sessionId", Self.cut(session.sessionId))
    }

    /// In Unicode scalars. An agent chooses the names of its sessions, requests and options, and a name can be as long
    /// as one of the agent's lines.
    private static let nameLimitCharacters = 256

    private static func cut(_ name: String) -> String {
        name.utf8.count <= nameLimitCharacters ? name : name.prefix(scalars: nameLimitCharacters) + "…"
    }
}
