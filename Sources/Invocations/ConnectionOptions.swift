/// The bridge to connect to, and the credentials. Every subcommand that queries a bridge has these options.
package struct ConnectionOptions: Equatable, Sendable {
    /// The bridge's address; nil means the user's own bridge, on its Unix socket.
    package var url: BridgeURL?
    /// The file with the access token; nil means `ACPBRIDGE_TOKEN`, if it is set.
    package var tokenFile: String?
    /// A file of certificates in PEM format to trust instead of the system's.
    package var authoritiesFile: String?

    package init(url: BridgeURL? = nil, tokenFile: String? = nil, authoritiesFile: String? = nil) {
        self.url = url
        self.tokenFile = tokenFile
        self.authoritiesFile = authoritiesFile
    }
}

/// Options of `acpbridge agents` and `acpbridge status`.
package struct ReportOptions: Equatable, Sendable {
    /// Print JSON, one object per line, instead of text for people.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(json: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.json = json
        self.connection = connection
    }
}
