import ArgumentParsing

/// The origin of a web page as a browser sends it in the `Origin` header: scheme, host, and the port unless it is
/// the scheme's default (`https://app.example`, `http://localhost:3000`).
///
/// Source: RFC 6454, section 6.1.
package struct WebOrigin: Equatable, Sendable, CustomStringConvertible {
    /// The origin in lower case, without a trailing slash.
    package let description: String
}

extension WebOrigin: ArgumentValue {
    package static let expectation =
        "a scheme and a host without a path, such as https://app.example or http://localhost:3000"

    /// Rejects a path, even `/`. Browsers do not send one, so the origin would never match.
    package init?(argument: String) {
        guard let scheme = ["http://", "https://"].first(where: argument.lowercased().hasPrefix) else { return nil }
        let authority = argument.utf8.dropFirst(scheme.utf8.count)
        guard let first = authority.first, first != UInt8(ascii: ":"),
            authority.allSatisfy({ (0x21...0x7E).contains($0) && !"/?#@*".utf8.contains($0) })
        else { return nil }
        description = argument.lowercased()
    }
}
