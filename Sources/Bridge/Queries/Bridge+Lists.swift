import EventLoop
import JSONScan
import SessionLog
import Tinyvex

/// What `sessions:list`, `agents:list` and `permissions:pending` say.
extension Bridge {
    func noteChange(of session: Session, _ change: SessionRegistry.SessionChange) {
        queries.touch(.sessions)
        queries.touch(.session(id: session.id))
        guard change != .progress else { return }
        queries.touch(.permissions)
        guard change == .facts else { return }
        queries.touch(.agents)
        noteAlive()
    }

    func listSessions(
        _ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        do throws(Rejection) {
            let request = try SessionListRequest(params)
            let filter = SessionFilter(
                agent: request.agent, isLive: request.isLive, isArchived: request.isArchived, tenant: tenant,
                words: request.words)
            let query = ReadRequest.Query.list(
                filter, offset: request.offset, limit: request.limit, after: try request.cursor.map(Self.position))
            registry.readSettled(query) { [self] answer in
                guard case .listing(let listing) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
                finish(.success(json(listing, request)))
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func json(_ listing: SessionListing, _ request: SessionListRequest) -> [UInt8] {
        let (page, next) = self.page(of: listing)
        return JSONWriter.object { writer in
            writer.memberArray("data") { writer in
                for row in page.rows { writer.element(raw: row) }
            }
            writer.member("total", listing.total ?? 0)
            writer.member("page", request.page)
            writer.member("limit", request.limit)
            writer.member("nextCursor", ifPresent: next.map(\.description))
        }
    }

    /// A page of the agents that run, in the order they were started. Only the first page has the profiles.
    func agentsValue(_ params: Parameters, tenant: String?) throws(Rejection) -> [UInt8] {
        let position = try Self.position(params, count: 2)
        let running = runs(of: tenant).map { (run: $0, place: ListPosition($0.startedAt, Int64($0.pid))) }
            .sorted { $0.place < $1.place }
        let (page, next) = Self.page(running.filter { position.map($0.place.isAfter) ?? true }) { row in
            JSONWriter.object { write(row.run, to: &$0) }
        } place: {
            $0.place
        }
        return JSONWriter.object { writer in
            writer.memberArray("profiles") { writer in
                for profile in position == nil ? configuration.profiles() : [] {
                    writer.object { profile.write(to: &$0) }
                }
            }
            writer.memberArray("running") { writer in
                for row in page.rows { writer.element(raw: row) }
            }
            writer.member("nextCursor", ifPresent: next)
        }
    }

    private static func position(_ params: Parameters, count: Int) throws(Rejection) -> ListPosition? {
        guard let cursor = try params.optionalCursor() else { return nil }
        guard let position = ListPosition(cursor, count: count) else { throw .unknownCursor }
        return position
    }

    /// As many of the rows as fit, and the place of the last one if others follow it.
    private static func page<Row>(
        _ rows: [Row], json: (Row) -> [UInt8], place: (Row) -> ListPosition
    ) -> (page: ListPage, next: String?) {
        var page = ListPage()
        for row in rows where !page.add(json(row)) { break }
        guard page.rows.count < rows.count else { return (page, nil) }
        return (page, place(rows[page.rows.count - 1]).description)
    }

    private func write(_ run: AgentRun, to writer: inout JSONWriter) {
        writer.member("name", run.name)
        writer.member("pid", Int64(run.pid))
        writer.member("startedTs", run.startedAt)
        writer.member("residentBytes", ProcessFacts.residentBytes(of: run.pid))
        let sessions = run.sessions?.sessions.keys.sorted() ?? []
        let listed = Self.beginning(of: sessions)
        writer.memberArray("sessions") { for id in listed { $0.element(id) } }
        if listed.count < sessions.count { writer.member("omittedSessions", sessions.count - listed.count) }
        writer.member("stderrTail", run.errorTail.text)
        writer.member("primary", ifPresent: run.primaryName)
    }

    /// - Parameter tenant: nil for all.
    private func runs(of tenant: String?) -> [AgentRun] { runs.filter { Identity.tenant(tenant, sees: $0.tenant) } }

    /// An agent may run 10,000 sessions, whose ids would make its row larger than a page. `sessions:list` has all of them.
    private static func beginning(of sessions: [String]) -> ArraySlice<String> {
        var room = sessionsLimitBytes
        return sessions.prefix { id in
            room -= id.utf8.count
            return room >= 0
        }
    }

    /// 64 KiB of ids: more than 1,000 of the usual ones.
    private static let sessionsLimitBytes = 64 << 10

    func permissionsValue(_ params: Parameters, tenant: String?) throws(Rejection) -> [UInt8] {
        let position = try Self.position(params, count: 3)
        let pending = runs(of: tenant).flatMap(\.pendingPermissions).sorted { $0.place < $1.place }
        let (page, next) = Self.page(pending.filter { position.map($0.place.isAfter) ?? true }) { permission in
            JSONWriter.object { permission.write(to: &$0) }
        } place: {
            $0.place
        }
        return page.array(next: next)
    }
}
