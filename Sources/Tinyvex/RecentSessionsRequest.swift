/// `tinyvex/history.recentSessions`: `{"limit":100,"cursor":"1763697600123.17"}`.
public struct RecentSessionsRequest: Sendable, Equatable {
    /// The sessions that one answer names at most, and unless told otherwise.
    public static let limit = 10_000
    public static let defaultLimit = 50

    public let limit: Int
    /// Only those that an agent runs.
    public let liveOnly: Bool
    /// Only the lives under this id, of every agent or of one.
    public let sessionId: String?
    public let agent: String?
    /// The page begins after this place, which the page before gave.
    public let cursor: String?

    init(_ params: Parameters) throws(Rejection) {
        limit = try params.optionalInteger("limit", in: 1...Int64(Self.limit)).map(Int.init) ?? Self.defaultLimit
        liveOnly = try params.optionalBool("live") ?? false
        sessionId = try params.optionalString("sessionId")
        agent = try params.optionalString("agent", limitBytes: SessionReference.agentLimitBytes)
        cursor = try params.optionalCursor()
        if let sessionId { try SessionReference.check(sessionId) }
        if sessionId == nil, agent != nil { throw .invalidParams("agent is of use with sessionId only") }
        if sessionId != nil, liveOnly { throw .invalidParams("live and sessionId exclude each other") }
    }
}
