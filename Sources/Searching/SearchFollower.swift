import Diagnostics
import EventLoop
import LogAccess
import Posix
import SQLite
import SessionRecords
import SessionSearch
import SessionStreams

/// Keeps the search index up to date with the log.
///
/// The index follows the log with a position of its own for each session. ``IndexSchedule`` decides when a session is
/// read. One page at a time is read from the log and indexed on another thread, which has the lowest priority. After each
/// page comes a pause of the same length, so that the index takes at most half of a processor and delays no append. While
/// an agent writes a little, the pause is nine times as long, because its updates are more urgent than the words of a flood.
/// While a search waits there are no such pauses: see ``catchUp(then:)``.
@LoopActor final class SearchFollower {
    private var index: IndexFile
    private let log: LogClient
    private let steadySources: SteadySources
    private let services: LoopServices
    private(set) var progress = SearchProgress()
    /// The failure of the last attempt; nil if the index works.
    private(set) var failure: String?
    private var completeness = Completeness()
    /// Used for each update. Its functions call nothing that uses it.
    @exclusivity(unchecked) private var schedule = IndexSchedule<Session>()
    /// Names a listing of the log.
    private var round: Int64 = 0
    private var isIndexing = false
    /// Sessions were noted during the running step. The step may not see them.
    private var hasMissed = false
    private var searches = WaitingSearches()
    private var isClosed = false
    private var timers = Timers()
    private var progressTime: Instant

    /// How much of the log the index has. A new value is that of an index that was just opened.
    private struct Completeness {
        /// The index has all sessions of the log.
        var isListed = false
        /// The index has all stored updates, except for those of the sessions in ``schedule``.
        var isCurrent = false { didSet { wasCurrent = wasCurrent || isCurrent } }
        /// The index was complete at some time since it was opened.
        private(set) var wasCurrent = false
    }

    private struct Timers {
        /// The next tick of the schedule; nil while no session waits.
        var tick: Timer?
        /// The next listing.
        var list: Timer?
        /// The next page.
        var page: Timer?
    }

    /// The shortest pause between two pages.
    private static let leastPause = Duration.milliseconds(2)
    /// The delay before another attempt after a failure, for example on a full disk.
    private static let retryPause = Duration.seconds(60)
    /// The interval between two listings, which find what was trimmed.
    private static let listPause = Duration.seconds(3_600)
    /// Sessions on one page of a listing.
    private static let listLimit = 1_000
    /// 256 KiB, a few milliseconds of work.
    private static let pageBytes = 256 << 10
    private static let progressPause = Duration.milliseconds(500)

    init(
        path: String, log: LogClient, thread: SearchThread, steadySources: SteadySources, services: LoopServices
    ) {
        index = IndexFile(path: path, thread: thread)
        self.log = log
        self.steadySources = steadySources
        self.services = services
        progressTime = services.time.now
        list()
    }

    /// True if searches find all that was stored.
    var isCurrent: Bool { completeness.isCurrent }

    func close() {
        isClosed = true
        for timer in [timers.tick, timers.list, timers.page] { timer?.cancel() }
        beginSearches(isComplete: false)
    }

    // MARK: Sessions

    /// Call after a session has stored more.
    func touch(_ session: Session) {
        guard let sid = session.sid else { return }
        schedule.touch(sid, session)
        if timers.tick == nil { scheduleTick() }
    }

    private func scheduleTick() {
        guard !isClosed else { return }
        timers.tick = services.timers.schedule(after: IndexSchedule<Session>.tick) { [weak self] in self?.tick() }
    }

    private func tick() {
        timers.tick = nil
        let due = schedule.advance { .init(head: $0.timelineHead, isLive: $0.isLive) }
        if !schedule.isEmpty { scheduleTick() }
        guard !due.isEmpty else { return }
        step(noting: due.compactMap(searched))
    }

    // MARK: Searches

