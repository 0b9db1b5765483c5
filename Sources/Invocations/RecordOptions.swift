/// Options of `acpbridge rename`.
package struct RenameOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    package var session: String
    /// The words of the title as they were written. The parser makes `title` of them.
    package var words: [String]
    /// Nil for the agent's own title.
    package var title: SessionTitle?
    package var connection: ConnectionOptions

    package init(session: String, title: SessionTitle? = nil, connection: ConnectionOptions = ConnectionOptions()) {
        self.session = session
        words = []
        self.title = title
        self.connection = connection
    }
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
