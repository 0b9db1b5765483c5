import ArgumentParsing
import TextSearch

/// The address of a hub: a PostgreSQL URI, or libpq's form `host=… dbname=…`. It can contain a password, so it is never
/// printed as it is.
package struct HubAddress: Equatable, Sendable {
    package let text: String

    /// True if the text itself contains a password.
    package var hasPassword: Bool { masked != text }

    /// The text with `***` in place of each password.
    package var masked: String {
        guard let scheme = Self.schemes.first(where: text.hasPrefix) else { return Self.maskedWords(text) }
        return scheme + Self.maskedURI(text.dropFirst(scheme.count))
    }

    private static let schemes = ["postgres://", "postgresql://"]

    /// `USER:PASSWORD@HOST/DATABASE?password=PASSWORD`. The user ends at the first colon, and the password at the last
    /// `@` before the parameters, because a password can contain an `@`.
    private static func maskedURI(_ rest: Substring) -> String {
        let query = rest.firstIndex(of: "?") ?? rest.endIndex
        var authority = String(rest[..<query])
        if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
            authority = authority[..<colon] + ":***" + authority[at...]
        }
        let parameters = rest[query...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).map {
            isSecret(String($0.prefix { $0 != "=" })) ? "\($0.prefix { $0 != "=" })=***" : String($0)
        }
        return authority + (query < rest.endIndex ? "?" + parameters.joined(separator: "&") : "")
    }

    /// A value in quotes can contain spaces, so everything after a secret's name is masked.
    private static func maskedWords(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard let secret = words.firstIndex(where: { isSecret(String($0.prefix { $0 != "=" })) }) else { return text }
        return (words[..<secret].map(String.init) + ["\(words[secret].prefix { $0 != "=" })=***"]).joined(
            separator: " ")
    }

    /// `passfile` names a file, which is not a secret.
    private static func isSecret(_ name: String) -> Bool { ["password", "sslpassword"].contains(name.lowercased()) }
}

extension HubAddress: ArgumentValue {
    package static let expectation =
        "postgres://USER@HOST/DATABASE (a password belongs in a passfile or the environment)"

    package init?(argument: String) {
        let isURI = Self.schemes.contains { argument.hasPrefix($0) && argument.count > $0.count }
        let isText = argument.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isText, isURI || (!argument.contains(text: "://") && argument.contains("=")) else { return nil }
        text = argument
    }
}
