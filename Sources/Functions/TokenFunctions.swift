import Access
import EventLoop
import JSONScan
import Posix
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

    /// Exchanges a code for a new token. Returns nil if the code is not valid.
    func redeem(code: String, name: String?, at now: Instant) throws(Rejection) -> IssuedToken? {
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

    func revokeToken(_ id: String, by identity: Identity) throws(Rejection) -> FunctionResponse {
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
