/// The place of another bridge's session among the sessions of this bridge. Pure.
///
/// A bridge that reads sessions of others, from a hub or from peers, identifies each of them by one number, as its own
/// sessions: bit 62, then the log's id in 32 bits, then the log's own number in 30 bits. The numbers of a bridge's own
/// sessions are lower, so both kinds have one order. A session with a number of 2^30 or more, which no bridge reaches, is
/// not listed.
package struct HubSid: Hashable, Sendable {
    package let logId: Int64
    /// The number in the log of its bridge.
    package let own: Int64

    package static let ownBits: Int64 = 30
    package static let ownLimit: Int64 = 1 << ownBits
    private static let mark: Int64 = 1 << 62

    /// Nil if the numbers do not fit.
    package init?(logId: Int64, own: Int64) {
        guard UInt32(exactly: logId) != nil, own > 0, own < Self.ownLimit else { return nil }
        self.logId = logId
        self.own = own
    }

    /// Nil for the number of a bridge's own session.
    package init?(_ sid: Int64) {
        guard sid >= Self.mark else { return nil }
        self.init(logId: (sid - Self.mark) >> Self.ownBits, own: sid & (Self.ownLimit - 1))
    }

    package init?(_ journal: Journal) { self.init(logId: Int64(journal.logId), own: journal.sid) }

    /// The number that identifies the session at the bridge that reads it.
    package var sid: Int64 { Self.mark | logId << Self.ownBits | own }
}

extension SessionListing {
    /// Returns the first page of a list that is kept in two parts. Each part has its first `limit` records, the last active
    /// first, or fewer if its answer had no more room.
    package func merged(with other: SessionListing, limit: Int) -> SessionListing {
        // Behind the end of a part that has more, records of that part are missing.
        let end = [self, other].filter(\.hasMore).compactMap(\.records.last).map { ($0.lastTs, $0.sid) }.max(by: <)
        let all = (records + other.records).sorted { ($0.lastTs, $0.sid) > ($1.lastTs, $1.sid) }
            .filter { record in end.map { (record.lastTs, record.sid) >= $0 } ?? true }
        let page = Array(all.prefix(limit))
        let total = total.flatMap { total in other.total.map { total + $0 } }
        return SessionListing(
            records: page, total: total, hasMore: hasMore || other.hasMore || all.count > page.count)
    }
}
