/// Options of `acpbridge serve`.
public struct ServeOptions: Equatable, Sendable {
    /// TCP addresses to listen on; nil if none was given, which means `127.0.0.1:7717`. Never given together with
    /// `noTCP`.
    public var listen: [ListenAddress]?
    /// Listen on the Unix socket only.
    public var noTCP: Bool
    /// The certificate file of the TCP listeners, in PEM format. Given together with `tlsKey`, or not at all.
    public var tlsCertificate: String?
    public var tlsKey: String?
    /// Compress messages to clients on other machines that offer compression.
    public var deflates: Bool
    /// Compress messages to clients on this machine, too.
    public var deflatesForAll: Bool
    public var durability: Durability
    /// Files with the keys of token issuers. Given together with `jwtAudience`, or not at all.
    public var jwtKeys: [String]
    public var jwtAudience: String?
    /// Origins of web pages that are allowed to connect.
    public var allowOrigins: [WebOrigin]
    /// Host names that TCP clients can use, in addition to those of loopback and the listening addresses.
    public var allowHosts: [HostName]
    /// Limits in the order of the command line; the last value for a limit is used.
    public var limits: [LimitSetting]
    /// Default permission timeout while an agent has no client. `stdio` can override it. Nil means no timeout.
    public var permissionLimit: Duration?
    /// The sessions to keep in the log; nil keeps all.
    public var retention: RetentionText?
    /// Replace the running bridge, inside its process.
    public var replaces: Bool
    /// The bridge was started by `acpbridge stdio`, not by a person. The help pages do not list the option
    /// (`--on-demand`).
    public var isOnDemand: Bool

    public init(
        listen: [ListenAddress]? = nil, noTCP: Bool = false, tlsCertificate: String? = nil, tlsKey: String? = nil,
        deflates: Bool = false, deflatesForAll: Bool = false, durability: Durability = .normal,
        jwtKeys: [String] = [], jwtAudience: String? = nil,
        allowOrigins: [WebOrigin] = [], allowHosts: [HostName] = [], limits: [LimitSetting] = [],
        permissionLimit: Duration? = nil, retention: RetentionText? = nil, replaces: Bool = false,
        isOnDemand: Bool = false
    ) {
        self.listen = listen
        self.noTCP = noTCP
        self.tlsCertificate = tlsCertificate
        self.tlsKey = tlsKey
        self.deflates = deflates
        self.deflatesForAll = deflatesForAll
        self.durability = durability
        self.jwtKeys = jwtKeys
        self.jwtAudience = jwtAudience
        self.allowOrigins = allowOrigins
        self.allowHosts = allowHosts
        self.limits = limits
        self.permissionLimit = permissionLimit
        self.retention = retention
        self.replaces = replaces
        self.isOnDemand = isOnDemand
    }
}

/// The data that a power failure can lose. A killed process loses nothing in either mode.
public enum Durability: String, CaseIterable, Sendable {
    /// At most the last 50 ms of data.
    case normal
    /// No data; every commit waits for the disk.
    case full
}
