import Tinyvex

/// Who is at the other end of a connection or behind a request, and what they may do.
public struct Identity: Sendable, Equatable, Codable {
    /// For the audit log and for other clients to read: `uid 1000`, `token tk_3f9a01c2`, `jwt alice`. Never a secret.
    public let who: String
    /// Nil: no rights at all, until a token is shown.
    public let role: Role?
    /// Whose sessions these are on a bridge that several share: they see their own tenant's and no others. Nil for the
    /// bridge's own people, who see all.
    public let tenant: String?
    /// Names the token it rests on, which may be revoked.
    public let tokenId: String?
    /// From then on it is worth nothing. Milliseconds since 1970; nil for never.
    public let expiresTs: Int64?

    /// A tenant's admin is a controller here: the bridge belongs to its host.
    public init(who: String, role: Role?, tenant: String? = nil, tokenId: String? = nil, expiresTs: Int64? = nil) {
        self.who = who
        self.role = tenant == nil ? role : role.map { min($0, .control) }
        self.tenant = tenant
        self.tokenId = tokenId
        self.expiresTs = expiresTs
    }

    /// The bridge's own user on its Unix socket.
    static func localUser(_ user: UInt32) -> Identity { Identity(who: "uid \(user)", role: .admin) }

    /// Whoever shows the token that the bridge made at its first start.
    static let tokenFile = Identity(who: "token file", role: .admin)

    static func token(_ record: TokenRecord) -> Identity {
        Identity(
            who: "token \(record.id)", role: record.role, tokenId: record.id, expiresTs: record.expiresTs)
    }

    /// An agent's own editor, as far as the audit log is concerned: it speaks to its agent and not to the bridge.
    static let editor = Identity(who: "editor", role: nil)

    /// Someone who has given up their token.
    static let nobody = Identity(who: "nobody", role: nil)

    /// Refuses what this role does not reach.
    ///
    /// - Throws: TVX006 where there are no rights at all, so that showing a token helps; TVX011 where another role is
    ///   needed, so that showing the same token anew does not.
    public func require(_ needed: Role) throws(Rejection) {
        guard let role else {
            throw Rejection(
                .unauthorized, "this connection has no rights: show a token with tinyvex/auth.setToken",
                rpcCode: .invalidRequest)
        }
        guard role >= needed else {
            throw Rejection(
                .readOnly, "this needs the role \(needed.rawValue), and this connection has \(role.rawValue)",
                rpcCode: .invalidRequest)
        }
    }

    /// Whether a session of this tenant is theirs to see. One that is not is answered as one that does not exist. Without
    /// any rights none is.
    public func maySee(tenant other: String?) -> Bool { role != nil && Self.tenant(tenant, sees: other) }

    /// Who is nobody's tenant sees everyone's, a tenant their own.
    static func tenant(_ tenant: String?, sees other: String?) -> Bool { tenant == nil || tenant == other }
}
