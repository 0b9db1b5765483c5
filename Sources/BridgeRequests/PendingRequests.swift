import JSONScan
import SessionRecords
import TinyvexSync

extension CommandClient {
    /// 10,000 requests of each kind. Further ones are not listed.
    private static let requestLimit = 10_000

    /// The elements of `permissions:pending`.
    package func pendingPermissions() async throws -> [JSONValue] { try await pending("permissions:pending") }

    /// The elements of `elicitations:pending`; none if the bridge is older than that list.
    ///
    /// - Parameter session: The elicitations of this session, and those of its agent that have no session. Nil for all.
    package func pendingElicitations(of session: (id: String, agent: String)? = nil) async throws -> [JSONValue] {
        do {
            return try await pending("elicitations:pending") { writer in
                writer.member("requests", true)
                writer.member("sessionId", ifPresent: session?.id)
                writer.member("agent", ifPresent: session?.agent)
            }
        } catch let failure as BridgeFailure where failure.isUnknownQuery {
            return []
        }
    }

    private func pending(
        _ query: String, params: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> [JSONValue] {
        var rows: [JSONValue] = []
        var cursor: String?
        repeat {
            let page = try await value(query, cursor: cursor, params: params).elements
            rows += page
            cursor = page.last?["nextCursor"]?.stringValue
        } while cursor != nil && rows.count < Self.requestLimit
        return rows
    }
}

extension BridgeFailure {
    /// The bridge does not know the query. TVX002 is also the error for other subscriptions that it refuses.
    fileprivate var isUnknownQuery: Bool {
        if case .server("TVX002", _, _) = error { true } else { false }
    }
}

/// The number of requests that wait for an answer, by session.
package struct PendingCounts: Sendable {
    /// Two bridges can have sessions with one id, and so can one agent: those are different incarnations.
    private struct Name: Hashable {
        let bridge: String?
        let agent: String
        let id: String
        /// Nil while the session is not stored yet.
        let incarnation: String?

        init(_ bridge: String?, _ agent: String, _ id: String, journal: String?) {
            self.bridge = bridge
            self.agent = agent
            self.id = id
            incarnation = journal.flatMap { $0.isEmpty ? nil : Journal($0)?.incarnation ?? $0 }
        }
    }

    private var counts: [Name: Int] = [:]

    /// Without any request.
    package init() {}

    package init(_ client: CommandClient) async throws {
        self.init(rows: try await client.pendingPermissions() + client.pendingElicitations())
    }

    /// - Parameter rows: The elements of both lists. Those without a session are not counted.
    package init(rows: [JSONValue]) {
        for row in rows {
            guard let agent = row["agent"]?.stringValue, let id = row["sessionId"]?.stringValue else { continue }
            let name = Name(row["bridge"]?.stringValue, agent, id, journal: row["journal"]?.stringValue)
            counts[name, default: 0] += 1
        }
    }

    /// The session's requests. An ended session has none.
    package subscript(session: ListedSession) -> Int {
        guard session.isLive else { return 0 }
        let name = Name(session.bridge, session.agent, session.id, journal: session.journal)
        let unstored = Name(session.bridge, session.agent, session.id, journal: nil)
        return (counts[name] ?? 0) + (name == unstored ? 0 : counts[unstored] ?? 0)
    }
}

extension ListedSession {
    /// The state that all tables show: that of the list, or `waiting` for a session with a request that waits for an answer,
    /// `interrupted` if its bridge was killed, `away` if its bridge cannot be reached.
    package func shownState(_ pending: PendingCounts) -> String {
        if pending[self] > 0 { return Self.waitingState }
        if isInterrupted { return "interrupted" }
        return isLive && isAway ? "away" : state
    }

    package static let waitingState = "waiting"

    /// The row as JSON text, with the number of its pending requests if there are any.
    package func row(_ pending: PendingCounts) -> [UInt8] {
        let count = pending[self]
        guard count > 0, let value = try? JSONValue(validating: row) else { return row }
        return JSONWriter.object { writer in
            for (name, value) in value.members { writer.member(name, raw: value.rawText) }
            writer.member("pending", count)
        }
    }
}
