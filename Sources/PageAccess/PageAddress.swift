/// The address of a bridge's page, as an origin: `http://127.0.0.1:7717`. Pure.
package struct PageAddress: Sendable, Equatable, CustomStringConvertible {
    private let scheme: String
    /// `127.0.0.1:7717`
    private let authority: String

    package var description: String { "\(scheme)://\(authority)" }

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

    private init(scheme: String, authority: String) {
        self.scheme = scheme
        self.authority = authority
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
