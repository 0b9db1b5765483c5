/// Options of `acpbridge prompt`.
public struct PromptOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    public var session: String
    /// The words of the prompt; empty, or only `-`, means standard input.
    public var words: [String]
    /// Wait for a running turn to end instead of failing.
    public var queue: Bool
    /// Show the turn in a form for people, even if standard output is not a terminal.
    public var pretty: Bool
    public var connection: ConnectionOptions

    public init(
        session: String, words: [String] = [], queue: Bool = false, pretty: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.words = words
        self.queue = queue
        self.pretty = pretty
        self.connection = connection
    }

    /// The prompt, or nil to read it from standard input.
    public var text: String? { words.isEmpty || words == ["-"] ? nil : words.joined(separator: " ") }
}

/// Options of `acpbridge cancel`.
public struct CancelOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    public var session: String
    public var connection: ConnectionOptions

    public init(session: String, connection: ConnectionOptions = ConnectionOptions()) {
        self.session = session
        self.connection = connection
    }
}

/// Options of `acpbridge stop`.
public struct StopOptions: Equatable, Sendable {
    /// The session whose agent to stop, as in ``AttachOptions/session``; nil stops the whole bridge.
    public var session: String?
    public var connection: ConnectionOptions

    public init(session: String? = nil, connection: ConnectionOptions = ConnectionOptions()) {
        self.session = session
        self.connection = connection
    }
}
