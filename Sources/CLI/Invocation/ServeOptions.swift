/// Options of `acpbridge serve`.
public struct ServeOptions: Equatable, Sendable {
    /// TCP addresses to listen on; nil where none was named, which means `127.0.0.1:7717`.
    /// Never given together with `noTCP`.
    public var listen: [ListenAddress]?
    /// Only the Unix socket is served.
    public var noTCP: Bool
    /// The file of the certificate that TCP listeners show, in PEM. Given together with `tlsKey`, or not at all.
    public var tlsCertificate: String?
    public var tlsKey: String?
    /// Clients on other machines are sent compressed messages, if they ask for it.
    public var deflates: Bool
    /// So are those on this one.
    public var deflatesForAll: Bool
    public var durability: Durability
    /// Files with the keys of those who issue tokens. Given together with `jwtAudience`, or not at all.
    public var jwtKeys: [String]
    public var jwtAudience: String?
    /// Origins from which a browser's page may connect.
    public var allowOrigins: [WebOrigin]
    /// Names beside loopback's and the listening addresses' under which clients may ask over TCP.
    public var allowHosts: [HostName]
    /// In the order in which they were given: of two for one limit the last counts.
    public var limits: [LimitSetting]
    /// How long what an agent asks to be allowed waits while nobody has the agent, where 'stdio' has not said; nil for
    /// ever.
    public var permissionLimit: Duration?
    /// What of the log is kept; nil for all.
    public var retention: RetentionText?
    /// Take the place of the bridge that runs, in its very process.
    public var replaces: Bool
    /// Started by `acpbridge stdio`, not by a person. The option (`--on-demand`) is in no help page.
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

/// What a power cut may cost. A killed process loses nothing with either.
public enum Durability: String, CaseIterable, Sendable {
    /// A sync starts within 50 ms of the oldest update that is not synced.
    case normal
    /// Nothing; every commit waits for the disk.
    case full
}
