import FieldLimits
import Postgres
import SessionRecords

/// One session's history at the hub.
extension HubDatabase {
    /// Answers a query about one session of another bridge.
    package func answer(_ query: ReadRequest.Query, about place: HubSid) throws(HubError) -> Answer {
        if case .incarnation = query { return .sessions(try incarnation(place)) }
        guard let (history, day) = try history(of: place) else { return .failed(.unknownSession(sid: place.own)) }
        let reader = HistoryReader(database: self, place: place, day: day, history: history)
        switch query {
        case .page(_, let from, let maxBytes):
            return .page(try reader.page(from: max(from, history.head.oldest), limitBytes: Self.limit(maxBytes)))
        case .timeline(_, let after, _, let maxBytes, _):
            return .timeline(try reader.timeline(after: after, limitBytes: Self.limit(maxBytes)))
        case .updates(_, let start, let limit, .forward):
            return .updates(try reader.forward(from: start, limit: max(1, limit)))
        case .updates(_, let start, let limit, .backward):
            return .updates(try reader.backward(from: start, limit: max(1, limit)))
        case .position(_, let journal, let seq):
            guard HubSid(journal) == place else { return .position(.resetTo(first: history.head.oldest)) }
            return .position(history.position(epoch: journal.epoch, seq: seq))
        default: return .failed(.unknownSession(sid: place.own))
        }
    }

    private static func limit(_ maxBytes: Int) -> Int { max(1, min(maxBytes, ReadLimit.pageBytes)) }

    /// Nil if the hub does not have the session.
    private func history(of place: HubSid) throws(HubError) -> (history: HubHistory, day: Int64)? {
        let rows = try execute(
            """
            SELECT coalesce(h.epoch, s.epoch), coalesce(h.n, 0), coalesce(h.seq, 0), coalesce(h.seq_n, 0),
                coalesce(h.oldest, 1), coalesce(h.ts, s.last_ts), \(Self.day),
                c.epoch, c.first, c.first_n
            FROM acpbridge.session s LEFT JOIN acpbridge.head h USING (log_id, sid)
                LEFT JOIN acpbridge.claim c USING (log_id, sid)
            WHERE s.log_id = $1 AND s.sid = $2 ORDER BY c.epoch LIMIT \(HubHistory.claimLimit + 1)
            """, [.integer(place.logId), .integer(place.own)])
        guard rows.rowCount > 0 else { return nil }
        guard rows.rowCount <= HubHistory.claimLimit else { throw .damaged }
        let numbers = (0..<7).compactMap { rows.integer(0, $0) }
        guard numbers.count == 7 else { throw .damaged }
        let head = HubHead(
            epoch: numbers[0], n: numbers[1], seq: numbers[2], seqN: numbers[3], oldest: numbers[4], ts: numbers[5])
        var claims: [HubClaim] = []
        for row in 0..<rows.rowCount {
            guard let epoch = rows.integer(row, 7), let first = rows.integer(row, 8), let firstN = rows.integer(row, 9)
            else { continue }
            claims.append(HubClaim(sid: place.own, epoch: epoch, first: first, firstN: firstN))
        }
        guard head.isInRange, claims.allSatisfy(\.isInRange) else { throw .damaged }
        return (HubHistory(head: head, claims: claims), numbers[6])
    }
}

/// Reads the rows of one session.
private struct HistoryReader {
    let database: HubDatabase
    let place: HubSid
    /// ``HubSession/day``.
    let day: Int64
    let history: HubHistory

    private enum Order: String {
        case updates = "first"
        case items = "n"

        var condition: String { self == .updates ? "AND count > 0" : "" }
    }

    /// The largest number of rows of one page; the rest is the next page.
    private static let rowLimit = 512

    /// The day is a constant for the planner, which then ignores the partitions of other days. With 90 of them, it takes
    /// 100 ms otherwise.
    private var isHere: String { "day = DATE '1970-01-01' + \(day) AND log_id = $1 AND sid = $2" }

    func page(from: Int64, limitBytes: Int) throws(HubError) -> UpdatePage {
        let stretch = history.stretch(ofUpdate: from)
        let rows = try rows(.updates, from: from, in: stretch, limitBytes: limitBytes)
        guard let page = history.page(of: rows, from: from, in: stretch, limitBytes: limitBytes) else { throw .damaged }
        return page
    }

    /// The page begins later if the hub does not have the items before it.
    func timeline(after: Int64, limitBytes: Int) throws(HubError) -> TimelinePage {
        var start = max(0, min(after, .max - 1)) + 1
        while true {
            let stretch = history.stretch(ofItem: start)
            let rows = try rows(.items, from: start, in: stretch, limitBytes: limitBytes)
            guard let page = history.timeline(of: rows, from: start, in: stretch, limitBytes: limitBytes) else {
                throw .damaged
            }
            guard page.items.isEmpty, stretch.end <= history.head.n else { return page }
            start = stretch.end
        }
    }

    // MARK: Single updates

    func forward(from start: HistoryStart, limit: Int) throws(HubError) -> HistoryPage {
        var next: Int64
        switch start {
        case .seq(let seq): next = max(history.head.oldest, min(seq, .max - 1) + 1)
        case .ts(let ts): next = try firstUpdate(notBefore: ts)
        }
        var collector = HistoryCollector(limit: limit)
        while next <= history.head.seq, !collector.isFull {
            let page = try items(from: next)
            guard let last = page.last else { break }
            for item in page { collector.add(item.item) }
            next = last.seq + 1
        }
        return collector.page
    }

