import ArgumentParsing

/// Options of `acpbridge serve`.
package struct ServeOptions: Equatable, Sendable {
    /// TCP addresses to listen on; nil if none was given, which means `127.0.0.1:7717`. Never given together with
    /// `noTCP`.
    package var listen: [ListenAddress]?
    /// Listen on the Unix socket only.
    package var noTCP: Bool
    /// The certificate file of the TCP listeners, in PEM format. Given together with `tlsKey`, or not at all.
    package var tlsCertificate: String?
    package var tlsKey: String?
    /// Never given together with `noTCP`.
    package var proxy: ProxyOptions
    /// Compress messages to clients on other machines that offer compression.
    package var deflates: Bool
    /// Compress messages to clients on this machine, too.
    package var deflatesForAll: Bool
    package var durability: DurabilityOption
    package var issuedTokens: IssuedTokenOptions
    /// Origins of web pages that are allowed to connect.
    package var allowOrigins: [WebOrigin]
    /// Host names that TCP clients can use, in addition to those of loopback and the listening addresses.
    package var allowHosts: [HostName]
    /// Limits in the order of the command line; the last value for a limit is used.
    package var limits: [LimitSetting]
    /// Default permission timeout while an agent has no client. `stdio` can override it. Nil means no timeout.
    package var permissionLimit: Duration?
    /// The sessions to keep in the log; nil keeps all.
    package var retention: RetentionText?
    /// The file with the rules of notifications; nil means the one in the configuration folder, if it exists.
    package var notifications: String?
    /// The minimum time for which full files of the audit log are kept; nil keeps only the newest.
    package var auditRetention: Duration?
    /// The use of `hub`; `.ship` without a hub.
    package var hubRole: HubRole
    /// Store the words of shipped sessions at `hub`.
    package var hubSearch: Bool
    /// The requests of other bridges that this bridge accepts; `.none` without a hub.
    package var hubCommands: HubCommandsOption
    /// Start no agents.
    package var noAgents: Bool
    /// Keep no full-text index of the sessions.
    package var noSearch: Bool
    /// The PostgreSQL database to which the log is shipped; nil for none.
    package var hub: HubAddress?
    /// The bridges whose sessions are shown. With `tokenFiles`, those without a token file of their own get one.
    package var peers: [PeerAddress]
    /// The files with the tokens for `peers`: one for all, or one for each in their order.
    package var tokenFiles: [String]
    package var diagnostics: DiagnosticsOptions
    package var tracing: TracingOptions
    /// The configuration file; nil for the one in the configuration folder, if it exists.
    package var configurationFile: String?
    /// Replace the running bridge, inside its process.
    package var replaces: Bool
    /// The bridge was started by `acpbridge stdio`, not by a person. The help pages do not list the option
    /// (`--on-demand`).
    package var isOnDemand: Bool

    package init(
        listen: [ListenAddress]? = nil, noTCP: Bool = false, tlsCertificate: String? = nil, tlsKey: String? = nil,
        proxy: ProxyOptions = ProxyOptions(), deflates: Bool = false, deflatesForAll: Bool = false,
        durability: DurabilityOption = .normal,
        issuedTokens: IssuedTokenOptions = IssuedTokenOptions(),
        allowOrigins: [WebOrigin] = [], allowHosts: [HostName] = [], limits: [LimitSetting] = [],
        permissionLimit: Duration? = nil, retention: RetentionText? = nil, notifications: String? = nil,
        auditRetention: Duration? = nil, hub: HubAddress? = nil, hubRole: HubRole = .ship, hubSearch: Bool = false,
        hubCommands: HubCommandsOption = .none,
        noAgents: Bool = false, noSearch: Bool = false, peers: [PeerAddress] = [], tokenFiles: [String] = [],
        diagnostics: DiagnosticsOptions = DiagnosticsOptions(), tracing: TracingOptions = TracingOptions(),
        configurationFile: String? = nil,
        replaces: Bool = false, isOnDemand: Bool = false
    ) {
        self.listen = listen
        self.noTCP = noTCP
        self.tlsCertificate = tlsCertificate
        self.tlsKey = tlsKey
        self.proxy = proxy
        self.deflates = deflates
        self.deflatesForAll = deflatesForAll
        self.durability = durability
        self.issuedTokens = issuedTokens
        self.allowOrigins = allowOrigins
        self.allowHosts = allowHosts
        self.limits = limits
        self.permissionLimit = permissionLimit
        self.retention = retention
        self.notifications = notifications
        self.auditRetention = auditRetention
        self.hubRole = hubRole
        self.hubSearch = hubSearch
        self.hubCommands = hubCommands
        self.noAgents = noAgents
        self.noSearch = noSearch
        self.hub = hub
        self.peers = peers
        self.tokenFiles = tokenFiles
        self.diagnostics = diagnostics
        self.tracing = tracing
        self.configurationFile = configurationFile
        self.replaces = replaces
        self.isOnDemand = isOnDemand
    }
}

/// Options for traces of turns.
package struct TracingOptions: Equatable, Sendable {
    /// The collector; nil for no traces.
    package var endpoint: CollectorURL?
    /// Traces contain prompts and arguments. Given together with `endpoint`.
    package var includesContent = false
    /// Agents send telemetry of their own to the collector. Given together with `endpoint`.
    package var includesAgents = false
    /// The file with the HTTP fields for the collector. Given together with `endpoint`.
    package var headersFile: String?

    package init(
        endpoint: CollectorURL? = nil, includesContent: Bool = false, includesAgents: Bool = false,
        headersFile: String? = nil
    ) {
        self.endpoint = endpoint
        self.headersFile = headersFile
        self.includesContent = includesContent
        self.includesAgents = includesAgents
    }
}

/// The data that a power failure can lose. A killed process loses nothing in either mode.
package enum DurabilityOption: String, CaseIterable, Sendable {
    /// A sync starts within 50 ms of the oldest update that is not synced.
    case normal
    /// No data; every commit waits for the disk.
    case full
    /// As ``normal``, but readers are sent only what the hub has.
    case hub
}

extension DurabilityOption: ArgumentValue {}

/// The use of a hub.
package enum HubRole: String, CaseIterable, Sendable {
    /// The bridge's log is shipped.
    case ship
    /// The sessions of other bridges are shown.
    case serve
    case both
}

extension HubRole: ArgumentValue {}

/// The requests of other bridges that a bridge accepts for its sessions.
package enum HubCommandsOption: String, CaseIterable, Sendable {
    case none
    /// With a token of an issuer that the bridge knows.
    case jwt
    case all
}

extension HubCommandsOption: ArgumentValue {}
