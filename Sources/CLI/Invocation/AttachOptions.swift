/// Options of `acpbridge attach`.
public struct AttachOptions: Equatable, Sendable {
    /// A session as the user names it, not empty: the agent's session id, a prefix of one, `latest`, or `AGENT:ID`.
    /// An id may itself hold colons, so only the bridge can tell which of these it is.
    public var session: String
    public var from: StartPosition
    /// Go on with what comes after the last stored update, until the session ends.
    public var follow: Bool
    /// Wrap each update in an object with its number and time. Also true where `--all` was given without `--pretty`.
    public var envelope: Bool
    /// Print prompts, turn ends, permissions, agent start and exit beside the updates.
    public var all: Bool
    /// The `sessionUpdate` kinds to print, empty for every kind. A kind need not be one that ACP knows today.
    public var kinds: [String]
    /// What may be left out when what is printed is read too slowly.
    public var policy: ReaderPolicy
    /// Show the conversation for a person; never together with `envelope`.
    public var pretty: Bool
    /// Take part from this terminal, in the editor's place where that has gone. Always together with `pretty`.
    public var take: Bool
    public var connection: ConnectionOptions

    public init(
        session: String, from: StartPosition = .start, follow: Bool = true, envelope: Bool = false, all: Bool = false,
        kinds: [String] = [], policy: ReaderPolicy = .lossless, pretty: Bool = false, take: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.from = from
        self.follow = follow
        self.envelope = envelope
        self.all = all
        self.kinds = kinds
        self.policy = policy
        self.pretty = pretty
        self.take = take
        self.connection = connection
    }
}

/// Where in a session `attach` begins.
public enum StartPosition: Equatable, Sendable {
    case start
    /// With the next update to come.
    case now
    /// With the update of this number; the first one is 1.
    case number(Int64)
}
