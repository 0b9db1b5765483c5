import EventLoop
import JSONWebKeys
import Posix
import Tinyvex

/// Maps a token to its identity. A token is the bridge's own, or made with `acpbridge token create`, or signed by an
/// issuer.
@LoopActor package final class Authenticator {
    private let own: AccessToken
    private let file: TokenFile
    private let issuers: IssuerKeys?
    /// Nil if the keys of the issuers are in files.
    private let keySet: KeySetFetcher?
    /// Identities contain the tokens of issuers that they come from, for other bridges of a hub.
    package var keepsTokens = false
    package private(set) var table: TokenTable
    /// Codes for browsers. A person has a few of them at a time.
    private var codes = OneTimeSecrets<CodeGrant>(limit: 64)
    /// Codes of links to sessions, which wait for up to a day.
    private var links = OneTimeSecrets<CodeGrant>(limit: 256)
    /// Tickets for WebSockets. An entry has about 200 bytes.
    private var tickets = OneTimeSecrets<Identity>(limit: 4096)

    package init(own: AccessToken, file: TokenFile, issuers: IssuerKeys?, keySet: KeySetFetcher? = nil) {
        self.own = own
        self.issuers = issuers
        self.keySet = keySet
        self.file = file
        table = TokenTable()
    }

    /// Call after the bridge has started to listen: see ``TokenFile``.
    package func load() throws(TokenFile.Failure) { table = try file.read() }

    /// The result of a check of a token.
    package enum TokenCheck: Equatable {
        case known(Identity)
        /// The token is unknown, expired or revoked.
        case unknown
        /// The token names a key of an issuer that may be in the key set which is being fetched. Check it again.
        case unsettled

        package var identity: Identity? {
            if case .known(let identity) = self { return identity }
            return nil
        }
    }

    /// A request for a key set ends within 10 s, and usually at once. Seconds.
    package nonisolated static let keySetPatience = 1

    package func check(_ text: String, at now: Int64 = wallClockMilliseconds()) -> TokenCheck {
        if own.matches(text) { return .known(.tokenFile) }
        if let record = table.record(showing: text, at: now) { return .known(.token(record)) }
        return checkIssued(text, at: now)
    }

    /// Checks a token of an issuer. A token of this bridge is unknown.
    package func checkIssued(_ text: String, at now: Int64 = wallClockMilliseconds()) -> TokenCheck {
        switch issuers?.verdict(on: text, at: now, fetched: keySet?.keys ?? []) {
        case .known(var identity):
            if keepsTokens { identity.shownToken = ForwardableToken(text) }
            return .known(identity)
        case .unknownKey:
            keySet?.noteUnknownKey()
            return keySet?.isFetching == true ? .unsettled : .unknown
        case .unknown, nil: return .unknown
        }
    }

    /// Returns nil if the token is unknown, expired or revoked.
    package func identity(showing text: String, at now: Int64 = wallClockMilliseconds()) -> Identity? {
        check(text, at: now).identity
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
            guard let edited = try file.edit(within: TokenFile.loopPatience, body) else {
                throw .locked(byProcess: nil)
            }
            table = edited.table
            return edited.value
        } catch {
            if case .refused(let rejection) = error { throw rejection }
            throw Rejection(.mutationFailed, error.description, rpcCode: .internalError)
        }
    }

    // MARK: Codes and tickets

    /// The time in which a ticket must be used: enough for a page to open its WebSocket over a slow network.
    package static let ticketLife = Duration.seconds(30)

    /// Makes a code for a new token.
    package func issueCode(
        _ order: CodeOrder, by identity: Identity, at now: Instant
    ) throws(Rejection) -> AdmissionCode {
        let bytes = RandomText.bytes(AdmissionCode.longBytes)
        guard let bytes else { throw Self.noRandomness }
        let text = order.isShort ? AdmissionCode.shortText(bytes) : Hexadecimal.text(of: bytes)
        let grant = CodeGrant(token: .ordered(order.token), issuer: identity.who)
        guard codes.add(AdmissionCode.canonical(text), grant, until: now + order.life, at: now) else {
            throw Rejection(.limitExceeded, "too many codes wait to be used; try again in a minute")
        }
        return AdmissionCode(text: text, life: order.life)
    }

    /// Exchanges a code for a new token. Returns nil if the code is unknown, was used, or its time is over.
    ///
    /// - Parameter name: the device's name, instead of the name that the code's requester chose.
    /// - Returns: the token, and the identity of the code's requester for the audit log.
    package func redeem(
        code: String, name: String?, at now: Instant
    ) throws(Rejection) -> (token: IssuedToken, by: Identity)? {
        // A wrong name does not spend the code.
        _ = try TokenOrder(role: .observe, name: name, lifeSeconds: nil)
        let text = AdmissionCode.canonical(code)
        guard let grant = codes.spend(text, at: now) ?? links.spend(text, at: now) else { return nil }
        let identity = Identity(who: "code of \(grant.issuer)", role: nil)
        switch grant.token {
        case .ordered(let token):
            let order = try TokenOrder(role: token.role, name: name ?? token.name, lifeSeconds: token.lifeSeconds)
            return (try issue(order), identity)
        case .issued(let token):
            return table.records.contains { $0.id == token.record.id } ? (token, identity) : nil
        }
    }

    /// The longest time in which a link to a session can be opened.
    private static let longestLinkLife: Int64 = 86_400

    /// Makes a token for one session, and a code by which a browser gets it. The code is valid as long as the token, for a
    /// day at most, and until the bridge ends.
    package func share(
        _ order: TokenOrder, by identity: Identity, at now: Instant
    ) throws(Rejection) -> (record: TokenRecord, code: AdmissionCode) {
        guard let text = RandomText.hexadecimal(byteCount: AdmissionCode.longBytes) else { throw Self.noRandomness }
        // The link must not outlive the rights of the one who makes it.
        let rest = identity.expiresTs.map { max(1, ($0 - wallClockMilliseconds()) / 1000) }
        var order = try order.limited(lifeSeconds: rest)
        order.maker = identity.tokenId
        let token = try issue(order)
        let life = Duration.seconds(min(order.lifeSeconds ?? Self.longestLinkLife, Self.longestLinkLife))
        let grant = CodeGrant(token: .issued(token), issuer: identity.who)
        guard links.add(AdmissionCode.canonical(text), grant, until: now + life, at: now) else {
            try revoke(token.record.id)
            throw Rejection(.limitExceeded, "too many links wait to be opened; try again later")
        }
        return (token.record, AdmissionCode(text: text, life: life))
    }

    /// Makes a ticket, with which one WebSocket can be opened as `identity`.
    package func issueTicket(for identity: Identity, at now: Instant) throws(Rejection) -> String {
        guard let text = RandomText.hexadecimal(byteCount: 16) else { throw Self.noRandomness }
        guard tickets.add(text, identity, until: now + Self.ticketLife, at: now) else {
            throw Rejection(.limitExceeded, "too many tickets wait to be used; try again in half a minute")
        }
        return text
    }

    /// Returns the identity of a ticket's bearer and forgets the ticket. Returns nil if the ticket is unknown, was used
    /// or is too old, or if its token was revoked or has expired in the meantime.
    package func identity(
        showingTicket text: String, at now: Instant, date: Int64 = wallClockMilliseconds()
    ) -> Identity? {
        tickets.spend(text, at: now).flatMap { isGood($0, at: date) ? $0 : nil }
    }

    private static let noRandomness = Rejection(.internalError, "the system cannot provide random numbers")
}
