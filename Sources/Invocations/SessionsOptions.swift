import ArgumentParsing

/// Options of `acpbridge sessions`.
package struct SessionsOptions: Equatable, Sendable {
    /// Words that must all occur in a session's title, tags, folder, first prompt or id; empty for all sessions.
    package var words: [String]
    /// Print one JSON object per line instead of a table.
    package var json: Bool
    /// Also list sessions of agents that have exited.
    package var all: Bool
    /// List archived sessions instead of the others.
    package var archived: Bool
    /// Also list the subagents of sessions, each below its parent.
    package var tree: Bool
    /// List only sessions in the current folder and below it.
    package var here: Bool
    /// List only sessions of this agent.
    package var agent: String?
    /// List only sessions with this tag.
    package var tag: String?
    /// The number of sessions; nil for all.
    package var limit: RowLimit?
    package var connection: ConnectionOptions

    package init(
        words: [String] = [], json: Bool = false, all: Bool = false, archived: Bool = false, tree: Bool = false,
        here: Bool = false, agent: String? = nil, tag: String? = nil, limit: RowLimit? = nil,
        connection: ConnectionOptions = ConnectionOptions()
    ) {
        self.words = words
        self.json = json
        self.all = all
        self.archived = archived
        self.tree = tree
        self.here = here
        self.agent = agent
        self.tag = tag
        self.limit = limit
        self.connection = connection
    }

    /// An option selects some of the sessions.
    package var selects: Bool { !words.isEmpty || archived || here || agent != nil || tag != nil || limit != nil }
}
