/// Options of `acpbridge prompt`.
package struct PromptOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    package var session: String
    /// The words of the prompt; empty, or only `-`, means standard input.
    package var words: [String]
    /// Wait for a running turn to end instead of failing.
    package var queue: Bool
    /// Show the turn in a form for people, even if standard output is not a terminal.
    package var pretty: Bool
    /// Paths of files to send with the prompt.
    package var attachments: [String]
    package var connection: ConnectionOptions

    package init(
        session: String, words: [String] = [], queue: Bool = false, pretty: Bool = false, attachments: [String] = [],
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.words = words
        self.queue = queue
        self.pretty = pretty
        self.attachments = attachments
        self.connection = connection
    }

    /// The prompt, or nil to read it from standard input.
    package var text: String? { words.isEmpty || words == ["-"] ? nil : words.joined(separator: " ") }
}

/// Options of `acpbridge cancel`.
package struct CancelOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    package var session: String
    /// Discard the waiting prompts instead; the turn continues.
    package var queued: Bool
    package var connection: ConnectionOptions

    package init(session: String, queued: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.session = session
        self.queued = queued
        self.connection = connection
    }
}

/// Options of `acpbridge stop`.
package struct StopOptions: Equatable, Sendable {
    /// The session of the agent to stop, as in ``AttachOptions/session``, or ``agentPid``; nil stops the whole bridge.
    package var session: String?
    /// End only this session; its agent continues with its other sessions.
    package var only: Bool
    /// Stop the whole bridge without a question.
    package var yes: Bool
    package var connection: ConnectionOptions

    package init(
        session: String? = nil, only: Bool = false, yes: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.only = only
        self.yes = yes
        self.connection = connection
    }

    /// The process id of the agent to stop, given as `pid:4711`.
    package var agentPid: Int64? {
        guard let session, session.hasPrefix("pid:"), let pid = Int64(session.dropFirst(4)), pid > 0 else { return nil }
        return pid
    }
}
