/// The address of a bridge: a URL's scheme, host, port and path.
///
///     try Endpoint("wss://bridge.example/tinyvex")
///     try Endpoint("unix:/run/user/1000/acpbridge/bridge.sock")
public struct Endpoint: Sendable, Hashable {
    public enum Address: Sendable, Hashable {
        case unix(path: String)
        /// A name or an IP address; IPv6 without brackets.
        case host(String, port: UInt16, isSecure: Bool)
    }

    public var address: Address
    /// The request's target: path and query.
    public var target: String

    public static let defaultTarget = "/tinyvex"

    public init(_ address: Address, target: String = defaultTarget) {
        self.address = address
        self.target = target
    }

    public static func unix(path: String) -> Endpoint { Endpoint(.unix(path: path)) }

    /// The value of the `Host` field (RFC 9110, section 7.2).
    public var hostField: String {
        switch address {
        case .unix: "localhost"
        case .host(let host, let port, _): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
    }
}

extension Endpoint: CustomStringConvertible {
    public var description: String {
        switch address {
        case .unix(let path): "unix:\(path)"
        case .host(_, _, let isSecure): "\(isSecure ? "wss" : "ws")://\(hostField)\(target)"
        }
    }
}

extension Endpoint {
    public enum ParseError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The text has an unknown scheme, no host after the scheme, or a port outside 1 to 65535.
        case notAnEndpoint(String)
        /// The URL contains a name and a password, or a fragment. A server would not receive them as intended.
        case notAllowed(part: String)

        public var description: String {
            switch self {
            case .notAnEndpoint(let text):
                "'\(text)' is not an endpoint; use ws://HOST:PORT, wss://HOST or unix:/PATH"
            case .notAllowed(let part): "an endpoint cannot contain a \(part); set the token separately"
            }
        }
    }

    /// Parses `ws://`, `wss://`, `http://` and `https://` URLs, `unix:/path` and `unix:///path`.
    ///
    /// The default port is 80 or 443, and the default path is `/tinyvex`. A path that ends with `/`, such as that of a proxy,
    /// is continued with `tinyvex`. Characters that would break the request's
    /// first line are refused.
    public init(_ text: String) throws(ParseError) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) || text.hasPrefix("unix:") else {
            throw .notAnEndpoint(text)
        }
        if let path = text.dropping("unix:") {
            let path = path.hasPrefix("//") ? path.dropFirst(2) : path
            guard !path.isEmpty, !path.utf8.contains(0) else { throw .notAnEndpoint(text) }
            self.init(.unix(path: String(path)))
        } else if let rest = text.dropping("wss://") ?? text.dropping("https://") {
            try self.init(rest, isSecure: true, text)
        } else if let rest = text.dropping("ws://") ?? text.dropping("http://") {
            try self.init(rest, isSecure: false, text)
        } else {
            throw .notAnEndpoint(text)
        }
    }

    private init(_ rest: Substring, isSecure: Bool, _ text: String) throws(ParseError) {
        guard !rest.contains("#") else { throw .notAllowed(part: "fragment") }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .notAllowed(part: "user name") }
        let (host, port) = try Self.split(authority, isSecure: isSecure, text)
        let target = rest.dropFirst(authority.count)
        self.init(.host(host, port: port, isSecure: isSecure), target: Self.target(target))
    }

    private static func target(_ text: Substring) -> String {
        let path = text.prefix { $0 != "?" }
        guard path.isEmpty || path.hasSuffix("/") else { return String(text) }
        return path.dropLast() + defaultTarget + text.dropFirst(path.count)
    }

    private static func split(
        _ authority: Substring, isSecure: Bool, _ text: String
    ) throws(ParseError) -> (host: String, port: UInt16) {
        var host = authority
        var port: UInt16 = isSecure ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            host = authority[..<colon]
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else {
                throw .notAnEndpoint(text)
            }
            port = number
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.contains(":") == isBracketed, !host.contains(where: { "[]\\".contains($0) }) else {
            throw .notAnEndpoint(text)
        }
        return (String(host), port)
    }
}

extension String {
    /// Returns the text after this beginning, which is compared without regard to case; nil if the text begins
    /// differently.
    fileprivate func dropping(_ beginning: String) -> Substring? {
        let isThere = prefix(beginning.count).lowercased() == beginning
        return isThere ? dropFirst(beginning.count) : nil
    }
}
