import JSONScan

/// One row of `tinyvex/history.recentSessions` and of `sessions:list`.
public struct SessionSummary: Sendable {
    public var sessionId: String
    public var agent: String
    public var title: String?
    public var cwd: String?
    public var tags: [String]
    public var isArchived: Bool
    /// The time at which the bridge first saw the session, in milliseconds since 1970.
    public var createdTs: Int64
    /// The time of the newest stored item, in milliseconds since 1970. The exit of the agent does not count.
    public var lastTs: Int64
    /// The time at which the session was last begun, loaded or prompted, in milliseconds since 1970. Nil if it is not known.
    public var usedTs: Int64?
    public var updateCount: Int64
    /// True while the session's agent runs or the last output is being stored, so that the numbers can still grow.
    public var live: Bool
    /// True while a turn is running.
    public var isRunning: Bool
    /// The state that the agent reported last, in version 2 of ACP. Nil if it is `idle` or was never reported.
    public var agentState: String?
    /// The number of the session's background items, in version 2 of ACP.
    public var backgroundCount = 0
    /// True if the session's work, or that of its children, keeps the agent running without an editor. In JSON only
    /// while no turn is running.
    public var isBusy = false
    /// How the last turn ended, if not by `end_turn`: ACP's stop reason, or `error` if the agent answered the prompt with an
    /// error. In JSON only while no turn is running.
    public var stopReason: String?
    /// The time of the oldest open request of the session, in milliseconds since 1970. Nil if no request is open.
    public var waitingTs: Int64?
    /// The id of the parent session. Nil for a session without a parent.
    public var parentId: String?
    public var journal: String
    /// Nil while the session's agent runs.
    public var end: SessionEnd?
    /// The name of the bridge that has the session. Nil for the bridge that answers.
    public var bridge: String?
    /// The time at which that bridge was last known to run, in milliseconds since 1970. Nil while it runs.
    public var unreachableTs: Int64?
    /// The tokens and the cost that the agent has reported last, as a JSON object. Nil if it has reported none.
    public var usage: [UInt8]?
    /// The rate limit that the agent has reported last, as a JSON object. Nil if it has reported none.
    public var rateLimit: [UInt8]?
    /// The tokens that the session has consumed, as a JSON object. Nil if the agent has reported none.
    public var tokens: [UInt8]?

    public init(
        sessionId: String, agent: String, title: String?, cwd: String?, tags: [String], isArchived: Bool,
        createdTs: Int64, lastTs: Int64, updateCount: Int64, live: Bool, isRunning: Bool, journal: String,
        end: SessionEnd?
    ) {
        self.sessionId = sessionId
        self.agent = agent
        self.title = title
        self.cwd = cwd
        self.tags = tags
        self.isArchived = isArchived
        self.createdTs = createdTs
        self.lastTs = lastTs
        self.updateCount = updateCount
        self.live = live
        self.isRunning = isRunning
        self.journal = journal
        self.end = end
    }

    public func json() -> [UInt8] { JSONWriter.object { write(to: &$0) } }

    /// Writes the members into an object that can have other members.
    public func write(to writer: inout JSONWriter) {
        writer.member("sessionId", sessionId)
        writer.member("agent", agent)
        if let title { writer.member("title", title) } else { writer.memberNull("title") }
        writer.member("cwd", ifPresent: cwd)
        writer.memberArray("tags") { for tag in tags { $0.element(tag) } }
        writer.member("archived", isArchived)
        writer.member("createdTs", createdTs)
        writer.member("lastTs", lastTs)
        writer.member("usedTs", ifPresent: usedTs)
        writer.member("updateCount", updateCount)
        writer.member("live", live)
        writer.member("state", live ? (isRunning ? "running" : "idle") : "ended")
        if live {
            if isBusy, !isRunning { writer.member("busy", true) }
            writer.member("agentState", ifPresent: agentState)
            if !isRunning { writer.member("stopReason", ifPresent: stopReason) }
            if backgroundCount > 0 { writer.member("background", backgroundCount) }
        }
        writer.member("waitingTs", ifPresent: waitingTs)
        writer.member("parentId", ifPresent: parentId)
        writer.member("bridge", ifPresent: bridge)
        if let unreachableTs { writer.member("unreachableTs", unreachableTs) }
        if let usage { writer.member("usage", raw: usage) }
        if let rateLimit { writer.member("rateLimit", raw: rateLimit) }
        if let tokens { writer.member("tokens", raw: tokens) }
        writer.member("journal", journal)
        if let end { writer.memberObject("end") { end.write(to: &$0) } }
    }
}
