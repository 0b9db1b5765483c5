import EventLoop
import JSONScan
import Tinyvex

/// Who may connect, and for how long.
extension Bridge {
    /// Takes what a connection shows for its identity from now on; nil gives up all rights.
    func setToken(_ token: String?, of connection: TinyvexConnection) -> Result<Completion, Rejection> {
        guard let identity = token.map({ authenticator.identity(showing: $0) }) ?? .nobody else {
            return .failure(
                Rejection(
                    .unauthorized,
                    "the token is not known here, or not any more; the connection keeps the rights it has",
                    rpcCode: .invalidRequest))
        }
        let result = JSONWriter.object { $0.member("ok", true) }
        return .success(
            Completion(result: result) { [unowned self] in
                connection.take(identity)
                audit.record(.rightsChanged, by: identity, connection: connection.id)
                expiryWatch.watch(identity.expiresTs)
            })
    }

    // MARK: Tokens

    /// `tokens:create`
    func issueToken(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> Completion {
        let token = try authenticator.issue(TokenOrder(arguments))
        audit.record(.tokenIssued(id: token.record.id, role: token.record.role.rawValue), by: identity)
        return Completion(result: token.json())
    }

    /// `tokens:list`
    func tokensValue() -> [UInt8] {
        let counts = connections.values.reduce(into: [String: Int]()) { counts, connection in
            if let id = connection.identity.tokenId { counts[id, default: 0] += 1 }
        }
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
    func revokeToken(_ arguments: Parameters, by identity: Identity) throws(Rejection) -> Completion {
        let id = try arguments.string("id")
        try authenticator.revoke(id)
        audit.record(.tokenRevoked(id: id), by: identity)
        let result = JSONWriter.object { writer in
            writer.member("id", id)
            writer.member("closedConnections", connections.values.count { $0.identity.tokenId == id })
        }
        // Whoever asked may be among them, and gets the answer first.
        return Completion(result: result) { [unowned self] in dismissExpired() }
    }

    // MARK: The end of an identity

    /// Closes the connections whose identity is worth nothing any more.
    func dismissExpired() {
        let now = wallClockMilliseconds()
        for connection in Array(connections.values) {
            if authenticator.isGood(connection.identity, at: now) {
                expiryWatch.watch(connection.identity.expiresTs)
            } else {
                connection.dismiss()
            }
        }
    }
}
