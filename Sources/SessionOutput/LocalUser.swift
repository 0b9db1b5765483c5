import Posix

/// The names of this machine's users.
enum LocalUser {
    /// Returns `alice` for `uid 1000`, and any other text unchanged.
    ///
    /// - Parameter actor: The user that a bridge of this machine names.
    @Sendable static func name(for actor: String) -> String {
        guard actor.hasPrefix("uid "), let user = UInt32(actor.dropFirst(4)) else { return actor }
        return UserDatabase.name(of: user) ?? actor
    }
}
