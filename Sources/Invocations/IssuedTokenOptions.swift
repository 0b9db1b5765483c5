import ArgumentParsing
import TextSearch

/// Options for tokens (JWT) of an issuer. Without keys, all of them are absent.
package struct IssuedTokenOptions: Equatable, Sendable {
    /// Files with one key each. `audience` is given if there are keys, and only then.
    package var keyFiles: [String] = []
    /// A set of keys (JWKS).
    package var keySet: KeySetLocation?
    package var audience: String?
    /// The required `iss`; nil for any.
    package var issuer: String?
    package var tenantClaim: String?
    package var roleClaim: String?
    package var subjectClaim: String?
    /// The issuer's names of the roles; empty for the bridge's own names.
    package var roles: [RoleNameSetting] = []

    package init() {}

    package var hasKeys: Bool { !keyFiles.isEmpty || keySet != nil }

    /// True if an option is given that has no effect without keys.
    package var hasRules: Bool {
        issuer != nil || tenantClaim != nil || roleClaim != nil || subjectClaim != nil || !roles.isEmpty
    }
}

/// Where a set of keys is: a URL or a file.
package enum KeySetLocation: Equatable, Sendable {
    /// `https://…`, or `http://…` with a loopback host.
    case url(String)
    case file(String)

    package var file: String? {
        if case .file(let path) = self { return path }
        return nil
    }
}

extension KeySetLocation: ArgumentValue {
    package static let expectation =
        "a file, an https URL, or an http URL of this machine, such as https://login.example/.well-known/jwks.json"

    /// Rejects a user and a password, because the URL is in the list of processes and in `config show`. Over http,
    /// another machine on the way could replace the keys.
    package init?(argument: String) {
        guard argument.contains(text: "://") else {
            guard !argument.isEmpty else { return nil }
            self = .file(argument)
            return
        }
        let lowercased = argument.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else { return nil }
        let rest = argument.utf8.dropFirst(scheme.utf8.count)
        guard let first = rest.first, !":/?".utf8.contains(first), argument.utf8.count <= 2_000,
            rest.allSatisfy({ (0x21...0x7E).contains($0) && !"#@\\".utf8.contains($0) })
        else { return nil }
        let authority = lowercased.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        if scheme == "http://", !Self.isLoopback(authority) { return nil }
        self = .url(argument)
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        ["127.0.0.1", "localhost", "[::1]"].contains { host in
            guard authority.hasPrefix(host) else { return false }
            let port = authority.dropFirst(host.count)
            return port.isEmpty || (port.first == ":" && UInt16(port.dropFirst()) != nil)
        }
    }
}

/// The bridge's role for a name in the role claim of an issuer's tokens: `editor=control`.
package struct RoleNameSetting: Equatable, Sendable {
    package let name: String
    package let role: TokenRole

    package init(_ name: String, _ role: TokenRole) {
        self.name = name
        self.role = role
    }
}

extension RoleNameSetting: ArgumentValue {
    package static let expectation = "NAME=observe or NAME=control, where NAME has no space"

    /// The role ends at the last `=`, because the name is the issuer's choice. An issuer cannot give the role `admin`.
    package init?(argument: String) {
        guard let mark = argument.lastIndex(of: "="), mark > argument.startIndex else { return nil }
        let name = String(argument[..<mark])
        guard let role = TokenRole(rawValue: String(argument[argument.index(after: mark)...])), role != .admin,
            !name.utf8.contains(where: { $0 <= 0x20 })
        else { return nil }
        self.init(name, role)
    }
}
