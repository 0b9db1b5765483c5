import TinyvexTransport

/// A bridge whose sessions this bridge shows.
package struct PeerSettings: Sendable {
    package let endpoint: Endpoint
    /// The file whose first word is the token for the peer. Read at each connect, and kept nowhere. Nil: none is sent.
    package let tokenFile: String?
    /// A file of certificates to trust instead of the system's; nil for the system's.
    package let authorities: String?
    /// The name for lists. Nil: the name that the peer has for itself.
    package let name: String?

    package init(endpoint: Endpoint, tokenFile: String?, authorities: String? = nil, name: String? = nil) {
        self.endpoint = endpoint
        self.tokenFile = tokenFile
        self.authorities = authorities
        self.name = name
    }

    /// The address for people. A query can have a secret, so it is left out.
    package var url: String {
        let text = endpoint.description
        guard case .host = endpoint.address else { return text }
        return String(text.prefix { $0 != "?" })
    }
}
