import EventLoop

/// The conversations that outlive their connections. Each holds a place among the bridge's connections, which bounds
/// their number.
@LoopActor struct Relays {
    private var relays: [String: GuestRelay] = [:]

    mutating func add(_ relay: GuestRelay) { relays[relay.id] = relay }

    mutating func remove(_ relay: GuestRelay) { relays[relay.id] = nil }

    var all: [GuestRelay] { Array(relays.values) }

    /// The conversation of this name, for the one who began it: the name is no secret.
    func relay(_ id: String, for identity: Identity) -> GuestRelay? {
        relays[id].flatMap { $0.identity.isSame(as: identity) ? $0 : nil }
    }

    /// This connection is one between a conversation and the bridge.
    func holds(_ connection: TinyvexConnection) -> Bool { relays[connection.id] != nil }

    /// The client behind this connection, where it is away.
    func absentOwner(of connection: TinyvexConnection) -> GuestRelay? {
        relays[connection.id].flatMap { $0.isAbsent ? $0 : nil }
    }
}

extension Identity {
    /// The same person with the same rights, though a token of theirs may have been made anew.
    fileprivate func isSame(as other: Identity) -> Bool {
        who == other.who && role == other.role && tenant == other.tenant
    }
}
