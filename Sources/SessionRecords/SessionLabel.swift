/// The title, tags and archived mark that people, not agents, have given a session's incarnation.
package struct SessionLabel: Sendable, Equatable {
    /// Shown instead of the agent's title.
    package var title: String?
    package var tags: [String]
    /// Listings omit the session. A claim clears this mark, because a person who continues a session wants to see it.
    package var isArchived: Bool

    package init(title: String? = nil, tags: [String] = [], isArchived: Bool = false) {
        self.title = title
        self.tags = tags
        self.isArchived = isArchived
    }

    /// One change to a label.
    package enum Change: Sendable {
        /// `nil` removes the title.
        case title(String?)
        /// Replaces all tags. No tag can contain a line feed.
        case tags([String])
        case archived(Bool)
    }
}
