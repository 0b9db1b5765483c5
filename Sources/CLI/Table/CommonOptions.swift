import ArgumentParsing
import Invocations

extension Option {
    static func json(sets path: @autoclosure @escaping LazyPath<Values, Bool>) -> Self {
        .flag("json", sets: path(), help: "Print JSON, one object per line.")
    }
}

extension Option<ConnectionOptions> {
    /// The bridge to connect to. Every subcommand that queries a bridge has these options.
    static var connection: [Self] {
        [
            .value(
                "url", "URL", into: \.url, default: "$ACPBRIDGE_URL, or your own bridge's Unix socket",
                help: "The bridge to connect to: ws://HOST:PORT, wss://HOST or unix:PATH."),
            .value(
                "token-file", "FILE", into: \.tokenFile, completion: .file, default: "$ACPBRIDGE_TOKEN",
                help: "Read the access token from this file."),
            .value(
                "ca-file", "FILE", into: \.authoritiesFile, completion: .file, default: "the system's authorities",
                help: "For wss://: trust only the certificates in this PEM file."),
        ]
    }
}

extension Option {
    /// The connection options, for a subcommand that stores them at `path`.
    static func connection(
        in path: @autoclosure @escaping LazyPath<Values, ConnectionOptions>
    ) -> [Self] {
        Option<ConnectionOptions>.connection.map { $0.embedded(in: path()) }
    }

    /// The credentials, for a subcommand that names the bridge in another way.
    static func access(in path: @autoclosure @escaping LazyPath<Values, ConnectionOptions>)
        -> [Self]
    {
        Option<ConnectionOptions>.connection.filter { $0.description.name != "url" }.map { $0.embedded(in: path()) }
    }
}

extension Operand {
    /// The session, as the user names it.
    static func session(
        into path: @autoclosure @escaping LazyPath<Values, String>, completion: CompletionHint = .session
    ) -> Self {
        .required(
            "SESSION", into: path(), completion: completion,
            hintIfMissing: """
                Write 'latest', an id, the beginning of an id, or a title; 'acpbridge sessions' lists them.
                """,
            help: sessionHelp)
    }

    private static var sessionHelp: String {
        """
        The agent's session id, or a unique prefix of it; 'latest'; the title; or AGENT:ID if two agents use the same id.
        """
    }
}

extension CompletionHint {
    /// A name that `acpbridge agents` lists.
    static let agent = CompletionHint.listed("agents")
    /// A bridge that `acpbridge status` lists as a peer.
    static let bridge = CompletionHint.listed("bridges")
    /// `latest`, or an id that `acpbridge sessions` lists.
    static let session = CompletionHint.listed("sessions")
    /// The same for a session whose agent runs, or for one that has ended.
    static let runningSession = CompletionHint.listed("running")
    static let endedSession = CompletionHint.listed("ended")
    /// A setting of the session that is the first operand, or a value of the setting that is the second one.
    static let setting = CompletionHint.listed("settings")
    static let settingValue = CompletionHint.listed("values")
}

extension UsageError {
    /// Throws if a command that takes several sessions got none.
    static func require(sessions: [String], _ topic: CommandTopic) throws(UsageError) {
        guard sessions.isEmpty else { return }
        throw UsageError("No SESSION was named.", hint: "'acpbridge sessions --all' lists the sessions.", topic: topic)
    }
}
