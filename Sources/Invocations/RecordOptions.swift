/// Options of `acpbridge rename`.
package struct RenameOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    package var session: String
    /// The words of the title; empty for the agent's own title.
    package var words: [String]
    /// Return to the agent's own title.
    package var reset: Bool
    package var connection: ConnectionOptions

    package init(
        session: String, words: [String] = [], reset: Bool = false, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.words = words
        self.reset = reset
        self.connection = connection
    }

    /// Nil for the agent's own title. The parser refuses words that are not a title.
    package var title: SessionTitle? { SessionTitle(argument: words.joined(separator: " ")) }
}

/// Options of `acpbridge delete`.
package struct DeleteOptions: Equatable, Sendable {
    /// The sessions as the user names them; see ``AttachOptions/session``. At least one.
    package var sessions: [String]
    /// Delete without a question.
    package var yes: Bool
    package var connection: ConnectionOptions

    package init(sessions: [String], yes: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.sessions = sessions
        self.yes = yes
        self.connection = connection
    }
}
