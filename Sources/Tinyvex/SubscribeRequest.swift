import JSONScan

/// Identifies a session: its ACP id, plus the agent's name or the journal if the id is ambiguous.
public struct SessionReference: Sendable, Equatable {
    public let sessionId: String
    public let agent: String?
    /// An opaque resume token that identifies one incarnation of the session, in case its id was reused. Nil for any.
    public let journal: String?

    /// 1 KiB: no session with a longer id is published.
    public static let sessionIdLimitBytes = 1 << 10
    /// An agent's name has 256 characters at most.
    public static let agentLimitBytes = 1 << 10

    /// The members that can name a session or an agent in the arguments of a function, in any spelling.
    package static let memberNames: Set<String> = ["sessionId", "session_id", "agent", "journal", "pid", "requests"]

    /// Also accepts `session_id`, the spelling of the original protocol.
    public init(_ params: Parameters) throws(Rejection) {
        let name = params.value("sessionId") == nil && params.value("session_id") != nil ? "session_id" : "sessionId"
        sessionId = try params.string(name)
        agent = try params.optionalString("agent", limitBytes: Self.agentLimitBytes)
        journal = try params.optionalJournal()
        try Self.check(sessionId)
    }

    static func check(_ sessionId: String) throws(Rejection) {
        guard sessionId.utf8.count > sessionIdLimitBytes else { return }
        throw Rejection(.sessionNotFound, "no session has an id of more than \(sessionIdLimitBytes) bytes")
    }

    public init(sessionId: String, agent: String? = nil, journal: String? = nil) {
        self.sessionId = sessionId
        self.agent = agent
        self.journal = journal
    }
}

/// The streams of a session that can be subscribed to.
public enum StreamName: String, Sendable, CaseIterable {
    /// The agent's own `session/update` lines.
    case sessionUpdates = "acp:sessionUpdates"
    /// Updates, and the events that ACP does not report to observers, as `tinyvex/data`.
    case timeline = "sessions:timeline"
}

/// `tinyvex/subscribe`: `{"subId":"a","name":"acp:sessionUpdates","params":{"sessionId":"s1"},"lastSeq":0}`.
public struct SubscribeRequest: Sendable {
    public enum Target: Sendable {
        case sessionUpdates(SessionReference)
        case timeline(SessionReference)
        case query(name: String, params: Parameters)
    }

    /// Longer than any client needs. The limit exists because each message about the subscription repeats the id.
    static let subIdLimitBytes = 256

    public let subId: String
    public let target: Target
    /// The last number that the client has applied; 0 starts at the beginning, nil at the next new message.
    public let lastSeq: Int64?
    /// The last number that the client needs; nothing after it is sent. Nil for all. Not used for values.
    public let untilSeq: Int64?
    /// The journal (an opaque resume token) that `lastSeq` refers to.
    public let journal: String?
    public let policy: PolicyTerms

    init(_ params: Parameters) throws(Rejection) {
        subId = try params.string("subId")
        guard subId.utf8.count <= Self.subIdLimitBytes else {
            throw .invalidParams("subId is longer than \(Self.subIdLimitBytes) bytes")
        }
        do {
            lastSeq = try params.optionalInteger("lastSeq", in: 0...Int64.max)
            untilSeq = try params.optionalInteger("untilSeq", in: 0...Int64.max)
            journal = try params.optionalJournal()
            policy = try PolicyTerms(params)
            target = try Self.target(params)
        } catch {
            var error = error
            error.subId = subId
            throw error
        }
    }

    private static func target(_ params: Parameters) throws(Rejection) -> Target {
        let name = try params.string("name")
        let inner = try params.optionalObject("params") ?? Parameters(nil)
        switch StreamName(rawValue: name) {
        case .sessionUpdates: return .sessionUpdates(try SessionReference(inner))
        case .timeline: return .timeline(try SessionReference(inner))
        case nil:
            guard Catalogue.function(.query, name) != nil else { throw .unknownSubscription(name) }
            return .query(name: name, params: inner)
        }
    }
}

/// `tinyvex/history.sessionUpdates`: `{"sessionId":"s1","sinceSeq":10,"limit":100,"direction":"forward"}`.
public struct HistoryRequest: Sendable {
    public enum Start: Sendable, Equatable {
        /// The first update after this number.
        case afterSeq(Int64)
        /// The first update stored at or after this time, in milliseconds since 1970.
        case sinceTime(Int64)
        case edge
    }

    public static let limit = 1000
    public static let defaultLimit = 100

    public let session: SessionReference
    public let start: Start
    public let limit: Int
    public let isBackward: Bool

    package init(_ params: Parameters) throws(Rejection) {
        session = try SessionReference(params)
        let seq = try params.optionalInteger("sinceSeq", in: 0...Int64.max)
        let time = try params.optionalInteger("sinceTs", in: 0...Int64.max)
        switch (seq, time) {
        case (let seq?, nil): start = .afterSeq(seq)
        case (nil, let time?): start = .sinceTime(time)
        case (nil, nil): start = .edge
        default: throw .invalidParams("sinceSeq and sinceTs cannot be used together")
        }
        limit = try params.optionalInteger("limit", in: 1...Int64(Self.limit)).map(Int.init) ?? Self.defaultLimit
        switch try params.optionalString("direction") {
        case nil, "forward": isBackward = false
        case "backward": isBackward = true
        default: throw .invalidParams("direction must be \"forward\" or \"backward\"")
        }
    }
}