    /// Calls `action` with true when the index has all that was stored before this call. Calls it with false after 0.8 s, and
    /// at once if the index has never been complete: to index an old log can take minutes.
    func catchUp(then action: @escaping @LoopActor (_ isComplete: Bool) -> Void) {
        guard completeness.wasCurrent, !isClosed, failure == nil, !schedule.isEmpty || isIndexing else {
            return action(isCurrent)
        }
        let number = searches.add(action)
        services.timers.schedule(after: Self.longestSearchWait) { [weak self] in
            self?.beginSearches(through: number, isComplete: false)
        }
        if timers.page != nil { endPause() }
        step(noting: schedule.takeAll().compactMap(searched))
    }

    private func beginSearches(through number: Int = .max, isComplete: Bool) {
        for begin in searches.take(through: number) { begin(isComplete) }
    }

    /// 0.8 s, so that a search ends within a second.
    private static let longestSearchWait = Duration.milliseconds(800)

    private func searched(_ session: Session) -> SearchedSession? {
        guard let sid = session.sid else { return nil }
        if index.logId == nil, let journal = Journal(session.journal) { index.setLog(journal.logId) }
        return SearchedSession(
            sid: sid, agent: session.agent, tenant: session.tenant, head: session.timelineHead, oldest: 1)
    }

    /// - Parameter isAtOnce: see ``SearchIndex/forget(_:isAtOnce:)``.
    func forget(_ sid: Int64, isAtOnce: Bool) {
        schedule.forget(sid)
        use { (index) throws(SQLiteError) in
            try index.forget(sid, isAtOnce: isAtOnce)
        } then: { [self] in
            step()
        }
    }

    private func note(
        _ sessions: [SearchedSession], areListed: Bool = false, then action: @escaping @LoopActor () -> Void = {}
    ) {
        let round = round
        use { (index) throws(SQLiteError) in
            try index.note(sessions, round: round, areListed: areListed)
        } then: { _ in
            action()
        }
    }

    // MARK: Listing

    /// Lists all sessions of the log, and then forgets those that the log has no longer.
    private func list() {
        guard !isClosed else { return }
        round = services.time.dateMilliseconds
        completeness.isListed = false
        listAgain(after: Self.listPause)
        list(after: nil)
    }

    /// Call after sessions were stored that never were in memory. They are listed when no more have come for a while.
    func sessionsImported() { listAgain(after: IndexSchedule<Session>.tick) }

    private func listAgain(after pause: Duration) {
        timers.list?.cancel()
        timers.list = services.timers.schedule(after: pause) { [weak self] in self?.list() }
    }

    private func list(after position: ListingPosition?) {
        guard !isClosed else { return }
        log.read(.sessions(liveOnly: false, limit: Self.listLimit, after: position)) { [weak self] answer in
            self?.listed(answer)
        }
    }

    private func listed(_ answer: Answer) {
        guard !isClosed else { return }
        guard case .listing(let listing) = answer else { return listAgain(after: Self.retryPause) }
        if let record = listing.records.first { index.setLog(record.journal.logId) }
        guard index.logId != nil else {
            (completeness.isListed, completeness.isCurrent) = (true, true)
            return
        }
        let sessions = listing.records.map { record in
            SearchedSession(
                sid: record.sid, agent: record.agent, tenant: record.tenant, head: record.timelineHead,
                oldest: record.oldest)
        }
        note(sessions, areListed: true) { [self] in
            if listing.hasMore, let last = listing.records.last { return list(after: ListingPosition(last)) }
            // A session that became active has left its place in the list, perhaps before the list came to it.
            note(schedule.sessions.compactMap(searched)) { [self] in endListing() }
        }
    }

    private func endListing() {
        let round = round
        use { (index) throws(SQLiteError) in
            try index.forgetOthers(than: round)
        } then: { [self] in
            completeness.isListed = true
            step()
        }
    }

    // MARK: Pages

    /// The next step of the index. It is found in the job before it, because each job wakes two threads.
    private enum Next {
        case work(SearchWork)
        case nothing(SearchProgress)

        init(of index: SearchIndex) throws(SQLiteError) {
            if let work = try index.nextWork() { self = .work(work) } else { self = .nothing(try index.progress()) }
        }
    }

