/// What may be told about a session's life. `nil` leaves a fact as it is.
public struct SessionFacts: Sendable {
    /// The agent's own, cut to ``FieldLimit/titleCharacters``. The empty string takes it away.
    public var title: String?
    public var cwd: String?
    /// The first that is told stays. At most ``FieldLimit/promptCharacters`` are kept.
    public var firstPrompt: String?
    /// Whose the session is, where several share a bridge; nil for the bridge's own. Looked at in claims only: a claim
    /// goes on with no life but its tenant's, and a life's never changes.
    public var tenant: String?
    /// A claim makes its life `live` whatever is said here.
    public var state: SessionState?
    /// How the agent ended, as text: `"exited 0"`. Cleared when the life is claimed again.
    public var exit: String?
    /// Milliseconds since 1970. A listing sorts by the latest of this and the times in the log. A claim without it
    /// takes the system's clock.
    public var lastTs: Int64?

    public init(
        title: String? = nil, cwd: String? = nil, firstPrompt: String? = nil, tenant: String? = nil,
        state: SessionState? = nil,
        exit: String? = nil, lastTs: Int64? = nil
    ) {
        self.title = title?.prefix(scalars: FieldLimit.titleCharacters)
        self.cwd = cwd?.within(bytes: FieldLimit.folderBytes)
        self.firstPrompt = firstPrompt?.prefix(scalars: FieldLimit.promptCharacters)
        self.tenant = tenant
        self.state = state
        self.exit = exit
        self.lastTs = lastTs
    }
}

public enum SessionState: Sendable, Equatable {
    case live
    case ended
}

/// A session's life as the log knows it.
public struct SessionRecord: Sendable, Equatable {
    /// What ``exit`` says of a life that was live when its process was killed.
    public static let crashedExit = "crashed"

    public let sid: Int64
    public let agent: String
    public let sessionId: String
    /// The agent's own.
    public let title: String?
    public let cwd: String?
    /// Its beginning.
    public let firstPrompt: String?
    /// Whose it is; nil for the bridge's own.
    public let tenant: String?
    /// What people have said of it.
    public let label: SessionLabel
    /// Of the latest claim.
    public let journal: Journal
    /// Milliseconds since 1970.
    public let createdTs: Int64
    /// Milliseconds since 1970.
    public let lastTs: Int64
    /// The first update that retention has kept; `head + 1` if it kept none.
    public let oldest: Int64
    /// The last update's number, which is also how many there have been; 0 if none.
    public let head: Int64
    /// The last timeline number.
    public let timelineHead: Int64
    public let state: SessionState
    public let exit: String?
}