    func backward(from start: HistoryStart, limit: Int) throws(HubError) -> HistoryPage {
        var last: Int64
        switch start {
        case .seq(let seq): last = max(seq, 1) - 1
        case .ts(.max): last = .max
        case .ts(let ts): last = try firstUpdate(notBefore: ts + 1) - 1
        }
        last = min(last, history.head.seq)
        var collector = HistoryCollector(limit: limit)
        while last >= history.head.oldest, !collector.isFull {
            let rows = try rowsBackward(from: last)
            guard !rows.isEmpty else { break }
            for row in rows {
                for item in try items(of: row, through: last).reversed() {
                    collector.add(item.item)
                    last = item.seq - 1
                }
            }
        }
        return collector.page
    }

    /// The number of the first update at or after a time. Times are assumed to rise.
    private func firstUpdate(notBefore ts: Int64) throws(HubError) -> Int64 {
        let found = try database.execute(
            """
            SELECT max(first) FROM acpbridge.run r WHERE \(isHere) AND count > 0 AND ts < $3
                AND n < coalesce((SELECT min(c.first_n) FROM acpbridge.claim c
                    WHERE c.log_id = $1 AND c.sid = $2 AND c.epoch > r.epoch), \(Int64.max))
            """, [.integer(place.logId), .integer(place.own), .integer(ts)])
        guard let first = found.integer(0, 0), first >= history.head.oldest else { return history.head.oldest }
        let items = try items(from: first)
        return items.first { $0.ts >= ts }?.seq ?? (items.last?.seq ?? first - 1) + 1
    }

    /// The updates from one on, at most those of some rows.
    private func items(from seq: Int64) throws(HubError) -> [(seq: Int64, ts: Int64, item: TimelineItem)] {
        let stretch = history.stretch(ofUpdate: seq)
        var found: [(seq: Int64, ts: Int64, item: TimelineItem)] = []
        for row in try rows(.updates, from: seq, in: stretch, limitBytes: ReadLimit.historyBytes) {
            found += try items(of: row, through: stretch.end - 1).filter { $0.seq >= seq }
        }
        return found
    }

    private func items(
        of row: HubRow, through last: Int64
    ) throws(HubError) -> [(seq: Int64, ts: Int64, item: TimelineItem)] {
        guard let items = row.items(from: row.n) else { throw .damaged }
        return items.compactMap { item in
            guard case .update(_, let seq, let ts, _) = item, seq <= last else { return nil }
            return (seq, ts, item)
        }
    }

    // MARK: Rows

    private static let columns = "epoch, n, first, count, ts, kind, body, times, sum"

    /// The bytes of a row's values without a fixed size. A value's length is known without reading the value.
    private static let size = "(octet_length(body) + coalesce(octet_length(times), 0))"

    /// The columns of a row without the contents of one that is too large, which counts as damaged.
    private static let boundedColumns = """
        epoch, n, first, count, ts, left(kind, \(FieldLimit.titleCharacters)),
        CASE WHEN \(size) <= \(HubRow.limitBytes) THEN body END,
        CASE WHEN \(size) <= \(HubRow.limitBytes) THEN times END, sum
        """

    private func rows(
        _ order: Order, from: Int64, in stretch: HubHistory.Stretch, limitBytes: Int
    ) throws(HubError) -> [HubRow] {
        let key = order.rawValue
        let result = try database.execute(
            """
            SELECT \(Self.boundedColumns) FROM (
                SELECT *, sum(\(Self.size)) OVER (ORDER BY \(key)) - \(Self.size) AS earlier FROM (
                    SELECT \(Self.columns) FROM acpbridge.run WHERE \(isHere) AND epoch = $3 \(order.condition)
                        AND \(key) >= coalesce((SELECT max(\(key)) FROM acpbridge.run
                            WHERE \(isHere) AND epoch = $3 AND \(key) <= $4 \(order.condition)), 0)
                        AND \(key) < $5
                    ORDER BY \(key) LIMIT \(Self.rowLimit)) found) counted
            WHERE earlier < $6 ORDER BY \(key)
            """,
            [
                .integer(place.logId), .integer(place.own), .integer(stretch.epoch), .integer(from),
                .integer(stretch.end), .integer(Int64(limitBytes)),
            ])
        return try records(result)
    }

    /// Rows with updates up to `last`, the last one first.
    private func rowsBackward(from last: Int64) throws(HubError) -> [HubRow] {
        let stretch = history.stretch(ofUpdate: last)
        let result = try database.execute(
            """
            SELECT \(Self.boundedColumns) FROM (
                SELECT *, sum(\(Self.size)) OVER (ORDER BY first DESC) - \(Self.size) AS later FROM (
                    SELECT \(Self.columns) FROM acpbridge.run WHERE \(isHere) AND epoch = $3 AND count > 0
                        AND first <= $4 AND first >= $5
                    ORDER BY first DESC LIMIT \(Self.rowLimit)) found) counted
            WHERE later < \(ReadLimit.historyBytes) ORDER BY first DESC
            """,
            [
                .integer(place.logId), .integer(place.own), .integer(stretch.epoch), .integer(last),
                .integer(stretch.first),
            ])
        return try records(result)
    }

    private func records(_ result: PostgresResult) throws(HubError) -> [HubRow] {
        var rows: [HubRow] = []
        for row in 0..<result.rowCount {
            let numbers = (0..<5).compactMap { result.integer(row, $0) }
            guard numbers.count == 5, let body = result.bytes(row, 6), let sum = result.integer(row, 8),
                sum == Checksum.of(body)
            else { throw .damaged }
            let found = HubRow(
                sid: place.own, epoch: numbers[0], n: numbers[1], first: numbers[2], count: numbers[3],
                ts: numbers[4], kind: result.text(row, 5), body: body, offsets: result.bytes(row, 7))
            guard found.isInRange, found.hasMessagesOnly else { throw .damaged }
            rows.append(found)
        }
        return rows
    }
}
