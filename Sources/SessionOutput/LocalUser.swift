import Posix

/// The names of this machine's users.
package enum LocalUser {
    /// Returns `alice` for `uid 1000`, and any other text unchanged.
    ///
    /// - Parameter actor: The user that a bridge of this machine names.
    @Sendable static func name(for actor: String) -> String {
        guard actor.hasPrefix("uid "), let user = UInt32(actor.dropFirst(4)) else { return actor }
        return UserDatabase.name(of: user) ?? actor
    }

    /// Returns the text with the names of the users in place of `uid 1000`.
    package static func names(in text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        var named: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word == "uid", let number = rest.first else {
                named.append(String(word))
                continue
            }
            let actor = "uid \(number)"
            let name = name(for: actor)
            named.append(name == actor ? "uid" : name)
            if name != actor { rest = rest.dropFirst() }
        }
        return named.joined(separator: " ")
    }
}
