/// The params of `sessions:list`: `{"agent":"codex","live":true,"search":"login test","page":2,"limit":20}`.
public struct SessionListRequest: Sendable, Equatable {
    public static let limit = 200
    public static let defaultLimit = 50
    /// The limit on `page`. Ten thousand pages of the largest size are more sessions than a database file holds.
    static let pageLimit = 10_000
    /// The limit on `search`, which is a few words.
    static let searchLimitBytes = 256

    public let agent: String?
    public let isLive: Bool?
    /// True lists only archived sessions; false, the default, only the others.
    public let isArchived: Bool
    /// True lists subagents' sessions, too, which is the default.
    public let hasChildren: Bool
    /// True lists the sessions that wait for a person first.
    public let isWaitingFirst: Bool
    /// The words of the search. A session must match all of them.
    public let words: [String]
    /// The number of the page, from 1.
    public let page: Int
    public let limit: Int
    /// The page begins after this position, which the previous page returned.
    public let cursor: String?
    /// Lists only this session, whatever the other filters are.
    public let session: SessionReference?

    public init(_ params: Parameters) throws(Rejection) {
        agent = try params.optionalString("agent", limitBytes: SessionReference.agentLimitBytes)
        isLive = try params.optionalBool("live")
        isArchived = try params.optionalBool("archived") ?? false
        hasChildren = try params.optionalBool("children") ?? true
        isWaitingFirst = try Self.isWaitingFirst(params)
        let search = try params.optionalString("search") ?? ""
        guard search.utf8.count <= Self.searchLimitBytes else {
            throw .invalidParams("search is longer than \(Self.searchLimitBytes) bytes")
        }
        words = search.split(whereSeparator: \.isWhitespace).map(String.init)
        page = try params.optionalInteger("page", in: 1...Int64(Self.pageLimit)).map(Int.init) ?? 1
        limit = try params.optionalInteger("limit", in: 1...Int64(Self.limit)).map(Int.init) ?? Self.defaultLimit
        cursor = try params.optionalCursor()
        session = params.value("sessionId") == nil ? nil : try SessionReference(params)
        guard cursor == nil || page == 1 else { throw .invalidParams("page and cursor exclude each other") }
    }

    private static func isWaitingFirst(_ params: Parameters) throws(Rejection) -> Bool {
        switch try params.optionalString("order") {
        case nil, "recent": return false
        case "waiting":
            // The words are compared with texts that only the log has.
            guard params.value("search") == nil else {
                throw .invalidParams("order waiting and search exclude each other")
            }
            return true
        default: throw .invalidParams("order is recent or waiting")
        }
    }

    /// The number of sessions before the page.
    public var offset: Int { (page - 1) * limit }
}