    /// Indexes the next page, unless a page is being indexed.
    ///
    /// - Parameter sessions: have stored more.
    private func step(noting sessions: [SearchedSession] = []) {
        guard !isClosed else { return }
        if isIndexing {
            guard !sessions.isEmpty else { return }
            hasMissed = true
            return note(sessions)
        }
        isIndexing = true
        let round = round
        use { (index) throws(SQLiteError) in
            if !sessions.isEmpty { try index.note(sessions, round: round) }
            return try Next(of: index)
        } then: { [self] next in
            switch next {
            case .work(let work): read(work)
            case .nothing(let progress): caughtUp(progress)
            }
        }
    }

    private func read(_ work: SearchWork) {
        completeness.isCurrent = false
        let started = services.time.now
        let (sid, after) = work.page
        let limit: Int
        if case .probe = work { limit = 1 } else { limit = Self.pageBytes }
        let request = ReadRequest.Query.timeline(
            sid: sid, after: after, maxBytes: limit, lineLimitBytes: SearchedText.lineLimitBytes)
        log.read(request) { [weak self] answer in
            self?.store(answer, for: work, started)
        }
    }

    private func store(_ answer: Answer, for work: SearchWork, _ started: Instant) {
        if case .failed(let error) = answer, error.isTemporary { return readLater(error) }
        let page: TimelinePage? = if case .timeline(let page) = answer { page } else { nil }
        use { (index) throws(SQLiteError) in
            try index.store(page, for: work)
            return try Next(of: index)
        } then: { [self] next in
            if case .nothing(let progress) = next { return caughtUp(progress) }
            let now = services.time.now
            if now - progressTime >= Self.progressPause { readProgress() }
            let pause = steadySources.pause(afterBackgroundWork: now - started, at: now)
            let isUrgent = !searches.isEmpty
            timers.page = services.timers.schedule(after: isUrgent ? .zero : max(Self.leastPause, pause)) {
                [weak self] in
                self?.endPause()
                self?.step()
            }
        }
    }

    /// Nothing is left out: the page is read again after a pause.
    private func readLater(_ error: LogError) {
        guard !isClosed else { return }
        failure = error.description
        timers.page = services.timers.schedule(after: Self.retryPause) { [weak self] in
            self?.endPause()
            self?.step()
        }
        beginSearches(isComplete: false)
    }

    private func endPause() {
        timers.page.take()?.cancel()
        isIndexing = false
    }

    private func caughtUp(_ progress: SearchProgress) {
        isIndexing = false
        if hasMissed {
            hasMissed = false
            return step()
        }
        completeness.isCurrent = completeness.isListed
        progressTime = services.time.now
        self.progress = progress
        beginSearches(isComplete: isCurrent)
    }

    private func readProgress() {
        progressTime = services.time.now
        use { (index) throws(SQLiteError) in
            try index.progress()
        } then: { [self] in
            progress = $0
        }
    }

    // MARK: The index

    /// Runs `body` on the index's thread, and `action` after it. Without any session, nothing is called. After a failure the
    /// index is opened and listed again later.
    private func use<Result: Sendable>(
        _ body: @escaping @Sendable (SearchIndex) throws(SQLiteError) -> Result,
        then action: @escaping @LoopActor (Result) -> Void
    ) {
        let isUsed =
            !isClosed
            && index.use(body) { [weak self] result in
                guard let self else { return }
                switch result {
                case .success(let value):
                    failure = nil
                    action(value)
                case .failure(let error): failed(error)
                }
            }
        guard !isUsed else { return }
        isIndexing = false
        beginSearches(isComplete: false)
    }

    private func failed(_ error: SearchFailure) {
        timers.page.take()?.cancel()
        (isIndexing, hasMissed) = (false, false)
        // Changes that were not committed are lost, and the file can be a new one. The next listing finds all that is missing.
        completeness = Completeness()
        failure = error.description
        DiagnosticLog.daemon.record(.failed(doing: "indexing for searches", error: error.description))
        listAgain(after: Self.retryPause)
        beginSearches(isComplete: false)
    }
}
