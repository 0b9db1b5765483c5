/// Options of `acpbridge usage`.
package struct UsageOptions: Equatable, Sendable {
    /// Only sessions that were active within this time; nil for all sessions.
    package var since: Duration?
    /// Print one JSON object per line instead of tables.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(since: Duration? = nil, json: Bool = false, connection: ConnectionOptions = ConnectionOptions()) {
        self.since = since
        self.json = json
        self.connection = connection
    }
}
