import ArgumentParsing

/// Options of `acpbridge usage`.
package struct UsageOptions: Equatable, Sendable {
    /// The kind of sums.
    package enum Grouping: String, CaseIterable, ArgumentValue, Sendable {
        case agent, day, folder
    }

    /// Only sessions that were active within this time; nil for all sessions.
    package var since: Duration?
    /// Print only these sums; nil for the sessions and the sums of agents.
    package var grouping: Grouping?
    /// Print one JSON object per line instead of tables.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
        since: Duration? = nil, grouping: Grouping? = nil, json: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.since = since
        self.grouping = grouping
        self.json = json
        self.connection = connection
    }
}
