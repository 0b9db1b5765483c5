/// The params of `sessions:search`: `{"query":"login test","sessionId":"s1","limit":20}`.
public struct SessionSearchRequest: Sendable, Equatable {
    /// Each hit is read again from the log.
    public static let limit = 50
    public static let defaultLimit = 20

    /// The words to find, as the user wrote them.
    public let query: String
    /// Only this session; nil for all sessions.
    public let session: SessionReference?
    /// Only sessions of this agent.
    public let agent: String?
    /// Only texts that were begun at this time or later, in milliseconds since 1970; nil for all times.
    public let sinceTs: Int64?
    public let limit: Int
    /// The page begins after this position, which the previous page returned. Its form is the bridge's own.
    public let cursor: String?

    public init(_ params: Parameters) throws(Rejection) {
        query = try params.string("query")
        session = params.value("sessionId") == nil ? nil : try SessionReference(params)
        agent = try params.optionalString("agent", limitBytes: SessionReference.agentLimitBytes)
        sinceTs = try params.optionalInteger("sinceTs", in: 0...Int64.max)
        limit = try params.optionalInteger("limit", in: 1...Int64(Self.limit)).map(Int.init) ?? Self.defaultLimit
        cursor = try params.optionalCursor()
    }
}
