/// The address of a bridge's page: `http://127.0.0.1:7717`, or `https://bridge.example/base` behind a proxy. Pure.
package struct PageAddress: Sendable, Equatable, CustomStringConvertible {
    private let scheme: String
    /// `127.0.0.1:7717`
    private let authority: String
    /// `/base`; empty for the root.
    private let path: String

    package var description: String { "\(scheme)://\(authority)\(path)" }

    /// - Parameter url: the URL of a page or of a WebSocket: `https://bridge.example` or `ws://127.0.0.1:7717/tinyvex`.
    /// - Returns: nil if the URL has another scheme or no host.
    package init?(_ url: String) {
        let schemes = ["http": "http", "https": "https", "ws": "http", "wss": "https"]
        guard let end = url.firstIndex(of: ":"), let scheme = schemes[url[..<end].lowercased()],
            url[end...].hasPrefix("://")
        else { return nil }
        let authority = url[end...].dropFirst(3).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, authority.first != ":" else { return nil }
        self.init(scheme: scheme, authority: String(authority))
    }

    /// - Parameter publicURL: `publicUrl` of `bridge:status`, whose path belongs to the page's address.
    /// - Returns: nil if the URL has another scheme, no host, or a query or fragment.
    package init?(publicURL: String) {
        guard let address = PageAddress(publicURL), publicURL.hasPrefix("\(address)") else { return nil }
        var path = publicURL.dropFirst("\(address)".count)
        guard !path.contains(where: { "?#".contains($0) }) else { return nil }
        while path.last == "/" { path = path.dropLast() }
        self.init(scheme: address.scheme, authority: address.authority, path: String(path))
    }

    private init(scheme: String, authority: String, path: String = "") {
        self.scheme = scheme
        self.authority = authority
        self.path = path
    }

    /// The host without a port and brackets, in lower case.
    package var host: String {
        let name =
            authority.hasPrefix("[") ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return name.lowercased()
    }

    /// Only programs on the bridge's machine can connect.
    package var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
    }

    /// The bridge listens on all addresses of its machine.
    private var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    /// The address for a browser on the bridge's machine; nil if the bridge has no TCP address.
    package static func local(of urls: [String]) -> PageAddress? {
        let addresses = urls.compactMap { PageAddress($0) }
        return addresses.first(where: \.isLoopback)
            ?? addresses.first(where: \.isWildcard).map { address in
                let port = address.authority.dropFirst(
                    address.authority.hasPrefix("[") ? "[::]".count : "0.0.0.0".count)
                return PageAddress(scheme: address.scheme, authority: "localhost\(port)")
            } ?? addresses.first
    }

    /// The address for another machine; nil if the bridge listens on loopback only, or on all addresses, of which none
    /// is known here.
    package static func remote(of urls: [String]) -> PageAddress? {
        urls.compactMap { PageAddress($0) }.first { !$0.isLoopback && !$0.isWildcard }
    }

    /// The page's URL with a code. A browser does not send the fragment to the server.
    package func url(code: String) -> String { "\(self)/#code=\(code)" }
}
