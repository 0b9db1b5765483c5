import Access
import Diagnostics
import EventLoop
import JSONScan
import Posix
import SessionRecords
import Tinyvex

/// Creates, lists and revokes the bridge's tokens.
@LoopActor package struct TokenFunctions {
    let authenticator: Authenticator
    let audit: AuditLog
    /// Knows the connections; nil until the bridge has created its parts.
    weak var host: (any FunctionHost)?

    /// `tokens:create`
    func issueToken(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> FunctionResponse {
        let token = try authenticator.issue(TokenOrder(arguments))
        audit.record(.tokenIssued(id: token.record.id, role: token.record.role.rawValue), by: identity)
        return FunctionResponse(result: token.json())
    }

    /// `codes:create`
    func issueCode(
        _ arguments: Parameters, by identity: Identity, at now: Instant
    ) throws(Rejection) -> FunctionResponse {
        let order = try CodeOrder(arguments)
        let code = try authenticator.issueCode(order, by: identity, at: now)
        audit.record(.codeIssued(role: order.token.role.rawValue), by: identity)
        return FunctionResponse(result: code.json())
    }

    /// `sessions:share`: `{"id":"tk_…","role":"observe",…,"session":{…},"code":"…","codeExpiresInMs":86400000}`
    func share(
        _ order: ShareOrder, _ session: SharedSession, by identity: Identity, at now: Instant
    ) throws(Rejection) -> FunctionResponse {
        guard identity.tenant == nil else {
            throw Rejection(
                .readOnly, "the bridge's own users share sessions, and this token is a tenant's",
                rpcCode: .invalidRequest)
        }
        let order = try TokenOrder(role: order.role, name: order.name, lifeSeconds: order.lifeSeconds, session: session)
        let shared = try authenticator.share(order, by: identity, at: now)
        audit.record(
            .shared(
                .init(agent: session.agent, sessionId: session.sessionId), tokenId: shared.record.id,
                role: order.role.rawValue), by: identity)
        return FunctionResponse(
            result: JSONWriter.object { writer in
                shared.record.writeFacts(to: &writer)
                writer.member("code", shared.code.text)
                writer.member("codeExpiresInMs", shared.code.life.components.seconds * 1000)
            })
    }

    /// Revokes the tokens for a session that was deleted.
    func revokeShares(ofSid sid: Int64) {
        let ids = authenticator.table.ids { Journal($0.journal)?.sid == sid }
        guard !ids.isEmpty else { return }
        for id in ids { _ = orLog("revoking the links to a deleted session") { try authenticator.revoke(id) } }
        host?.dismissExpired()
    }

    /// Whether a token with this id exists and has not expired.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func isGood(_ id: String, at now: Int64) -> Bool {
        authenticator.table.records.contains { $0.id == id && !$0.hasExpired(at: now) }
    }

    /// Exchanges a code for a new token. Returns nil if the code is not valid.
    ///
    /// - Parameter name: the device's name for people, instead of the one that the code's requester chose.
    package func redeem(code: String, name: String?, at now: Instant) throws(Rejection) -> IssuedToken? {
        guard let redeemed = try authenticator.redeem(code: code, name: name, at: now) else { return nil }
        let record = redeemed.token.record
        audit.record(.tokenIssued(id: record.id, role: record.role.rawValue), by: redeemed.by)
        return redeemed.token
    }

    /// The name of the token that the identity comes from; nil for other identities and for a token without a name.
    func name(of identity: Identity) -> String? {
        guard let id = identity.tokenId else { return nil }
        return authenticator.table.records.first { $0.id == id }?.name
    }

    /// `tokens:list`
    func tokensValue() -> [UInt8] {
        let counts = host?.connectionsByToken ?? [:]
        return JSONWriter.array { writer in
            for record in authenticator.table.records {
                writer.object { writer in
                    record.writeFacts(to: &writer)
                    writer.member("connections", counts[record.id] ?? 0)
                }
            }
        }
    }

    /// `tokens:revoke`
    func revokeToken(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> FunctionResponse {
        try revokeToken(arguments.string("id"), by: identity)
    }

    /// Revokes a token. The caller must check the rights.
    package func revokeToken(_ id: String, by identity: Identity) throws(Rejection) -> FunctionResponse {
        try authenticator.revoke(id)
        audit.record(.tokenRevoked(id: id), by: identity)
        let result = JSONWriter.object { writer in
            writer.member("id", id)
            writer.member("closedConnections", host?.connectionsByToken[id] ?? 0)
        }
        // The caller's own connection can be among the closed ones, so the response is sent first.
        return FunctionResponse(result: result) { [weak host] in host?.dismissExpired() }
    }
}
