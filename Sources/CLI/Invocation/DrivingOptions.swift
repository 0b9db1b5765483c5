/// Options of `acpbridge prompt`.
public struct PromptOptions: Equatable, Sendable {
    /// As in ``AttachOptions``.
    public var session: String
    /// What to ask, word by word; empty, or `-` alone, for standard input.
    public var words: [String]
    /// Wait for the turn that runs, in place of being refused.
    public var queue: Bool
    /// Show the turn for a person, also where standard output is no terminal.
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

    /// Nil: standard input has it.
    public var text: String? { words.isEmpty || words == ["-"] ? nil : words.joined(separator: " ") }
}

/// Options of `acpbridge cancel`.
public struct CancelOptions: Equatable, Sendable {
    /// As in ``AttachOptions``.
    public var session: String
    public var connection: ConnectionOptions

    public init(session: String, connection: ConnectionOptions = ConnectionOptions()) {
        self.session = session
        self.connection = connection
    }
}

/// Options of `acpbridge stop`.
public struct StopOptions: Equatable, Sendable {
    /// The session whose agent is to end, as in ``AttachOptions``; nil for the whole bridge.
    public var session: String?
    public var connection: ConnectionOptions

    public init(session: String? = nil, connection: ConnectionOptions = ConnectionOptions()) {
        self.session = session
        self.connection = connection
    }
}
