import Access
import EventLoop

/// The resumable connections. Each counts as one of the bridge's connections, which limits their number.
@LoopActor package struct ResumableConnections {
    private var resumableConnections: [String: ResumableConnection] = [:]

    package mutating func add(_ resumable: ResumableConnection) { resumableConnections[resumable.id] = resumable }

    mutating func remove(_ resumable: ResumableConnection) { resumableConnections[resumable.id] = nil }

    package var all: [ResumableConnection] { Array(resumableConnections.values) }

    /// Returns the resumable connection with this id if `identity` opened it. The id alone is not enough because it is
    /// not secret.
    package func resumable(_ id: String, for identity: Identity) -> ResumableConnection? {
        resumableConnections[id].flatMap { $0.identity.isSame(as: identity) ? $0 : nil }
    }

    /// Returns whether this client has a resumable connection.
    package func holds(_ connection: ClientConnection) -> Bool { resumableConnections[connection.id] != nil }

    /// Returns the resumable connection with this id if its client is away; otherwise nil.
    func absentOwner(of connection: String) -> ResumableConnection? {
        resumableConnections[connection].flatMap { $0.isAbsent ? $0 : nil }
    }
}

extension Identity {
    /// Returns whether this is the same user with the same rights, even if the token was issued again.
    fileprivate func isSame(as other: Identity) -> Bool {
        who == other.who && role == other.role && tenant == other.tenant
    }
}
