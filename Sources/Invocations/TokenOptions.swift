import ArgumentParsing

/// Options of `acpbridge token`.
package struct TokenOptions: Equatable, Sendable {
    package var action: TokenAction
    /// The token to revoke; only given with `revoke`.
    package var id: String?
    /// The role of the new token; only given with `create`.
    package var role: TokenRole?
    /// The lifetime of the new token; nil means that it does not expire.
    package var life: Duration?
    /// A name for the new token, chosen by the user.
    package var name: String?
    /// Print JSON instead of text for people.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
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

package enum TokenAction: String, CaseIterable, Sendable {
    case create, list, revoke
}

/// The rights that a token grants.
package enum TokenRole: String, CaseIterable, Sendable {
    case observe, control, admin
}

extension TokenAction: ArgumentValue {}
extension TokenRole: ArgumentValue {}
