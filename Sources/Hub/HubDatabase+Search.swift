import Postgres
import SessionRecords

/// The words of a stretch of a timeline.
package struct HubDocument: Sendable, Equatable {
    /// The timeline numbers of the first and the last item.
    package let first: Int64
    package let last: Int64
    /// Milliseconds since 1970.
    package let ts: Int64
    /// Each word once. Words have letters, digits and marks only.
    package let words: [String]

    package init(first: Int64, last: Int64, ts: Int64, words: [String]) {
        (self.first, self.last, self.ts, self.words) = (first, last, ts, words)
    }
}

/// How far the hub has the words of one session.
package struct HubSearched: Sendable, Equatable {
    package let sid: Int64
    /// The last item of the timeline at the hub.
    package let head: Int64
    /// The words of all items up to this one are stored.
    package let done: Int64
    /// The item with which reading continues.
    package let next: Int64
    /// The epoch of the newest claim at the hub.
    package let epoch: Int64

    package init(sid: Int64, head: Int64, done: Int64, next: Int64, epoch: Int64) {
        (self.sid, self.head, self.done, self.next, self.epoch) = (sid, head, done, next, epoch)
    }

    /// - Parameters:
    ///   - items: a page of the timeline from ``next`` on, without items that the hub does not have; empty if the log
    ///     cannot read them.
    ///   - reopened: the first item of the page's last document, if that document can continue.
    package func advanced(over items: [TimelineItem], reopened: Int64?) -> HubSearched {
        // Items that cannot be read are passed over.
        let last = items.last?.n ?? head
        // A page that adds nothing must not be read again.
        let next = reopened.map { last > done ? $0 : last + 1 } ?? last + 1
        return HubSearched(sid: sid, head: head, done: max(last, done), next: next, epoch: epoch)
    }
}

/// The place of a document in a list of hits.
package struct HubSearchPlace: Sendable, Equatable {
    /// Milliseconds since 1970.
    package let ts: Int64
    package let session: HubSid
    /// The timeline number of the document's first item.
    package let first: Int64

    package init(ts: Int64, session: HubSid, first: Int64) {
        (self.ts, self.session, self.first) = (ts, session, first)
    }
}

/// A document that has the words of a query. The text must be read from the timeline.
package struct HubCandidate: Sendable, Equatable {
    package let place: HubSearchPlace
    /// The timeline number of the document's last item.
    package let last: Int64

    package init(place: HubSearchPlace, last: Int64) { (self.place, self.last) = (place, last) }
}

/// A search at the hub.
package struct HubSearchQuery: Sendable {
    /// The words in the syntax of `tsquery`.
    package let expression: String
    package let agent: String?
    package let tenant: String?
    /// Only this session.
    package let session: HubSid?
    /// Only documents after this one in the list.
    package let after: HubSearchPlace?
    package let limit: Int

    package init(
        expression: String, agent: String?, tenant: String?, session: HubSid?, after: HubSearchPlace?, limit: Int
    ) {
        (self.expression, self.agent, self.tenant) = (expression, agent, tenant)
        (self.session, self.after, self.limit) = (session, after, limit)
    }
}

extension HubDatabase {
    // MARK: Storing words

    /// Sessions on one page of ``unsearched(of:after:)``.
    package static let searchedLimit = 500

    /// Returns sessions of the log of which the hub has items without their words, by their numbers.
    package func unsearched(of logId: Int64, after sid: Int64) throws(HubError) -> [Int64] {
        let rows = try execute(
            """
            SELECT h.sid FROM acpbridge.head h LEFT JOIN acpbridge.searched s USING (log_id, sid)
            WHERE h.log_id = $1 AND h.sid > $2 AND (s.n IS NULL OR s.n < h.n OR s.epoch < h.epoch)
            ORDER BY h.sid LIMIT \(Self.searchedLimit)
            """, [.integer(logId), .integer(sid)])
        return (0..<rows.rowCount).compactMap { rows.integer($0, 0) }
    }

