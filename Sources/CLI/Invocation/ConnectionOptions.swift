/// The bridge to connect to, and the credentials. Every subcommand that queries a bridge has these options.
public struct ConnectionOptions: Equatable, Sendable {
    /// The bridge's address; nil means the user's own bridge, on its Unix socket.
    public var url: BridgeURL?
    /// The file with the access token; nil means `ACPBRIDGE_TOKEN`, if it is set.
    public var tokenFile: String?
    /// A file of certificates in PEM format to trust instead of the system's.
    public var authoritiesFile: String?

    public init(url: BridgeURL? = nil, tokenFile: String? = nil, authoritiesFile: String? = nil) {
        self.url = url
        self.tokenFile = tokenFile
        self.authoritiesFile = authoritiesFile
    }
}

/// Options of `acpbridge sessions`.
public struct SessionsOptions: Equatable, Sendable {
    /// Print one JSON object per line instead of a table.
    public var json: Bool
    /// Also list sessions whose agent has exited.
    public var all: Bool
    public var connection: ConnectionOptions

    public init(json: Bool = false, all: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.json = json
        self.all = all
        self.connection = connection
    }
}

/// Options of `acpbridge agents` and `acpbridge status`.
public struct ReportOptions: Equatable, Sendable {
    /// Print JSON, one object per line, instead of text for people.
    public var json: Bool
    public var connection: ConnectionOptions

    public init(json: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.json = json
        self.connection = connection
    }
}
