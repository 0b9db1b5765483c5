import ArgumentParsing

/// A bridge whose sessions this bridge shows: `wss://b.example`, and what belongs to it.
///
/// The text is the URL and up to three words, in this order: `URL token-file=FILE ca-file=FILE name=NAME`. The
/// configuration file has an object in place of it.
package struct PeerAddress: Equatable, Sendable, CustomStringConvertible {
    package let url: String
    /// Nil: the one of `--token-file`.
    package var tokenFile: String?
    /// Certificates to trust instead of the system's, in PEM format.
    package var authoritiesFile: String?
    /// The bridge's name in lists; nil for the name that it has for itself.
    package var name: String?

    package init(url: String, tokenFile: String? = nil, authoritiesFile: String? = nil, name: String? = nil) {
        self.url = url
        self.tokenFile = tokenFile
        self.authoritiesFile = authoritiesFile
        self.name = name
    }

    package var description: String {
        let words = [("token-file", tokenFile), ("ca-file", authoritiesFile), ("name", name)]
        return words.reduce(url) { text, word in word.1.map { "\(text) \(word.0)=\($0)" } ?? text }
    }

    /// 16 peers: each has a thread and a connection.
    package static let countLimit = 16

    private static let schemes = ["wss://", "ws://", "unix:/"]
    /// A name is repeated in each row of a list.
    private static let nameLimitBytes = 256
}

extension PeerAddress: ArgumentValue {
    package static let expectation =
        "wss://HOST, ws://127.0.0.1:PORT or unix:/PATH of a bridge (its token belongs in a file)"

    package init?(argument: String) {
        var rest = argument[...]
        let name = Self.takeLast("name", from: &rest)
        let authorities = Self.takeLast("ca-file", from: &rest)
        let token = Self.takeLast("token-file", from: &rest)
        guard let scheme = Self.schemes.first(where: rest.hasPrefix), rest.count > scheme.count,
            argument.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !rest.contains(" "),
            !rest.contains("@") || scheme == "unix:/",
            [name, authorities, token].allSatisfy({ $0?.isEmpty != true }),
            (name ?? "").utf8.count <= Self.nameLimitBytes
        else { return nil }
        self.init(url: String(rest), tokenFile: token, authoritiesFile: authorities, name: name)
    }

    /// Removes ` WORD=VALUE` from the end of the text.
    private static func takeLast(_ word: String, from text: inout Substring) -> String? {
        let mark = " \(word)="
        for index in text.indices where text[index...].hasPrefix(mark) {
            defer { text = text[..<index] }
            return String(text[index...].dropFirst(mark.count))
        }
        return nil
    }
}
