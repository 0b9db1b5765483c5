import ArgumentParsing

/// Options of `acpbridge run`.
package struct RunOptions: Equatable, Sendable {
    /// The name of an agent's profile; nil means `ACPBRIDGE_AGENT`.
    package var agent: String?
    /// The command of an agent without a profile.
    package var command: AgentCommand?
    /// The session to continue, as the user names it; see ``AttachOptions/session``. Nil begins a new session.
    package var resumed: String?
    /// The name of the bridge at which a new session begins: another one, which the bridge of the connection shows. Nil is the
    /// latter.
    package var bridge: String?
    /// The folder in which a new session works, as the user wrote it; nil for the current one, or for the home folder of
    /// another bridge's user.
    package var folder: String?
    /// The title of the session; nil for the agent's own.
    package var title: SessionTitle?
    /// The first prompt; empty for none.
    package var words: [String]
    /// Print the session's id and exit; the agent continues.
    package var detach: Bool
    /// Print JSON instead of text, with `detach`.
    package var json: Bool
    /// Show the turn in a form for people, even if standard output is not a terminal.
    package var pretty: Bool
    /// How long a detached agent with a prompt is kept without a client after its work is done; nil means until it is
    /// stopped.
    package var linger: Duration?
    /// How long a permission request waits for an answer while the agent has no client.
    package var permissionLimit: Duration?
    /// The bridge that starts the agent. Without a URL this program does, for the user's own bridge.
    package var connection: ConnectionOptions

    package init(
        agent: String? = nil, command: AgentCommand? = nil, resumed: String? = nil, bridge: String? = nil,
        folder: String? = nil, title: SessionTitle? = nil, words: [String] = [], detach: Bool = false,
        json: Bool = false,
        pretty: Bool = false, linger: Duration? = nil,
        permissionLimit: Duration? = nil, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.agent = agent
        self.command = command
        self.resumed = resumed
        self.bridge = bridge
        self.folder = folder
        self.title = title
        self.words = words
        self.detach = detach
        self.json = json
        self.pretty = pretty
        self.linger = linger
        self.permissionLimit = permissionLimit
        self.connection = connection
    }

    /// Another bridge than the user's own starts the agent of a new session, by its profile.
    package var isElsewhere: Bool { connection.url != nil || bridge != nil }

    /// The first prompt, or nil if none was written. `-` means standard input.
    package var text: String? { words.isEmpty || words == ["-"] ? nil : words.joined(separator: " ") }
}
