import SessionRecords
import TextSearch

/// The newest sessions of one peer, in memory, for lists. Pure.
///
/// It has at most ``rowLimit`` rows and ``limitBytes``: the last active sessions. Older ones are not listed here; they are
/// found by their id.
package struct PeerListing: Sendable {
    /// As many as a page of a list.
    package static let rowLimit = LogRequest.listLimit
    /// 2 MiB: 1,000 usual rows take 500 KB.
    package static let limitBytes = 2 << 20

    /// The last active first.
    package private(set) var rows: [PeerRecord] = []

    package init() {}

    /// Takes over a first page. Rows that the page should have, and does not, are removed: they were deleted.
    ///
    /// - Parameter hasMore: the peer has older sessions than the page; those in memory are kept.
    /// - Returns: true if the rows have changed.
    package mutating func take(_ page: [PeerRecord], hasMore: Bool) -> Bool {
        let page = page.sorted(by: Self.isBefore)
        var next = page
        if hasMore, let last = page.last {
            let sids = Set(page.map(\.record.sid))
            next += rows.filter { Self.isBefore(last, $0) && !sids.contains($0.record.sid) }
        }
        next = Self.bounded(next)
        guard next != rows else { return false }
        rows = next
        return true
    }

    /// The newest state of one session, which a reader has found. Returns true if the row has changed.
    package mutating func take(_ record: PeerRecord) -> Bool {
        var record = record
        // Lists do not show the queue.
        record.queue = []
        guard let index = rows.firstIndex(where: { $0.record.sid == record.record.sid }), rows[index] != record else {
            return false
        }
        rows[index] = record
        rows.sort(by: Self.isBefore)
        return true
    }

    private static func bounded(_ rows: [PeerRecord]) -> [PeerRecord] {
        var room = limitBytes
        let kept = rows.prefix(rowLimit).prefix { row in
            room -= row.costBytes
            return room >= 0
        }
        return Array(kept)
    }

    private static func isBefore(_ left: PeerRecord, _ right: PeerRecord) -> Bool {
        (left.record.lastTs, left.record.sid) > (right.record.lastTs, right.record.sid)
    }

    // MARK: Queries

    /// Answers a query for a list from the rows in memory. Nil for another query.
    ///
    /// A list begins with the first record, and has the records of the offset, too.
    package static func listing(_ query: ReadRequest.Query, of records: [SessionRecord]) -> SessionListing? {
        switch query {
        case .sessions(let liveOnly, let limit, let tenant, let position):
            let filter = SessionFilter(isLive: liveOnly ? true : nil, tenant: tenant)
            return page(records.filter { filter.fits($0) }, limit: limit, after: position)
        case .incarnations(let sessionId, let agent, let limit, let tenant, let position):
            let filter = SessionFilter(agent: agent, tenant: tenant)
            return page(
                records.filter { $0.sessionId == sessionId && filter.fits($0) }, limit: limit, after: position)
        case .list(let filter, let offset, let limit, let position):
            let found = records.filter { filter.fits($0) }
            var listing = page(found, limit: max(0, offset) + limit, after: position)
            listing.total = found.count
            return listing
        default: return nil
        }
    }

    private static func page(
        _ records: [SessionRecord], limit: Int, after position: ListingPosition?
    ) -> SessionListing {
        let following = records.sorted { ($0.lastTs, $0.sid) > ($1.lastTs, $1.sid) }.filter { record in
            position.map { (record.lastTs, record.sid) < ($0.lastTs, $0.sid) } ?? true
        }
        let page = Array(following.prefix(max(0, limit)))
        return SessionListing(records: page, hasMore: page.count < following.count)
    }
}

extension SessionFilter {
    /// True if the record matches all criteria.
    fileprivate func fits(_ record: SessionRecord) -> Bool {
        guard agent.map({ $0 == record.agent }) ?? true,
            isLive.map({ $0 == (record.state == .live) }) ?? true,
            isArchived.map({ $0 == record.label.isArchived }) ?? true,
            tenant.map({ $0 == record.tenant }) ?? true, hasChildren || record.parentId == nil
        else { return false }
        let texts = [
            record.label.title, record.title, record.cwd, record.firstPrompt, record.sessionId, record.agent,
            record.home?.bridge,
        ]
        return (texts.compactMap(\.self) + record.label.tags).contain(words: words)
    }
}
