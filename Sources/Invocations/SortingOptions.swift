/// Options of `acpbridge tag`.
package struct TagOptions: Equatable, Sendable {
    /// The session as the user names it; see ``AttachOptions/session``.
    package var session: String
    /// The tags to add. Without these and ``removed``, the session's tags are printed.
    package var added: [String]
    package var removed: [String]
    package var connection: ConnectionOptions

    package init(
        session: String, added: [String] = [], removed: [String] = [],
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.added = added
        self.removed = removed
        self.connection = connection
    }

    /// Returns the tags that the session has after the command.
    package func tags(after earlier: [String]) -> [String] {
        var tags = earlier.filter { !removed.contains($0) }
        for tag in added where !tags.contains(tag) { tags.append(tag) }
        return tags
    }
}

/// Options of `acpbridge archive`.
package struct ArchiveOptions: Equatable, Sendable {
    /// The sessions as the user names them; see ``AttachOptions/session``. At least one.
    package var sessions: [String]
    /// List the sessions again.
    package var undo: Bool
    package var connection: ConnectionOptions

    package init(sessions: [String], undo: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.sessions = sessions
        self.undo = undo
        self.connection = connection
    }
}
