/// Options of `acpbridge diff`.
package struct DiffOptions: Equatable, Sendable {
    /// The session as the user names it: see ``AttachOptions/session``.
    package var session: String
    /// Print the counts of changed lines instead.
    package var stat: Bool
    package var connection: ConnectionOptions

    package init(session: String, stat: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.session = session
        self.stat = stat
        self.connection = connection
    }
}
