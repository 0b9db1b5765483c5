import Access
import EventLoop

/// The resumable connections. Each counts as one of the bridge's connections, which limits their number.
@LoopActor package struct Relays {
    private var relays: [String: GuestRelay] = [:]

    package mutating func add(_ relay: GuestRelay) { relays[relay.id] = relay }

    mutating func remove(_ relay: GuestRelay) { relays[relay.id] = nil }

    package var all: [GuestRelay] { Array(relays.values) }

    /// Returns the resumable connection with this id if `identity` opened it. The id alone is not enough because it is
    /// not secret.
    package func relay(_ id: String, for identity: Identity) -> GuestRelay? {
        relays[id].flatMap { $0.identity.isSame(as: identity) ? $0 : nil }
    }

    /// Returns whether this connection belongs to a resumable connection, as its end at the bridge.
    package func holds(_ connection: TinyvexConnection) -> Bool { relays[connection.id] != nil }

    /// Returns the client of this connection if it is away; otherwise nil.
    func absentOwner(of connection: TinyvexConnection) -> GuestRelay? {
        relays[connection.id].flatMap { $0.isAbsent ? $0 : nil }
    }
}

extension Identity {
    /// Returns whether this is the same user with the same rights, even if the token was issued again.
    fileprivate func isSame(as other: Identity) -> Bool {
        who == other.who && role == other.role && tenant == other.tenant
    }
}
