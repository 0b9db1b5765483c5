/// `tinyvex/history.recentSessions`: `{"limit":100,"cursor":"1763697600123.17"}`.
public struct RecentSessionsRequest: Sendable, Equatable {
    /// The limits on the number of sessions in one response: the maximum, and the default.
    public static let limit = 10_000
    public static let defaultLimit = 50

    public let limit: Int
    /// True lists only the sessions that an agent is running.
    public let liveOnly: Bool
    /// Lists only the incarnations of the session with this id, of all agents or of one agent.
    public let sessionId: String?
    public let agent: String?
    /// The page begins after this position, which the previous page returned.
    public let cursor: String?

    init(_ params: Parameters) throws(Rejection) {
        limit = try params.optionalInteger("limit", in: 1...Int64(Self.limit)).map(Int.init) ?? Self.defaultLimit
        liveOnly = try params.optionalBool("live") ?? false
        sessionId = try params.optionalString("sessionId")
        agent = try params.optionalString("agent", limitBytes: SessionReference.agentLimitBytes)
        cursor = try params.optionalCursor()
        if let sessionId { try SessionReference.check(sessionId) }
        if sessionId == nil, agent != nil { throw .invalidParams("agent requires sessionId") }
        if sessionId != nil, liveOnly { throw .invalidParams("live and sessionId exclude each other") }
    }
}
