import ArgumentParsing

/// Options of `acpbridge attach`.
package struct AttachOptions: Equatable, Sendable {
    /// The sessions as the user names them, none of them empty: the agent's session id, a prefix of it, `latest`, or
    /// `AGENT:ID`. An id can itself contain colons, so only the bridge can resolve the name. Empty: none is named.
    package var sessions: [String]
    /// Follow all running sessions, and those that begin later. Without `sessions`.
    package var running: Bool
    package var from: StartPosition
    /// The number of stored updates to begin with. The parser puts it into `from`.
    package var tail: UpdateCount?
    /// Begin with the updates of this time up to now. Not together with another `from` than `start`.
    package var since: Duration?
    /// Continue with new updates after the last stored one, until the session ends.
    package var follow: Bool
    /// Wrap each update in an object with its number and time. Also true if `--all` was given without `--pretty`, and for
    /// several sessions without a format.
    package var envelope: Bool
    /// Also print prompts, turn ends, permissions, agent start and exit.
    package var all: Bool
    /// The `sessionUpdate` kinds to print; empty means all kinds. Kinds that ACP does not define today are allowed.
    package var kinds: [String]
    /// The updates that the bridge can drop when the output is read too slowly.
    package var policy: ReaderPolicy
    /// Show the conversation in a form for people; never together with `envelope`.
    package var pretty: Bool
    /// Take part in the session from this terminal, and replace its editor if that has disconnected. Always
    /// together with `pretty`.
    package var take: Bool
    /// The value of `--format`. `envelope` and `pretty` are also true if it names them; nil if it was not given.
    package var format: AttachFormat?
    package var connection: ConnectionOptions

    package init(session: String) { self.init(sessions: [session]) }

    package init(
        sessions: [String] = [], running: Bool = false, from: StartPosition = .start, since: Duration? = nil,
        follow: Bool = true,
        envelope: Bool = false, all: Bool = false,
        kinds: [String] = [], policy: ReaderPolicy = .lossless, pretty: Bool = false, take: Bool = false,
        format: AttachFormat? = nil, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.sessions = sessions
        self.running = running
        self.from = from
        self.since = since
        self.follow = follow
        self.envelope = envelope
        self.all = all
        self.kinds = kinds
        self.policy = policy
        self.pretty = pretty
        self.take = take
        self.format = format
        self.connection = connection
    }
}

extension AttachOptions {
    /// The session, if only one is attached to; nil if it is not named.
    package var session: String? { sessions.first }

    /// More than one session can be printed.
    package var hasSeveral: Bool { running || sessions.count > 1 }

    /// The options for this output. A person at a terminal reads the conversation, unless another form was chosen.
    package func shown(onTerminal isTerminal: Bool) -> AttachOptions {
        var options = self
        if isTerminal, format == nil, !envelope, kinds.isEmpty { options.pretty = true }
        if hasSeveral, format == nil, !options.pretty { options.envelope = true }
        return options
    }
}

/// The position in a session at which `attach` begins.
package enum StartPosition: Equatable, Sendable {
    case start
    /// Begin with the next new update.
    case now
    /// Begin with the update of this number; the first one is 1.
    case number(Int64)
    /// Begin with this many stored updates before the next new one; 0 or more. Only from ``AttachOptions/tail``.
    case last(Int64)
}

/// A number of updates, 0 or more.
package struct UpdateCount: Equatable, Sendable {
    package let value: Int64
}

extension UpdateCount: ArgumentValue {
    package static let expectation = "a number of updates, 0 or higher"

    package init?(argument: String) {
        guard let value = Int64(digits: argument) else { return nil }
        self.value = value
    }
}

extension StartPosition: ArgumentValue {
    package static let choices = ["start", "now"]
    package static let expectation = "'start', 'now' or the number of an update, 1 or higher"

    package init?(argument: String) {
        switch argument {
        case "start": self = .start
        case "now": self = .now
        default:
            guard let number = Int64(digits: argument), number >= 1 else { return nil }
            self = .number(number)
        }
    }
}
