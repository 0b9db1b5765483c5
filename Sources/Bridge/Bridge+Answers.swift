import EventLoop
import JSONScan
import SessionLog
import Tinyvex

/// What a finished request answers with, and what is to happen once the answer is on its way.
struct Completion {
    let result: [UInt8]
    var afterwards: @LoopActor () -> Void = {}
}

typealias Completing = @LoopActor (Result<Completion, Rejection>) -> Void

extension Bridge {
    /// Answers one request of a client, now or when the log has answered.
    func answer(_ request: ClientRequest, for connection: TinyvexConnection, then finish: @escaping Completing) {
        do throws(Rejection) {
            try request.checkRights(connection.identity)
        } catch {
            return finish(.failure(error))
        }
        switch request {
        case .connect(let client):
            connection.takesChunks = client.takesChunks
            let result = ConnectResult(
                serverVersion: configuration.version, nowTs: wallClockMilliseconds(), connectionId: connection.id,
                chunks: client.takesChunks, role: connection.identity.role)
            finish(.success(Completion(result: result.json())))
        case .ping(let t):
            let result = JSONWriter.object { writer in
                if let t { writer.member("t", raw: t.rawText) }
            }
            finish(.success(Completion(result: result)))
        case .setToken(let token): finish(setToken(token, of: connection))
        case .unsubscribe(let subId): finish(unsubscribe(subId, connection))
        case .subscribe(let request): subscribe(request, connection, finish)
        case .recentSessions(let request): recentSessions(request, of: connection.identity.tenant, finish)
        case .sessionUpdates(let request): sessionUpdates(request, for: connection.identity, finish)
        case .mutation(let call):
            mutate(call, for: connection.identity) { result in finish(Self.wrapped(result, call.requestId)) }
        case .action(let call):
            act(call, for: connection.identity) { result in finish(Self.wrapped(result, call.requestId)) }
        }
    }

    private func unsubscribe(_ subId: String, _ connection: TinyvexConnection) -> Result<Completion, Rejection> {
        guard connection.removeSubscription(subId) else {
            var rejection = Rejection(.subscriptionNotFound, "no subscription \(quoted(subId)) on this connection")
            rejection.subId = subId
            return .failure(rejection)
        }
        return .success(Completion(result: JSONWriter.object { $0.member("ok", true) }))
    }

    /// `{"requestId":"7","value":…}`
    private static func wrapped(
        _ result: Result<Completion, Rejection>, _ requestId: String?
    ) -> Result<Completion, Rejection> {
        switch result {
        case .success(let completion):
            let json = JSONWriter.object { writer in
                writer.member("requestId", ifPresent: requestId)
                writer.member("value", raw: completion.result)
            }
            return .success(Completion(result: json, afterwards: completion.afterwards))
        case .failure(var rejection):
            rejection.requestId = requestId
            return .failure(rejection)
        }
    }

    // MARK: History

    private func recentSessions(
        _ request: RecentSessionsRequest, of tenant: String?, _ finish: @escaping Completing
    ) {
        let query: ReadRequest.Query
        do throws(Rejection) {
            query = Self.query(request, tenant, after: try request.cursor.map(Self.position))
        } catch {
            return finish(.failure(error))
        }
        registry.readSettled(query) { [self] answer in
            guard case .listing(let listing) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
            let (page, next) = self.page(of: listing)
            finish(.success(Completion(result: page.array(next: next?.description))))
        }
    }

    private static func query(
        _ request: RecentSessionsRequest, _ tenant: String?, after position: ListingPosition?
    ) -> ReadRequest.Query {
        guard let id = request.sessionId else {
            return .sessions(liveOnly: request.liveOnly, limit: request.limit, tenant: tenant, after: position)
        }
        return .lives(sessionId: id, agent: request.agent, limit: request.limit, tenant: tenant, after: position)
    }

    static func position(_ cursor: String) throws(Rejection) -> ListingPosition {
        guard let position = ListingPosition(cursor) else { throw .unknownCursor }
        return position
    }

    /// As many of the records as fit on one page, and the place of the last one if others follow it.
    func page(of listing: SessionListing) -> (page: ListPage, next: ListingPosition?) {
        var page = ListPage(rowLimit: .max)
        for record in listing.records where !page.add(summary(of: record).json()) { break }
        let hasMore = listing.hasMore || page.rows.count < listing.records.count
        let last = page.rows.isEmpty ? nil : listing.records[page.rows.count - 1]
        return (page, hasMore ? last.map { ListingPosition($0) } : nil)
    }

    /// The log's record, and what memory knows better of a session that is there.
    func summary(of record: SessionRecord) -> SessionSummary {
        let known = registry.known(sid: record.sid)
        // It has ended when its last update is stored: until then its numbers still grow.
        let isLive = known.map { !$0.isComplete } ?? false
        let end = known?.end ?? record.exit.flatMap { SessionEnd(storedText: $0) } ?? .interrupted
        let title = PromptTitle.title(agents: record.title, firstPrompt: record.firstPrompt)
        return SessionSummary(
            sessionId: record.sessionId, agent: record.agent, title: record.label.title ?? known?.title ?? title,
            cwd: known?.cwd ?? record.cwd, tags: record.label.tags, isArchived: record.label.isArchived,
            createdTs: record.createdTs, lastTs: max(record.lastTs, known?.lastTime ?? 0),
            updateCount: max(record.head, known?.head ?? 0), live: isLive,
            isRunning: isLive && (known?.runningPrompts ?? 0) > 0,
            journal: record.journal.description, end: isLive ? nil : end)
    }

    func sessionUpdates(_ request: HistoryRequest, for identity: Identity, _ finish: @escaping Completing) {
        registry.find(request.session, of: identity.tenant) { [self] found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session): readUpdates(request, session, finish)
            }
        }
    }

    private func readUpdates(_ request: HistoryRequest, _ session: Session, _ finish: @escaping Completing) {
        guard let sid = session.sid else { return finish(.failure(SessionRegistry.unreadable)) }
        let start: HistoryStart
        switch request.start {
        case .afterSeq(let seq): start = .seq(seq)
        case .sinceTime(let time): start = .ts(time)
        case .edge: start = request.isBackward ? .seq(.max) : .seq(0)
        }
        let query = ReadRequest.Query.updates(
            sid: sid, start: start, limit: request.limit, direction: request.isBackward ? .backward : .forward)
        registry.log.read(query) { answer in
            guard case .updates(let page) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
            finish(.success(Completion(result: Self.json(page))))
        }
    }

    private static func json(_ page: HistoryPage) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("updates") { writer in
                for update in page.updates {
                    writer.object { writer in
                        writer.member("seq", update.seq)
                        writer.member("ts", update.ts)
                        writer.member("notification", raw: update.line)
                    }
                }
            }
            if let next = page.nextSeq { writer.member("nextSeq", next) } else { writer.memberNull("nextSeq") }
        }
    }
}
