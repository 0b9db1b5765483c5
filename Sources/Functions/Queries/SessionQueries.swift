import ACPRouting
import Access
import Agents
import EventLoop
import JSONScan
import LiveQueries
import SessionFolding
import SessionRecords
import SessionStreams
import TextSearch
import Tinyvex

/// Reads session data: the lists, one session's state, its history and its export.
@LoopActor package struct SessionQueries {
    let registry: SessionRegistry
    let agents: AgentPool
    let forwarding: Forwarding
    let folds: SessionFolds
    let presence: SessionPresence
    let exports: ExportQueue
    let histories: HistoryReads
    let logReads: LogReads
    /// Whether a tenant's people have muted a session; nil if the bridge sends no notifications of it.
    var isMuted: @LoopActor (Session, _ tenant: String?) -> Bool? = { _, _ in nil }

    // MARK: Lists

    func list(
        _ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        do throws(Rejection) {
            let request = try SessionListRequest(params)
            if let session = request.session { return listOne(session, request, tenant, finish) }
            var filter = SessionFilter(
                agent: request.agent, isLive: request.isLive, isArchived: request.isArchived, tenant: tenant,
                words: request.words)
            filter.hiddenIds = registry.importIds()
            filter.hasChildren = request.hasChildren
            let query = ReadRequest.Query.list(
                filter, offset: request.offset, limit: request.limit, after: try request.cursor.map(Self.position))
            registry.readSettled(query) { answer in
                if case .failed(.offsetTooLarge) = answer { return finish(.failure(Self.pageTooDeep)) }
                guard case .listing(let listing) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
                guard request.isWaitingFirst else {
                    let times = WaitingTimes(agents.runs(of: tenant))
                    return finish(.success(self.list(listing, request, tenant, times, waiting: [])))
                }
                readWaiting(request, tenant) { times, waiting in
                    finish(.success(self.list(listing, request, tenant, times, waiting: waiting)))
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    private static let pageTooDeep = Rejection.invalidParams("page: \(LogError.offsetTooLarge)")

    /// - Parameter waiting: On the first page, before all others. No page has them a second time.
    private func list(
        _ listing: SessionListing, _ request: SessionListRequest, _ tenant: String?, _ times: WaitingTimes,
        waiting: [SessionRecord]
    ) -> [UInt8] {
        var first = ListPage(limitBytes: ListPage.addedLimitBytes)
        let listed = waiting.prefix { first.add(row(of: $0, times)) }
        let (page, next) = self.page(of: listing, times, without: Set(listed.map(\.sid)))
        guard request.cursor == nil, request.offset == 0 else {
            return Self.json(page, next, listing.total ?? 0, request)
        }
        let unstored = unstored(of: tenant, request.lists)
        var whole = page
        whole.putFirst(unstored + first.rows)
        return Self.json(whole, next, unstored.count + (listing.total ?? 0), request)
    }

    /// Reads the sessions that wait for a person and that the request selects, the longest waiting first.
    private func readWaiting(
        _ request: SessionListRequest, _ tenant: String?,
        then finish: @escaping @LoopActor (WaitingTimes, [SessionRecord]) -> Void
    ) {
        readTimes(of: tenant) { times in
            readRecords(times.sids.prefix(SessionListRequest.limit)) { records in
                let waiting = records.filter {
                    Identity.tenant(tenant, sees: $0.tenant) && request.selects(summary(of: $0))
                }
                finish(times, waiting)
            }
        }
    }

    /// Reads the times of the sessions of all bridges.
    private func readTimes(of tenant: String?, then finish: @escaping @LoopActor (WaitingTimes) -> Void) {
        forwarding.pending(PendingList.allCases, tenant: tenant) { rows in
            var times = WaitingTimes(agents.runs(of: tenant))
            for row in rows {
                guard let time = row.place.numbers.first else { continue }
                times.add(row.journal, at: time) { registry.log.place(of: $0) }
            }
            finish(times)
        }
    }

    /// Reads the sessions at these places. A session that was deleted meanwhile has no record.
    private func readRecords(
        _ sids: ArraySlice<Int64>, after found: [SessionRecord] = [],
        then finish: @escaping @LoopActor ([SessionRecord]) -> Void
    ) {
        guard let sid = sids.first else { return finish(found) }
        let take: @LoopActor ([SessionRecord]) -> Void = { records in
            readRecords(sids.dropFirst(), after: found + records, then: finish)
        }
        guard HubSid(sid) == nil else { return forwarding.knownRecord(of: sid, then: take) }
        registry.log.read(.incarnation(sid: sid)) { answer in
            if case .sessions(let records) = answer { take(records) } else { take([]) }
        }
    }

    /// The list of the only session with this name.
    private func listOne(
        _ reference: SessionReference, _ request: SessionListRequest, _ tenant: String?,
        _ finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        registry.find(reference, of: tenant) { found in
            guard case .success(let session) = found, let sid = session.sid else {
                var page = ListPage()
                page.putFirst(unstored(of: tenant) { $0.isNamed(by: reference) })
                return finish(.success(Self.json(page, nil, page.rows.count, request)))
            }
            registry.log.read(.incarnation(sid: sid)) { answer in
                guard case .sessions(let records) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
                let page = self.page(of: SessionListing(records: records)).page
                finish(.success(Self.json(page, nil, records.count, request)))
            }
        }
    }

    private static func json(
        _ page: ListPage, _ next: ListingPosition?, _ total: Int, _ request: SessionListRequest
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.memberArray("data") { writer in
                for row in page.rows { writer.element(raw: row) }
            }
            writer.member("total", total)
            writer.member("page", request.page)
            writer.member("limit", request.limit)
            writer.member("nextCursor", ifPresent: next.map(\.description))
        }
    }

    package func recentSessions(
        _ request: RecentSessionsRequest, of tenant: String?, _ finish: @escaping CompletionHandler
    ) {
        do throws(Rejection) {
            recentSessions(request, of: tenant, after: try request.cursor.map(Self.position), finish)
        } catch {
            finish(.failure(error))
        }
    }

    private func recentSessions(
        _ request: RecentSessionsRequest, of tenant: String?, after position: ListingPosition?,
        _ finish: @escaping CompletionHandler
    ) {
        registry.readSettled(Self.query(request, tenant, after: position)) { answer in
            guard case .listing(let listing) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
            var (page, next) = self.page(of: listing)
            if position == nil { page.putFirst(unstored(of: tenant, request.lists)) }
            // The last row has the cursor, so a page of imports that are not complete is left out.
            if page.rows.isEmpty, let next {
                return self.recentSessions(request, of: tenant, after: next, finish)
            }
            finish(.success(FunctionResponse(result: page.array(next: next?.description))))
        }
    }

    private static func query(
        _ request: RecentSessionsRequest, _ tenant: String?, after position: ListingPosition?
    ) -> ReadRequest.Query {
        guard let id = request.sessionId else {
            return .sessions(liveOnly: request.liveOnly, limit: request.limit, tenant: tenant, after: position)
        }
        return .incarnations(sessionId: id, agent: request.agent, limit: request.limit, tenant: tenant, after: position)
    }

    package static func position(_ cursor: String) throws(Rejection) -> ListingPosition {
        guard let position = ListingPosition(cursor) else { throw .unknownCursor }
        return position
    }

    /// The rows of the sessions that the log could not store yet. They are on the first page of a list, in addition to
    /// its limit.
    private func unstored(of tenant: String?, _ isListed: (SessionSummary) -> Bool) -> [[UInt8]] {
        var page = ListPage(limitBytes: ListPage.addedLimitBytes)
        for session in registry.unstored.reversed() where Identity.tenant(tenant, sees: session.tenant) {
            let summary = SessionSummary(unstored: session)
            guard !registry.isImporting(session.id), isListed(summary) else { continue }
            if !page.add(summary.json()) { break }
        }
        return page.rows
    }

    /// Returns as many of the records as fit on one page, and the position of the last one if more records follow it.
    func page(of listing: SessionListing) -> (page: ListPage, next: ListingPosition?) {
        page(of: listing, WaitingTimes(agents.runs), without: [])
    }

    private func page(
        of listing: SessionListing, _ times: WaitingTimes, without sids: Set<Int64>
    ) -> (page: ListPage, next: ListingPosition?) {
        var page = ListPage(rowLimit: .max)
        let next = page.add(listing) { record in
            registry.isImporting(record.sessionId) || sids.contains(record.sid) ? nil : row(of: record, times)
        }
        return (page, next)
    }

    private func row(of record: SessionRecord, _ times: WaitingTimes) -> [UInt8] {
        var summary = summary(of: record)
        summary.waitingTs = times[record.sid]
        return summary.json()
    }

    /// Combines the log's record with the newer values in memory, if the session is in memory.
    package func summary(of record: SessionRecord) -> SessionSummary {
        let known = registry.known(sid: record.sid)
        var summary: SessionSummary
        if let home = record.home {
            summary = SessionSummary(record, isRunning: home.isRunning)
            summary.lastTs = max(summary.lastTs, known?.lastTime ?? 0)
            summary.updateCount = max(summary.updateCount, known?.head ?? 0)
        } else {
            summary = SessionSummary(registry.current(record), isRunning: known?.isRunning == true)
            known.map { summary.show($0.activity) }
        }
        summary.show(usage(of: record))
        return summary
    }

    /// Another bridge's session has it in the record only.
    private func usage(of record: SessionRecord) -> UsageReport? {
        let known = record.home == nil ? registry.known(sid: record.sid)?.usage : nil
        return known ?? record.usage.map(UsageReport.init(storedText:))
    }

    package func sessionUpdates(
        _ request: HistoryRequest, for identity: Identity, _ finish: @escaping CompletionHandler
    ) {
        let reference: SessionReference
        do throws(Rejection) {
            reference = try identity.narrowed(request.session)
        } catch {
            return finish(.failure(error))
        }
        registry.find(reference, of: identity.tenant) { found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session): readUpdates(request, session, finish)
            }
        }
    }

    private func readUpdates(_ request: HistoryRequest, _ session: Session, _ finish: @escaping CompletionHandler) {
        guard let sid = session.sid else { return finish(.failure(SessionRegistry.unreadable)) }
        let start: HistoryStart
        switch request.start {
        case .afterSeq(let seq): start = .seq(seq)
        case .sinceTime(let time): start = .ts(time)
        case .edge: start = request.isBackward ? .seq(.max) : .seq(0)
        }
        let query = ReadRequest.Query.updates(
            sid: sid, start: start, limit: request.limit, direction: request.isBackward ? .backward : .forward)
        // Another bridge can take long to answer, and limits its answers itself.
        guard session.home == nil else { return read(query, finish) {} }
        do throws(Rejection) {
            try histories.add { read(query, finish, then: $0) }
        } catch {
            finish(.failure(error))
        }
    }

    private func read(
        _ query: ReadRequest.Query, _ finish: @escaping CompletionHandler,
        then completed: @escaping @LoopActor () -> Void
    ) {
        registry.log.read(query) { answer in
            defer { completed() }
            guard case .updates(let page) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
            finish(.success(FunctionResponse(result: Self.json(page))))
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

    // MARK: One session

    /// The large parts of a session's value that the client chooses.
    private struct Parts {
        let hasCosts: Bool
        let hasToolCalls: Bool

        init(_ params: Parameters) throws(Rejection) {
            hasCosts = try params.optionalBool("costs") ?? false
            hasToolCalls = try params.optionalBool("toolCalls") ?? true
        }
    }

    func get(
        _ params: Parameters, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        let reference: SessionReference
        let parts: Parts
        do throws(Rejection) {
            reference = try SessionReference(params)
            parts = try Parts(params)
        } catch {
            return finish(.failure(error))
        }
        registry.find(reference, of: tenant) { found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session): describe(session, reference, parts, tenant, finish)
            }
        }
    }

    private func describe(
        _ session: Session, _ reference: SessionReference, _ parts: Parts, _ tenant: String?,
        _ finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        guard let sid = session.sid else { return finish(.failure(SessionRegistry.unreadable)) }
        folds.fold(of: session) { fold in
            guard let fold else { return finish(.failure(SessionRegistry.unreadable)) }
            registry.log.read(.incarnation(sid: sid)) { answer in
                guard case .sessions(let records) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
                guard let record = records.first else {
                    return finish(.failure(SessionRegistry.unknown(reference)))
                }
                finish(.success(details(session, record, fold, parts, tenant).json()))
            }
        }
    }

    private func details(
        _ session: Session, _ record: SessionRecord, _ fold: SessionFold, _ parts: Parts, _ tenant: String?
    ) -> SessionDetails {
        let run = agents.run(of: session)
        let row = summary(of: record)
        // An interrupted session has stored its usage at the end of its last whole turn, and a hub has no other one.
        let isAhead = row.end == .interrupted || record.home.map { $0.isRunning && $0.hasUsageOfLastTurn } == true
        var details = SessionDetails(row, fold, stored: isAhead ? nil : usage(of: record))
        details.setup = SessionDetails.Setup(run?.sessions?.setup(of: session.id))
        details.hasCosts = parts.hasCosts
        details.hasToolCalls = parts.hasToolCalls
        details.queue = agents.queue(of: session)
        details.remoteQueue = record.home?.queue ?? []
        // An ended session has no viewers, and a later one can have its id.
        let place = ViewerTable.Place(sid: record.sid, sessionId: session.id)
        details.viewers = run == nil ? [] : presence.viewers(of: place, tenant: tenant)
        details.isMuted = isMuted(session, tenant)
        details.missingCapabilities = run?.sessions?.router.missingCapabilities ?? []
        details.promptCapabilities = PromptCapabilities(initializeResult: run?.sessions?.initializeResult)
        return details
    }

    // MARK: Export

    func export(_ request: ExportRequest, for identity: Identity, then finish: @escaping CompletionHandler) {
        registry.find(request.session, of: identity.tenant) { found in
            switch found {
            case .failure(let rejection): finish(.failure(rejection))
            case .success(let session):
                guard let sid = session.sid else { return finish(.failure(SessionRegistry.unreadable)) }
                registry.log.read(.timeline(sid: sid, after: request.cursor.after)) { answer in
                    guard case .timeline(let page) = answer else {
                        return finish(.failure(SessionRegistry.unreadable))
                    }
                    exports.add(PageExport(page, request, title: session.title, finish))
                }
            }
        }
    }
}

extension SessionSummary {
    /// The row of a session that the log could not store yet. Its journal is empty.
    @LoopActor fileprivate init(unstored session: Session) {
        self.init(
            sessionId: session.id, agent: session.agent, title: session.title, cwd: session.cwd, tags: [],
            isArchived: false, createdTs: session.lastTime, lastTs: session.lastTime, updateCount: session.head,
            live: session.isLive, isRunning: session.isLive && session.isRunning, journal: session.journal,
            end: session.end)
        parentId = session.parentId
        show(session.activity)
    }

    fileprivate mutating func show(_ activity: AgentActivity) {
        agentState = activity.agentState
        backgroundCount = activity.backgroundCount
        isBusy = activity.isBusy
        stopReason = activity.stopReason
    }

    fileprivate mutating func show(_ report: UsageReport?) {
        usage = report?.json
        rateLimit = report?.rateLimit.map { limit in JSONWriter.object { limit.write(to: &$0) } }
        tokens = report?.tokens?.json
    }

    fileprivate func isNamed(by reference: SessionReference) -> Bool {
        sessionId == reference.sessionId && reference.agent.map { $0 == agent } != false
            && reference.journal.map { $0 == journal } != false
    }
}

extension SessionListRequest {
    /// True for a session without a label that the request selects.
    fileprivate func lists(_ session: SessionSummary) -> Bool {
        selects(session)
            && [session.title ?? "", session.cwd ?? "", session.sessionId, session.agent].contain(words: words)
    }

    /// True for a session of the log that a request without words selects.
    fileprivate func selects(_ session: SessionSummary) -> Bool {
        isArchived == session.isArchived && isLive.map { $0 == session.live } != false
            && agent.map { $0 == session.agent } != false && (hasChildren || session.parentId == nil)
    }
}

extension RecentSessionsRequest {
    fileprivate func lists(_ session: SessionSummary) -> Bool {
        (session.live || !liveOnly) && sessionId.map { $0 == session.sessionId } != false
            && agent.map { $0 == session.agent } != false
    }
}
