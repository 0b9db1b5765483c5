/// Options of `acpbridge token`.
public struct TokenOptions: Equatable, Sendable {
    public var action: TokenAction
    /// The token to revoke; only given with `revoke`.
    public var id: String?
    /// The role of the new token; only given with `create`.
    public var role: TokenRole?
    /// The lifetime of the new token; nil means that it does not expire.
    public var life: Duration?
    /// A name for the new token, chosen by the user.
    public var name: String?
    /// Print JSON instead of text for people.
    public var json: Bool
    public var connection: ConnectionOptions

    public init(
        action: TokenAction, id: String? = nil, role: TokenRole? = nil, life: Duration? = nil, name: String? = nil,
        json: Bool = false, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.action = action
        self.id = id
        self.role = role
        self.life = life
        self.name = name
        self.json = json
        self.connection = connection
    }
}

public enum TokenAction: String, CaseIterable, Sendable {
    case create, list, revoke
}

/// The rights that a token grants.
public enum TokenRole: String, CaseIterable, Sendable {
    case observe, control, admin
}
