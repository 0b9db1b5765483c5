/// A request to read. Each request is served from one snapshot of the committed data, in the order the requests came.
package struct ReadRequest: Sendable {
    /// Chosen by the caller, and returned in the reply.
    package let ticket: UInt64
    package let query: Query

    package init(ticket: UInt64, _ query: Query) {
        self.ticket = ticket
        self.query = query
    }

    package enum Query: Sendable {
        /// The updates from number `from` on, as bytes. Answered by ``Answer/page(_:)``.
        case page(sid: Int64, from: Int64, maxBytes: Int = ReadLimit.defaultPageBytes)
        /// Updates and entries after timeline number `after`. Answered by ``Answer/timeline(_:)``.
        ///
        /// - `through`: the last number that is needed. A hub, and a peer of an earlier version, can return more.
        /// - `lineLimitBytes`: the bridge's own log returns longer lines empty, and does not read those that are outside
        ///   of its tables. Peers and the hub ignore this limit.
        case timeline(
            sid: Int64, after: Int64, through: Int64 = .max, maxBytes: Int = ReadLimit.defaultPageBytes,
            lineLimitBytes: Int = .max)
        /// Pages of several timelines, with one bound for all of them. Answered by ``Answer/timelines(_:)``.
        case timelines([TimelineStart], maxBytes: Int = ReadLimit.defaultPageBytes)
        /// Single updates with their times, up to 1 MiB. Answered by ``Answer/updates(_:)``.
        case updates(sid: Int64, start: HistoryStart, limit: Int, direction: HistoryDirection)
        /// Sessions of all tenants or of one, the last active first. A page has at most ``ReadLimit/sessions`` records
        /// and ``ReadLimit/listBytes``. The next page begins after the last record. Answered by ``Answer/listing(_:)``.
        case sessions(liveOnly: Bool, limit: Int, tenant: String? = nil, after: ListingPosition? = nil)
        /// All incarnations under one id, of every agent or of one, in pages like those of `sessions`.
        case incarnations(
            sessionId: String, agent: String?, limit: Int, tenant: String? = nil, after: ListingPosition? = nil)
        /// A page of the sessions that match the filter, the last active first, with the same bounds. With `after`, the
        /// offset counts from there. Answered by ``Answer/listing(_:)``.
        case list(SessionFilter, offset: Int, limit: Int, after: ListingPosition? = nil)
        /// For each agent and tenant, or for the given ones, the newest incarnation under this name. Answered by
        /// ``Answer/sessions(_:)``.
        case find(sessionId: String, agent: String?, tenant: String? = nil)
        /// One incarnation by its place in the log. Answered by ``Answer/sessions(_:)``, with one record or none.
        case incarnation(sid: Int64)
        /// Whether a reader who has applied `seq` under `journal` can continue in incarnation `sid`. Answered by
        /// ``Answer/position(_:)``.
        case position(sid: Int64, journal: Journal, seq: Int64)
        /// How much of the file each part of an incarnation takes, in parts of about `partBytes`. Answered by
        /// ``Answer/sizes(_:)``.
        case sizes(sid: Int64, partBytes: Int)
        /// All claims of an incarnation, by rising epoch. Answered by ``Answer/claims(_:)``.
        case claims(sid: Int64)
        /// The log's random id. Answered by ``Answer/logId(_:)``.
        case logId
        /// The usage of the own sessions on the days that begin at these times, in rising order. The last day has no end.
        /// Answered by ``Answer/usage(_:)``.
        case usage(starts: [Int64], tenant: String? = nil)
        /// The incarnations whose deletion is noted for a hub, by rising number. Answered by ``Answer/deletions(_:)``.
        case deletions(limit: Int)
    }
}

extension ReadRequest.Query {
    /// The session that the updates or entries belong to.
    package var sid: Int64? {
        switch self {
        case .page(let sid, _, _), .timeline(let sid, _, _, _, _), .updates(let sid, _, _, _), .position(let sid, _, _),
            .sizes(let sid, _), .claims(let sid):
            sid
        case .timelines, .sessions, .incarnations, .list, .find, .incarnation, .usage, .logId, .deletions: nil
        }
    }
}

/// Bounds on one answer. A single line or entry above the bound is returned alone.
package enum ReadLimit {
    /// 256 KiB: a few socket buffers, read in well under a millisecond.
    package static let defaultPageBytes = 256 << 10
    /// 4 MiB. A larger `maxBytes` is reduced to this.
    package static let pageBytes = 4 << 20
    /// 1 MiB.
    package static let historyBytes = 1 << 20
    /// 10,000 records take a few MB.
    package static let sessions = 10_000
    /// 4 MiB of records. 10,000 usual records fit in one page, and 10,000 of the largest, 16 KiB each, do not.
    package static let listBytes = 4 << 20
    /// The most records before a page of a list with sessions of other bridges: 100,000, because all of them are read.
    package static let mergedOffset = 100_000
    /// The largest number of records in an answer to ``ReadRequest/Query/find(sessionId:agent:tenant:)``. The records
    /// are of agents that use one id.
    package static let namesakes = 100
}

/// A page of a session's timeline begins after this number.
package struct TimelineStart: Sendable, Equatable {
    package let sid: Int64
    package let after: Int64

    package init(sid: Int64, after: Int64) {
        self.sid = sid
        self.after = after
    }
}

/// The start of a history query.
package enum HistoryStart: Sendable, Equatable {
    /// Next to this update, which the answer does not include: after it going forward, before it going backward.
    /// `.seq(0)` forward begins with the first update, `.seq(.max)` backward with the last.
    case seq(Int64)
    /// At this time, in milliseconds since 1970: not earlier going forward, not later going backward. Times are assumed
    /// to rise. If the clock was set back, several places match, and one of them is used.
    case ts(Int64)
}

package enum HistoryDirection: Sendable {
    /// Rising numbers.
    case forward
    /// Falling numbers.
    case backward
}
