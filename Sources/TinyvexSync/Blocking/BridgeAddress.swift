import Glibc

/// Where a bridge is reached.
public enum BridgeAddress: Sendable, Equatable, CustomStringConvertible {
    case unix(path: String)
    /// Over TCP, without TLS.
    case tcp(host: String, port: UInt16)

    public enum ParseError: Error, Equatable, CustomStringConvertible {
        case notAnEndpoint(String)
        case tlsNotSupported
        /// Neither an IP address nor `localhost`.
        case notAnAddress(host: String)

        public var description: String {
            switch self {
            case .notAnEndpoint(let text): "\(text) is no endpoint; write ws://HOST:PORT or unix:PATH"
            case .tlsNotSupported: "wss:// is not supported by this version; connect through `ssh -L` with ws://"
            case .notAnAddress(let host):
                "'\(host)' is no IP address, and names are not looked up; to reach a bridge on another machine, use `ssh -L` "
                    + "and ws://127.0.0.1:PORT"
            }
        }
    }

    /// Reads `unix:/run/bridge.sock` or `ws://127.0.0.1:7717/tinyvex`; the path of a URL is always `/tinyvex`.
    public init(_ text: String) throws(ParseError) {
        if text.hasPrefix("unix:") {
            self = .unix(path: String(text.dropFirst(5)))
        } else if text.hasPrefix("wss://") {
            throw .tlsNotSupported
        } else if text.hasPrefix("ws://") {
            self = try Self.tcp(authority: text.dropFirst(5).prefix { $0 != "/" }, text)
        } else {
            throw .notAnEndpoint(text)
        }
    }

    private static func tcp(authority: Substring, _ text: String) throws(ParseError) -> BridgeAddress {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
            return .tcp(host: try address(authority), port: 80)
        }
        guard let port = UInt16(authority[authority.index(after: colon)...]) else { throw .notAnEndpoint(text) }
        return .tcp(host: try address(authority[..<colon]), port: port)
    }

    private static func address(_ text: Substring) throws(ParseError) -> String {
        if text == "localhost" || text.isEmpty { return "127.0.0.1" }
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let address = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
        var binary = in6_addr()
        guard inet_pton(isBracketed ? AF_INET6 : AF_INET, address, &binary) == 1 else {
            throw .notAnAddress(host: String(text))
        }
        return address
    }

    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): "ws://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }

    /// The value of the `Host` field.
    var hostField: String {
        switch self {
        case .unix: "localhost"
        case .tcp(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}
