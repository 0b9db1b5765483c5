/// Options for a bridge behind a reverse proxy.
package struct ProxyOptions: Equatable, Sendable {
    /// Addresses other than loopback are allowed without TLS, because a proxy with TLS is in front of the bridge.
    package var isInFront = false
    /// The address under which others reach the bridge; nil if it is not known.
    package var publicURL: PublicURL?
    /// The proxies whose `X-Forwarded-For` is believed, for limits and the audit log.
    package var trusted: [ProxyAddress] = []

    package init(isInFront: Bool = false, publicURL: PublicURL? = nil, trusted: [ProxyAddress] = []) {
        self.isInFront = isInFront
        self.publicURL = publicURL
        self.trusted = trusted
    }
}
