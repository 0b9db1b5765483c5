import ArgumentParsing

/// Options of `acpbridge search`.
package struct SearchOptions: Equatable, Sendable {
    /// The words to find; empty only with `status`.
    package var words: [String]
    /// The session to search, as the user names it; nil for all sessions.
    package var session: String?
    /// Only sessions of this agent are searched; nil for all agents.
    package var agent: String?
    /// Only texts of this time up to now; nil for all times.
    package var since: Duration?
    /// The number of rows; nil means 20.
    package var limit: RowLimit?
    /// Show the state of the index instead of searching.
    package var status: Bool
    /// Print one JSON object per line instead of a table.
    package var json: Bool
    package var connection: ConnectionOptions

    package init(
        words: [String] = [], session: String? = nil, agent: String? = nil, since: Duration? = nil,
        limit: RowLimit? = nil, status: Bool = false, json: Bool = false,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.words = words
        self.session = session
        self.agent = agent
        self.since = since
        self.limit = limit
        self.status = status
        self.json = json
        self.connection = connection
    }
}

/// A number of rows to print.
package struct RowLimit: Equatable, Sendable {
    package let count: Int

    /// People do not read more rows.
    package static let most = 10_000
}

extension RowLimit: ArgumentValue {
    package init?(argument: String) {
        guard let count = Int(argument), (1...Self.most).contains(count) else { return nil }
        self.count = count
    }

    package static let expectation = "a number from 1 to \(most)"
}
