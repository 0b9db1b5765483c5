/// A list of open requests.
package enum PendingList: String, CaseIterable, Sendable {
    case permissions = "permissions:pending"
    case elicitations = "elicitations:pending"
}

/// A row of a list of open requests, of this bridge or of another one.
package struct PendingRow {
    package let sessionId: String
    package let agent: String
    package let journal: String?
    /// Its first number is the time of the request, in milliseconds since 1970.
    package let place: ListPosition
    /// Returns the row as JSON text; a row of another bridge has its name as `bridge`. Only rows of the requested page are
    /// written.
    package let json: () -> [UInt8]

    package init(
        sessionId: String, agent: String, journal: String?, place: ListPosition, json: @escaping () -> [UInt8]
    ) {
        self.sessionId = sessionId
        self.agent = agent
        self.journal = journal
        self.place = place
        self.json = json
    }
}
