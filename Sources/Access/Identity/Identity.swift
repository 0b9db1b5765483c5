import Tinyvex

/// The user of a connection or request, and the rights of that user.
package struct Identity: Sendable, Equatable, Codable {
    /// A name for the audit log and for other clients: `uid 1000`, `token tk_3f9a01c2`, `jwt alice`. Never a secret.
    package let who: String
    /// Nil: no rights until the client shows a token.
    package let role: Role?
    /// The tenant, on a bridge that several tenants share. A tenant's users see only the tenant's own sessions. Nil for
    /// the bridge's own users, who see all sessions.
    package let tenant: String?
    /// The id of the token that the identity comes from. The token can be revoked.
    package let tokenId: String?
    /// The identity is invalid from this time on. Milliseconds since 1970; nil if it never expires.
    package let expiresTs: Int64?

    /// The only session that this identity can see; nil for all sessions of the tenant. Its role is `observe` or
    /// `control`.
    package let session: SharedSession?
    /// The token (JWT) that the client has shown, on a bridge that can forward it.
    package var shownToken: ForwardableToken?

    /// Without the token.
    private enum CodingKeys: String, CodingKey { case who, role, tenant, tokenId, expiresTs, session }

    /// Reduces the role of a tenant's admin to `control`, because the bridge belongs to its host.
    package init(
        who: String, role: Role?, tenant: String? = nil, tokenId: String? = nil, expiresTs: Int64? = nil,
        session: SharedSession? = nil
    ) {
        self.who = who
        self.session = session
        self.role = tenant == nil && session == nil ? role : role.map { min($0, .control) }
        self.tenant = tenant
        self.tokenId = tokenId
        self.expiresTs = expiresTs
    }

    /// True for what a client with this token and tenant has made, and for an admin.
    package func owns(tokenId: String?, tenant: String?) -> Bool {
        role == .admin || (self.tokenId == tokenId && self.tenant == tenant)
    }

    /// The bridge's own user on its Unix socket.
    package static func localUser(_ user: UInt32) -> Identity { Identity(who: "uid \(user)", role: .admin) }

    /// A client that shows the token which the bridge made at its first start.
    static let tokenFile = Identity(who: "token file", role: .admin)

    /// An agent's own editor, for the audit log only: the editor talks to its agent and not to the bridge.
    package static let editor = Identity(who: "editor", role: nil)

    /// A client that has given up its token.
    package static let nobody = Identity(who: "nobody", role: nil)

    /// Throws if this identity's role is lower than `needed`.
    ///
    /// - Throws: TVX006 if the identity has no rights, so showing a token helps; TVX011 if it needs a higher role, so
    ///   showing the same token again does not help.
    package func require(_ needed: Role) throws(Rejection) {
        guard let role else {
            throw Rejection(
                .unauthorized, "this connection has no rights: send a token with tinyvex/auth.setToken",
                rpcCode: .invalidRequest)
        }
        guard has(needed) else {
            throw Rejection(
                .readOnly, "this needs the role \(needed.rawValue), and this connection has \(role.rawValue)",
                rpcCode: .invalidRequest)
        }
    }

    /// True for this role and for a higher one.
    package func has(_ needed: Role) -> Bool { role.map { $0 >= needed } ?? false }

    /// Returns whether this identity can see a session of this tenant. A session that it cannot see is reported as
    /// nonexistent. An identity without rights sees no sessions.
    package func maySee(tenant other: String?) -> Bool { role != nil && Self.tenant(tenant, sees: other) }

    /// A nil tenant sees all sessions; a tenant sees only its own.
    package static func tenant(_ tenant: String?, sees other: String?) -> Bool { tenant == nil || tenant == other }
}
