/// What people, not agents, have said of a session's life.
public struct SessionLabel: Sendable, Equatable {
    /// Stands for the agent's.
    public var title: String?
    public var tags: [String]
    /// Left out of listings. A claim takes it back: who goes on with a session wants to see it.
    public var isArchived: Bool

    public init(title: String? = nil, tags: [String] = [], isArchived: Bool = false) {
        self.title = title
        self.tags = tags
        self.isArchived = isArchived
    }

    /// One thing to say.
    public enum Change: Sendable {
        /// `nil` takes it away.
        case title(String?)
        /// All of them. None may hold a line feed.
        case tags([String])
        case archived(Bool)
    }
}