    /// Returns how far the hub has the words of a session; nil if the hub does not have the session, or has all words.
    /// First deletes the words of items that a later claim has taken back.
    package func searched(_ sid: Int64, of writer: HubWriter) throws(HubError) -> HubSearched? {
        let values: [PostgresValue] = [.integer(writer.logId), .integer(sid)]
        let cut = PostgresConnection.Statement(
            """
            WITH cut AS (
                SELECT h.epoch, coalesce(min(c.first_n), s.n + 1) AS n
                FROM acpbridge.searched s JOIN acpbridge.head h USING (log_id, sid)
                    LEFT JOIN acpbridge.claim c ON c.log_id = s.log_id AND c.sid = s.sid AND c.epoch > s.epoch
                WHERE s.log_id = $1 AND s.sid = $2 AND s.epoch < h.epoch GROUP BY h.epoch, s.n
            ), gone AS (
                DELETE FROM acpbridge.document d USING cut
                WHERE d.log_id = $1 AND d.sid = $2 AND d.last >= cut.n RETURNING d.first
            )
            UPDATE acpbridge.searched s SET epoch = cut.epoch, n = least(s.n, cut.n - 1),
                next = least(s.next, cut.n, (SELECT min(first) FROM gone))
            FROM cut WHERE s.log_id = $1 AND s.sid = $2
            """, values)
        let find = PostgresConnection.Statement(
            """
            SELECT h.n, coalesce(s.n, 0), coalesce(s.next, 1), h.epoch
            FROM acpbridge.head h LEFT JOIN acpbridge.searched s USING (log_id, sid)
            WHERE h.log_id = $1 AND h.sid = $2 AND (s.n IS NULL OR s.n < h.n)
            """, values)
        let results = try searching(writer, [cut, find])
        guard let rows = results.last, rows.rowCount > 0 else { return nil }
        let numbers = (0..<4).compactMap { rows.integer(0, $0) }
        guard numbers.count == 4 else { throw .damaged }
        return HubSearched(sid: sid, head: numbers[0], done: numbers[1], next: numbers[2], epoch: numbers[3])
    }

    /// Replaces the documents from the item `next` on.
    package func store(
        _ documents: [HubDocument], from next: Int64, _ searched: HubSearched, of writer: HubWriter
    ) throws(HubError) {
        let (log, sid) = (PostgresValue.integer(writer.logId), PostgresValue.integer(searched.sid))
        let statements = [
            PostgresConnection.Statement(
                "DELETE FROM acpbridge.document WHERE log_id = $1 AND sid = $2 AND first >= $3",
                [log, sid, .integer(next)]),
            PostgresConnection.Statement(
                """
                INSERT INTO acpbridge.document (log_id, sid, first, last, ts, words)
                SELECT $1, $2, t.first, t.last, t.ts, array_to_tsvector(
                    array_remove(string_to_array(t.words, ' '), '') || acpbridge.filter_words(s.agent, s.tenant))
                FROM unnest($3::int8[], $4::int8[], $5::int8[], $6::text[]) AS t(first, last, ts, words)
                    JOIN acpbridge.session s ON s.log_id = $1 AND s.sid = $2
                """,
                [
                    log, sid, .integers(documents.map(\.first)), .integers(documents.map(\.last)),
                    .integers(documents.map(\.ts)), .texts(documents.map { $0.words.joined(separator: " ") }),
                ]),
            PostgresConnection.Statement(
                """
                INSERT INTO acpbridge.searched (log_id, sid, epoch, n, next)
                SELECT log_id, sid, $3, $4, $5 FROM acpbridge.session WHERE log_id = $1 AND sid = $2
                ON CONFLICT (log_id, sid) DO UPDATE SET epoch = excluded.epoch, n = excluded.n, next = excluded.next
                """,
                [log, sid, .integer(searched.epoch), .integer(searched.done), .integer(searched.next)]),
        ]
        _ = try searching(writer, statements)
    }

    private func searching(
        _ writer: HubWriter, _ statements: [PostgresConnection.Statement]
    ) throws(HubError) -> [PostgresResult] {
        do throws(PostgresError) {
            return try connection.transaction(Self.opening(writer) + statements, within: Self.statementLimit)
        } catch {
            throw Self.failure(error)
        }
    }

    // MARK: Finding words

    /// Returns the newest documents of all logs except one that have the words of the query.
    package func search(_ query: HubSearchQuery, except logId: Int64) throws(HubError) -> [HubCandidate] {
        let rows = try execute(
            """
            SELECT log_id, sid, first, last, ts FROM acpbridge.search($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .text(query.expression), .text(query.agent), .text(query.tenant),
                .integer(query.session?.logId), .integer(query.session?.own), .integer(logId),
                .integer(query.after?.ts), .integer(query.after?.session.logId), .integer(query.after?.session.own),
                .integer(query.after?.first), .integer(Int64(query.limit)),
            ])
        var found: [HubCandidate] = []
        for row in 0..<rows.rowCount {
            let numbers = (0..<5).compactMap { rows.integer(row, $0) }
            guard numbers.count == 5 else { throw .damaged }
            guard let session = HubSid(logId: numbers[0], own: numbers[1]),
                numbers[2...3].allSatisfy({ $0 > 0 && UpdateNumber.range.contains($0) })
            else { continue }
            let place = HubSearchPlace(ts: numbers[4], session: session, first: numbers[2])
            found.append(HubCandidate(place: place, last: numbers[3]))
        }
        return found
    }
}
