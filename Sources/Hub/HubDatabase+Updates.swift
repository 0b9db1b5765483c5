import JSONScan
import Postgres
import SessionRecords

/// The new updates of all sessions that a viewer's clients follow, in one query. Pages of single sessions would need two
/// queries for each session and look.
extension HubDatabase {
    /// 4 MiB in all: what one look holds in memory.
    private static let updatesLimitBytes = 4 << 20
    /// Rows of one session. The bridge of a session writes one with each transaction.
    private static let rowsLimit = 64

    /// A session with new updates, and the range of them.
    private struct Wanted {
        let place: HubSid
        let epoch: Int64
        let day: Int64
        let numbers: Range<Int64>
    }

    /// A session is missing if it has no new updates, or if they must be read as pages: of a new epoch, or over the limit.
    func newUpdates(of found: [Found], after followed: [Followed]) throws(HubError) -> [HubSid: UpdatePage] {
        var known: [HubSid: Followed] = [:]
        for session in followed { known[session.place] = session }
        let wanted = found.compactMap { found -> Wanted? in
            guard let place = HubSid(found.record.sid), let earlier = known[place], let last = earlier.last,
                found.takenBackFrom == nil, found.record.journal.epoch == earlier.epoch, last < found.record.head
            else { return nil }
            return Wanted(place: place, epoch: earlier.epoch, day: found.day, numbers: last + 1..<found.record.head + 1)
        }
        guard let firstDay = wanted.map(\.day).min(), let lastDay = wanted.map(\.day).max() else { return [:] }
        return try pages(
            rows(wanted, days: firstDay...lastDay),
            from: Dictionary(wanted.map { ($0.place, $0.numbers) }, uniquingKeysWith: { $1 }))
    }

    /// The range of days is a constant for the planner, which then ignores the partitions of other days.
    private func rows(_ wanted: [Wanted], days: ClosedRange<Int64>) throws(HubError) -> PostgresResult {
        try execute(
            """
            SELECT log_id, sid, first, count, body, sum FROM (
                SELECT place, r.*, sum(octet_length(r.body)) OVER (ORDER BY place, r.first) AS total
                FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[])
                        WITH ORDINALITY AS w(log_id, sid, epoch, day, from_number, to_number, place)
                    CROSS JOIN LATERAL (
                        SELECT log_id, sid, first, count, body, sum FROM acpbridge.run
                        WHERE day BETWEEN DATE '1970-01-01' + $7::int4 AND DATE '1970-01-01' + $8::int4
                            AND day = DATE '1970-01-01' + w.day::int4 AND log_id = w.log_id AND sid = w.sid
                            AND epoch = w.epoch AND count > 0 AND first >= w.from_number AND first < w.to_number
                        ORDER BY first LIMIT \(Self.rowsLimit)) r) counted
            WHERE total <= \(Self.updatesLimitBytes) ORDER BY place, first
            """,
            [
                .integers(wanted.map(\.place.logId)), .integers(wanted.map(\.place.own)),
                .integers(wanted.map(\.epoch)),
                .integers(wanted.map(\.day)), .integers(wanted.map(\.numbers.lowerBound)),
                .integers(wanted.map(\.numbers.upperBound)), .integer(days.lowerBound), .integer(days.upperBound),
            ])
    }

    /// Joins the rows of each session, up to the first gap.
    private func pages(
        _ result: PostgresResult, from wanted: [HubSid: Range<Int64>]
    ) -> [HubSid: UpdatePage] {
        var pages: [HubSid: UpdatePage] = [:]
        for row in 0..<result.rowCount {
            // A row that is wrong is left out, with those after it: other sessions must not wait for it. A page of the
            // session reports it.
            let numbers = [0, 1, 2, 3, 5].compactMap { result.integer(row, $0) }
            guard numbers.count == 5, numbers[2...3].allSatisfy(UpdateNumber.range.contains),
                let body = result.bytes(row, 4), numbers[4] == Checksum.of(body),
                SessionUpdateLines.count(body).map(Int64.init) == numbers[3]
            else { continue }
            guard let place = HubSid(logId: numbers[0], own: numbers[1]), let wanted = wanted[place] else { continue }
            let (first, end) = (numbers[2], numbers[2] + numbers[3])
            let next = pages[place].map { $0.last + 1 } ?? wanted.lowerBound
            guard first == next, end <= wanted.upperBound else { continue }
            var page = pages.removeValue(forKey: place) ?? UpdatePage(first: first, count: 0, lines: [], isAtEnd: false)
            page.lines += body
            page.count += Int(numbers[3])
            page.isAtEnd = end == wanted.upperBound
            pages[place] = page
        }
        return pages
    }
}
