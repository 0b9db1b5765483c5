/// The criteria for listing sessions. `nil` means any value.
package struct SessionFilter: Sendable {
    package var agent: String?
    package var isLive: Bool?
    package var isArchived: Bool?
    package var tenant: String?
    /// False leaves out the sessions of subagents.
    package var hasChildren = true
    /// The words have no white space. Each must occur in the titles, tags, folder, first prompt, id, agent or bridge's name,
    /// also as part of a word. Case is ignored.
    package var words: [String]
    /// The ids of sessions that are not listed, without dots. Sessions whose ids continue one after a dot are not listed,
    /// either.
    package var hiddenIds: [String] = []

    package init(
        agent: String? = nil, isLive: Bool? = nil, isArchived: Bool? = nil, tenant: String? = nil, words: [String] = []
    ) {
        self.agent = agent
        self.isLive = isLive
        self.isArchived = isArchived
        self.tenant = tenant
        self.words = words
    }
}

/// A page of the sessions that match a filter.
package struct SessionListing: Sendable, Equatable {
    package var records: [SessionRecord]
    /// The number of all matching sessions, or nil if it was not requested.
    package var total: Int?
    /// More records follow the last record of this page.
    package var hasMore: Bool

    package init(records: [SessionRecord], total: Int? = nil, hasMore: Bool = false) {
        self.records = records
        self.total = total
        self.hasMore = hasMore
    }
}

/// A place in a list of sessions, the last active first.
package struct ListingPosition: Sendable, Equatable, CustomStringConvertible {
    package let lastTs: Int64
    package let sid: Int64

    package init(lastTs: Int64, sid: Int64) {
        self.lastTs = lastTs
        self.sid = sid
    }

    /// The position of a record that was read.
    package init(_ record: SessionRecord) { self.init(lastTs: record.lastTs, sid: record.sid) }

    /// Parses the form that ``description`` prints.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let lastTs = parts[0], let sid = parts[1] else { return nil }
        self.init(lastTs: lastTs, sid: sid)
    }

    /// `1763697600123.17`
    package var description: String { "\(lastTs).\(sid)" }
}
