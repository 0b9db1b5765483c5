/// Options of `acpbridge diff`.
package struct DiffOptions: Equatable, Sendable {
    /// The session as the user names it: see ``AttachOptions/session``.
    package var session: String
    /// Only files with these paths, or below them, are shown. Relative to the session's folder; empty for all files.
    package var paths: [String]
    /// Print the counts of changed lines instead.
    package var stat: Bool
    package var connection: ConnectionOptions

    package init(
        session: String, paths: [String] = [], stat: Bool = false, connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.session = session
        self.paths = paths
        self.stat = stat
        self.connection = connection
    }
}
