/// Which sessions are wanted. What is `nil` does not matter.
public struct SessionFilter: Sendable {
    public var agent: String?
    public var isLive: Bool?
    public var isArchived: Bool?
    public var tenant: String?
    /// Without white space. Each must stand somewhere in the titles, tags, folder, first prompt or id, as part of a word too; letters' case
    /// does not matter.
    public var words: [String]

    public init(
        agent: String? = nil, isLive: Bool? = nil, isArchived: Bool? = nil, tenant: String? = nil, words: [String] = []
    ) {
        self.agent = agent
        self.isLive = isLive
        self.isArchived = isArchived
        self.tenant = tenant
        self.words = words
    }
}

/// A page of those that fit.
public struct SessionListing: Sendable, Equatable {
    public var records: [SessionRecord]
    /// How many fit in all; nil where that was not asked for.
    public var total: Int?
    /// Others follow the last record.
    public var hasMore = false
}

/// A place in a list of sessions, the last active first.
public struct ListingPosition: Sendable, Equatable, CustomStringConvertible {
    public let lastTs: Int64
    public let sid: Int64

    public init(lastTs: Int64, sid: Int64) {
        self.lastTs = lastTs
        self.sid = sid
    }

    /// The position of a record that was read.
    public init(_ record: SessionRecord) { self.init(lastTs: record.lastTs, sid: record.sid) }

    /// Reads ``description``.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let lastTs = parts[0], let sid = parts[1] else { return nil }
        self.init(lastTs: lastTs, sid: sid)
    }

    /// `1763697600123.17`
    public var description: String { "\(lastTs).\(sid)" }
}
