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
    /// How many fit in all.
    public var total: Int
}
