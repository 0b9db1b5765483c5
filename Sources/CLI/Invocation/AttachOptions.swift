/// Options of `acpbridge attach`.
public struct AttachOptions: Equatable, Sendable {
    /// The session as the user names it, not empty: the agent's session id, a prefix of it, `latest`, or
    /// `AGENT:ID`. An id can itself contain colons, so only the bridge can resolve the name.
    public var session: String
    public var from: StartPosition
    /// Continue with new updates after the last stored one, until the session ends.
    public var follow: Bool
    /// Wrap each update in an object with its number and time. Also true if `--all` was given without `--pretty`.
    public var envelope: Bool
    /// Also print prompts, turn ends, permissions, agent start and exit.
    public var all: Bool
    /// The `sessionUpdate` kinds to print; empty means all kinds. Kinds that ACP does not define today are allowed.
    public var kinds: [String]
    /// The updates that the bridge can drop when the output is read too slowly.
    public var policy: ReaderPolicy
    /// Show the conversation in a form for people; never together with `envelope`.
    public var pretty: Bool
    /// Take part in the session from this terminal, and replace its editor if that has disconnected. Always
    /// together with `pretty`.
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

/// The position in a session at which `attach` begins.
public enum StartPosition: Equatable, Sendable {
    case start
    /// Begin with the next new update.
    case now
    /// Begin with the update of this number; the first one is 1.
    case number(Int64)
}
