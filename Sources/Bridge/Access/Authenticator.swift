import EventLoop
import Tinyvex

/// Says whose a token is: the bridge's own, one that was made with `acpbridge token create`, or an issuer's.
@LoopActor final class Authenticator {
    private let own: AccessToken
    private let file: TokenFile
    private let issuers: IssuerKeys?
    private(set) var table: TokenTable

    init(own: AccessToken, file: TokenFile, issuers: IssuerKeys?) {
        self.own = own
        self.issuers = issuers
        self.file = file
        table = TokenTable()
    }

    /// Called once the bridge listens: see ``TokenFile``.
    func load() throws(TokenFile.Failure) { table = try file.read() }

    /// Nil for a token that is not known, or not any more.
    func identity(showing text: String, at now: Int64 = wallClockMilliseconds()) -> Identity? {
        if own.matches(text) { return .tokenFile }
        if let record = table.record(showing: text, at: now) { return .token(record) }
        return issuers?.identity(showing: text, at: now)
    }

    /// What rests on a token is worth as much as the token now is.
    func isGood(_ identity: Identity, at now: Int64) -> Bool {
        if let expiresTs = identity.expiresTs, expiresTs <= now { return false }
        guard let id = identity.tokenId else { return true }
        return table.records.contains { $0.id == id }
    }

    // MARK: Changes

    func issue(_ order: TokenOrder) throws(Rejection) -> IssuedToken {
        try edit { table throws(Rejection) in try table.issue(order) }
    }

    func revoke(_ id: String) throws(Rejection) {
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
