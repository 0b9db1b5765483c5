import JSONScan
import Tinyvex

/// A request for a new token: `{"role":"observe","ttlSeconds":86400,"name":"phone"}`.
package struct TokenOrder: Sendable, Equatable {
    package let role: Role
    package let name: String?
    /// The token's lifetime in seconds; nil if it never expires.
    package let lifeSeconds: Int64?
    /// The only session that the token opens; nil for all sessions.
    package let session: SharedSession?
    /// The id of the token with which this one is ordered. With that token, this one is revoked, too.
    package var maker: String?

    /// A hundred years: longer than any intended lifetime, and short enough that no time overflows.
    package static let longestLifeSeconds: Int64 = 100 * 366 * 86_400
    /// A name is only a hint for people.
    static let nameLimitBytes = 100

    package init(
        role: Role, name: String?, lifeSeconds: Int64?, session: SharedSession? = nil
    ) throws(Rejection) {
        self.session = session
        guard session == nil || role < .admin else {
            throw .invalidParams("a token for one session has the role observe or control")
        }
        self.role = role
        self.name = name
        self.lifeSeconds = lifeSeconds
        if let name {
            let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
            guard isPlain, (1...Self.nameLimitBytes).contains(name.utf8.count) else {
                throw .invalidParams("name must have 1 to \(Self.nameLimitBytes) bytes and no control characters")
            }
        }
        if let lifeSeconds, !(1...Self.longestLifeSeconds).contains(lifeSeconds) {
            throw .invalidParams("ttlSeconds must be an integer from 1 to \(Self.longestLifeSeconds)")
        }
    }

    /// The same order, for a token that lives no longer than this. Nil changes nothing.
    func limited(lifeSeconds limit: Int64?) throws(Rejection) -> TokenOrder {
        guard let limit else { return self }
        return try TokenOrder(
            role: role, name: name, lifeSeconds: min(lifeSeconds ?? limit, limit, Self.longestLifeSeconds),
            session: session)
    }

    package init(_ arguments: Parameters) throws(Rejection) {
        let name = try arguments.string("role")
        guard let role = Role(rawValue: name) else {
            throw .invalidParams("role must be observe, control or admin")
        }
        try self.init(
            role: role, name: try arguments.optionalString("name"),
            lifeSeconds: try arguments.optionalInteger("ttlSeconds", in: 1...Self.longestLifeSeconds))
    }
}

/// A new token with its text, which is shown only once, to the client that requested it.
package struct IssuedToken: Sendable {
    package let record: TokenRecord
    /// `tk_3f9a01c2_` and 64 hexadecimal digits.
    package let text: String

    /// `{"id":"tk_3f9a01c2","role":"observe","createdTs":…,"token":"tk_3f9a01c2_…"}`
    package func json() -> [UInt8] {
        JSONWriter.object { writer in
            record.writeFacts(to: &writer)
            writer.member("token", text)
        }
    }
}
