import EventLoop
import Posix
import Tinyvex

/// Maps a token to its identity. A token is the bridge's own, or made with `acpbridge token create`, or signed by an
/// issuer.
@LoopActor package final class Authenticator {
    private let own: AccessToken
    private let file: TokenFile
    private let issuers: IssuerKeys?
    package private(set) var table: TokenTable

    package init(own: AccessToken, file: TokenFile, issuers: IssuerKeys?) {
        self.own = own
        self.issuers = issuers
        self.file = file
        table = TokenTable()
    }

    /// Call after the bridge has started to listen: see ``TokenFile``.
    package func load() throws(TokenFile.Failure) { table = try file.read() }

    /// Returns nil if the token is unknown, expired or revoked.
    package func identity(showing text: String, at now: Int64 = wallClockMilliseconds()) -> Identity? {
        if own.matches(text) { return .tokenFile }
        if let record = table.record(showing: text, at: now) { return .token(record) }
        return issuers?.identity(showing: text, at: now)
    }

    /// Returns false if the identity has expired or its token is no longer in the table.
    package func isGood(_ identity: Identity, at now: Int64) -> Bool {
        if let expiresTs = identity.expiresTs, expiresTs <= now { return false }
        guard let id = identity.tokenId else { return true }
        return table.records.contains { $0.id == id }
    }

    // MARK: Changes

    package func issue(_ order: TokenOrder) throws(Rejection) -> IssuedToken {
        try edit { table throws(Rejection) in try table.issue(order) }
    }

    package func revoke(_ id: String) throws(Rejection) {
        try edit { table throws(Rejection) in try table.revoke(id) }
    }

    private func edit<Value>(_ body: (inout TokenTable) throws(Rejection) -> Value) throws(Rejection) -> Value {
        do throws(TokenFile.Failure) {
            guard let edited = try file.edit(body) else { throw .locked(byProcess: nil) }
            table = edited.table
            return edited.value
        } catch {
            if case .refused(let rejection) = error { throw rejection }
            throw Rejection(.mutationFailed, error.description, rpcCode: .internalError)
        }
    }
}
