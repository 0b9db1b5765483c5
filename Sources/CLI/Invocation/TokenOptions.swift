/// Options of `acpbridge token`.
public struct TokenOptions: Equatable, Sendable {
    public var action: TokenAction
    /// The token to revoke; there with `revoke` and only there.
    public var id: String?
    /// There with `create` and only there.
    public var role: TokenRole?
    /// How long a new token is good for; nil for ever.
    public var life: Duration?
    /// What a new token is for, in its maker's words.
    public var name: String?
    /// JSON in place of text for a person.
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

/// What whoever shows a token may do.
public enum TokenRole: String, CaseIterable, Sendable {
    case observe, control, admin
}
