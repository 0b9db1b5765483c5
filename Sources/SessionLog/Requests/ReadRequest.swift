/// Something to be read. Each is served from one snapshot of what was committed, in the order they came.
public struct ReadRequest: Sendable {
    /// Comes back in the reply; the caller's own choice.
    public let ticket: UInt64
    public let query: Query

    public init(ticket: UInt64, _ query: Query) {
        self.ticket = ticket
        self.query = query
    }

    public enum Query: Sendable {
        /// The updates from number `from` on, as bytes. Answered by ``Answer/page(_:)``.
        case page(sid: Int64, from: Int64, maxBytes: Int = ReadLimit.defaultPageBytes)
        /// What comes after timeline number `after`: updates and entries. Answered by ``Answer/timeline(_:)``.
        case timeline(sid: Int64, after: Int64, maxBytes: Int = ReadLimit.defaultPageBytes)
        /// Updates one by one with their times, to at most 1 MiB. Answered by ``Answer/updates(_:)``.
        case updates(sid: Int64, start: HistoryStart, limit: Int, direction: HistoryDirection)
        /// Sessions, of all or of one tenant, the last active first. A page has at most ``ReadLimit/sessions`` records and
        /// ``ReadLimit/listBytes``; the next one begins after its last record. Answered by ``Answer/listing(_:)``.
        case sessions(liveOnly: Bool, limit: Int, tenant: String? = nil, after: ListingPosition? = nil)
        /// The same for all lives under one id, of each agent or of one.
        case lives(sessionId: String, agent: String?, limit: Int, tenant: String? = nil, after: ListingPosition? = nil)
        /// A page of the sessions that fit, the last active first, with the same bounds. With `after`, the offset counts
        /// from there. Answered by ``Answer/listing(_:)``.
        case list(SessionFilter, offset: Int, limit: Int, after: ListingPosition? = nil)
        /// The newest life under this name of each agent and tenant, or of one. Answered by ``Answer/sessions(_:)``.
        case find(sessionId: String, agent: String?, tenant: String? = nil)
        /// One life by its place in the log. Answered by ``Answer/sessions(_:)``, with one record or none.
        case life(sid: Int64)
        /// Whether a reader who has applied `seq` under `journal` can go on in life `sid`. Answered by
        /// ``Answer/position(_:)``.
        case position(sid: Int64, journal: Journal, seq: Int64)
        /// How much of the file each part of a life takes, in parts of about `partBytes`. Answered by
        /// ``Answer/sizes(_:)``.
        case sizes(sid: Int64, partBytes: Int)
    }
}

extension ReadRequest.Query {
    /// The session whose updates or entries it is about.
    var sid: Int64? {
        switch self {
        case .page(let sid, _, _), .timeline(let sid, _, _), .updates(let sid, _, _, _), .position(let sid, _, _),
            .sizes(let sid, _):
            sid
        case .sessions, .lives, .list, .find, .life: nil
        }
    }
}

/// Bounds on one answer. A single line or entry that is larger still comes, alone.
public enum ReadLimit {
    /// 256 KiB: a few socket buffers, read in well under a millisecond.
    public static let defaultPageBytes = 256 << 10
    /// 4 MiB; a larger `maxBytes` is taken for this.
    public static let pageBytes = 4 << 20
    /// 1 MiB.
    public static let historyBytes = 1 << 20
    /// 10,000 records are a few MB.
    public static let sessions = 10_000
    /// 4 MiB of records, so that 10,000 usual ones are one page and 10,000 of the largest, 16 KiB each, are not.
    public static let listBytes = 4 << 20
    /// How many records ``ReadRequest/Query/find(sessionId:agent:tenant:)`` answers with: agents that use one id.
    public static let namesakes = 100
}

/// Where a history query begins.
public enum HistoryStart: Sendable {
    /// Next to this update, which is not itself in the answer: after it going forward, before it going backward.
    /// `.seq(0)` forward is the first, `.seq(.max)` backward the last.
    case seq(Int64)
    /// At this time, in milliseconds since 1970: not earlier going forward, not later going backward. Times belong to
    /// runs, and are taken to rise; where the clock was set back the place found is one of several.
    case ts(Int64)
}

public enum HistoryDirection: Sendable {
    /// Rising numbers.
    case forward
    /// Falling numbers.
    case backward
}
