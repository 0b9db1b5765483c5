import JSONScan
import Tinyvex

/// What a token is asked to be: `{"role":"observe","ttlSeconds":86400,"name":"phone"}`.
public struct TokenOrder: Sendable, Equatable {
    public let role: Role
    public let name: String?
    /// How long it is good for; nil for ever.
    public let lifeSeconds: Int64?

    /// A hundred years: longer than any is meant to be, and far from overflowing a time.
    public static let longestLifeSeconds: Int64 = 100 * 366 * 86_400
    /// A name is a hint for people.
    static let nameLimitBytes = 100

    public init(role: Role, name: String?, lifeSeconds: Int64?) throws(Rejection) {
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

    init(_ arguments: Parameters) throws(Rejection) {
        let name = try arguments.string("role")
        guard let role = Role(rawValue: name) else {
            throw .invalidParams("role must be observe, control or admin")
        }
        try self.init(
            role: role, name: try arguments.optionalString("name"),
            lifeSeconds: try arguments.optionalInteger("ttlSeconds", in: 1...Self.longestLifeSeconds))
    }
}

/// A token as it is shown once, to whoever asked for it.
public struct IssuedToken: Sendable {
    public let record: TokenRecord
    /// `tk_3f9a01c2_` and 64 hexadecimal digits.
    public let text: String

    /// `{"id":"tk_3f9a01c2","role":"observe","createdTs":…,"token":"tk_3f9a01c2_…"}`
    public func json() -> [UInt8] {
        JSONWriter.object { writer in
            record.writeFacts(to: &writer)
            writer.member("token", text)
        }
    }
}
