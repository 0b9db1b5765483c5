import ArgumentParsing

/// The address of a bridge: `ws://127.0.0.1:7717`, `wss://bridge.example` or `unix:/run/user/1000/…`.
package enum BridgeURL: Equatable, Sendable, CustomStringConvertible {
    /// The whole URL, including `ws://` or `wss://`. Its host is not empty; nothing else is checked.
    case webSocket(url: String)
    case unixSocket(path: String)

    /// The address in the form of the command line.
    package var description: String {
        switch self {
        case .webSocket(let url): url
        case .unixSocket(let path): "unix:\(path)"
        }
    }
}

extension BridgeURL: ArgumentValue {
    package static let expectation =
        "ws://HOST:PORT, wss://HOST, the same with http or https, or unix:PATH (a token belongs in --token-file)"

    /// The address of a bridge's page names the same bridge, so `http` is read as `ws`, and `https` as `wss`.
    private static let schemes = ["ws://": "ws://", "wss://": "wss://", "http://": "ws://", "https://": "wss://"]

    /// Rejects a user name, a query or a fragment. A token in one of them would appear in logs, and a bridge does
    /// not read it there.
    package init?(argument: String) {
        if argument.hasPrefix("unix:") {
            let path = argument.dropFirst("unix:".count)
            guard !path.isEmpty else { return nil }
            self = .unixSocket(path: String(path))
            return
        }
        guard let (scheme, read) = Self.schemes.first(where: { argument.hasPrefix($0.key) }) else { return nil }
        let rest = argument.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard !authority.isEmpty, authority.utf8.first != UInt8(ascii: ":"),
            argument.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"@?#".utf8.contains($0) })
        else { return nil }
        self = .webSocket(url: read + rest)
    }
}
