import Tinyvex

/// A request for a link to one session: `{"sessionId":"s1","role":"observe","ttlSeconds":259200,"name":"review"}`.
package struct ShareOrder: Sendable, Equatable {
    package let role: Role
    package let name: String?
    /// The lifetime of the token in seconds.
    package let lifeSeconds: Int64

    /// Three days.
    private static let standardSeconds: Int64 = 3 * 86_400
    /// A year. A link is passed on, so it must end.
    private static let longestSeconds: Int64 = 366 * 86_400

    package init(_ arguments: Parameters) throws(Rejection) {
        let role = try arguments.optionalString("role") ?? Role.observe.rawValue
        guard let role = Role(rawValue: role), role < .admin else {
            throw .invalidParams("role must be observe or control")
        }
        self.role = role
        name = try arguments.optionalString("name")
        lifeSeconds =
            try arguments.optionalInteger("ttlSeconds", in: 1...Self.longestSeconds) ?? Self.standardSeconds
    }
}
