/// Which bridge to talk to, and with what right: options of every subcommand that asks a bridge.
public struct ConnectionOptions: Equatable, Sendable {
    /// The bridge's address; nil means the user's own, on its Unix socket.
    public var url: BridgeURL?
    /// The file that holds the access token; nil means `ACPBRIDGE_TOKEN`, if that is set.
    public var tokenFile: String?
    /// A file of certificates in PEM form to trust in place of the system's.
    public var authoritiesFile: String?

    public init(url: BridgeURL? = nil, tokenFile: String? = nil, authoritiesFile: String? = nil) {
        self.url = url
        self.tokenFile = tokenFile
        self.authoritiesFile = authoritiesFile
    }
}

/// Options of `acpbridge sessions`.
public struct SessionsOptions: Equatable, Sendable {
    /// One JSON object a line, in place of a table.
    public var json: Bool
    /// Sessions whose agent has ended, too.
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
    /// JSON, one object a line, in place of text for a person.
    public var json: Bool
    public var connection: ConnectionOptions

    public init(json: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.json = json
        self.connection = connection
    }
}
