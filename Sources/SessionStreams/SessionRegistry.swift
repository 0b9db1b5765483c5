import Access
import Connections
import EventLoop
import LogAccess
import Metrics
import SessionRecords
import Tinyvex

/// All sessions in memory: the sessions with a running agent, and the past sessions that have a reader.
@LoopActor package final class SessionRegistry {
    package let log: LogClient
    package let limits: Limits
    let services: LoopServices
    /// Records the questions and answers of editors.
    package var audit: AuditLog?
    /// Used for each append. Its functions use nothing of this class, so two uses cannot overlap.
    @exclusivity(unchecked) var logState = LogState()
    let frames: FrameMemory
    /// Sources that write a little, and whose updates go before a flood.
    package let steadySources = SteadySources()
    package let turns: FairScheduler
    package private(set) var live = LiveSessions<Session>()
    /// Sessions by their place in the log. A past session stays in memory as long as it has a reader.
    private var bySid: [Int64: Known] = [:]
    private var waits: Waits
    /// Readers of this bridge's sessions wait for these positions. Nil unless the durability is that of a hub. Set before
    /// the first session.
    package var confirmed: ConfirmedPositions?
    package var onCompleted: @LoopActor () -> Void = {}
    /// Called when something about a session has changed, including each append. The call must cost nothing if there is
    /// no observer.
    package var onChange: @LoopActor (Session, SessionChange) -> Void = { _, _ in }
    /// The ids of the sessions that are not complete, because an import still adds to them. The ids of their child sessions
    /// continue them after a dot. No reader can find these sessions.
    package var importIds: @LoopActor () -> [String] = { [] }

    /// A running session is not referred to weakly, because each later use of an object with weak references costs more.
    private struct Known {
        var running: Session?
        weak var past: Session?

        var session: Session? { running ?? past }
    }

    /// What the sessions observe of the log.
    @LoopActor struct LogState {
        var health = LogHealth()
        var latencies = StreamLatencies()
        var use = LogUse()
    }

    /// The actions that wait for sessions.
    @LoopActor private struct Waits {
        /// For the places of sessions in the log.
        var claims = ClaimWaits()
        /// For the storage of ended sessions.
        let endings: SessionEndings
    }

    package enum SessionChange: Equatable {
        /// The session has stored more data.
        case progress
        /// The session has begun, ended, or been resumed, described or labelled, or a turn has begun or ended.
        case facts
        /// A user has deleted the session.
        case deleted
        /// The session's agent has asked for a permission, or has got an answer.
        case permissions
        /// The session's timeline has an entry that is not an update, with this data as JSON.
        case entry(TimelineEntryKind, [UInt8])
        /// ACP version 2: the agent has reported the end of a turn, with this outcome as JSON. The timeline has no entry of it.
        case workEnded([UInt8])
    }

    package init(log: LogClient, limits: Limits, services: LoopServices = .main, loop: EventLoop? = .main) {
        self.log = log
        self.limits = limits
        self.services = services
        waits = Waits(endings: SessionEndings(services))
        frames = FrameMemory(pages: PageCache(log: log, timers: services.timers))
        turns = FairScheduler(services: services, loop: loop)
        log.syncFailed = { [unowned self] in logState.health.syncFailed($0) }
        log.filesLost = { [unowned self] in noteLogFailure($0) }
    }

    /// Creates a session that an agent has just begun.
    package func begin(agent: String, id: String, tenant: String?) -> Session {
        let session = Session(agent: agent, id: id, tenant: tenant, registry: self)
        session.ordinal = live.add(session)
        session.claim(.fresh)
        return session
    }

    /// Creates a session that an agent resumes. It is the same session as before if the log has that session. Returns
    /// nil while another agent runs a session with the same agent name and id. The two sessions are kept apart, and the
    /// resumed one begins with its first update.
    package func resume(agent: String, id: String, tenant: String?) -> Session? {
        let same = live.sessions(id: id).filter { $0.agent == agent && $0.tenant == tenant }
        if same.contains(where: \.isLive) { return nil }
        if let unfinished = same.last {
            unfinished.revive()
            return unfinished
        }
        let session = Session(agent: agent, id: id, tenant: tenant, registry: self)
        session.ordinal = live.add(session)
        session.claim(.continueLatest)
        return session
    }

    /// Creates a session for an agent that the program before this one has run.
    package func resume(agent: String, tenant: String?, _ state: Session.State) -> Session {
        let session = Session(agent: agent, tenant: tenant, state, registry: self)
        session.ordinal = live.add(session)
        session.claim(.again(sid: state.sid))
        return session
    }

    package var logHealth: LogHealth { logState.health }
    package var latencies: StreamLatencies { logState.latencies }

    /// True if nothing waits to be stored or read.
    package var isSettled: Bool { log.isIdle && live.all.allSatisfy(\.isSettled) }

    // MARK: Finding

    /// True for the id of a session that an import still adds to: see ``importIds``.
    package func isImporting(_ sessionId: String) -> Bool {
        let ids = importIds()
        return !ids.isEmpty && ids.contains(String(sessionId.prefix { $0 != "." }))
    }

    /// Finds the session that a client refers to, or the reason why there is none. A session of another tenant is
    /// reported as one that does not exist.
    ///
    /// - Parameter tenant: the tenant that must have access to the session; nil for any tenant's sessions.
    package func find(
        _ reference: SessionReference, of tenant: String?,
        then action: @escaping @LoopActor (Result<Session, Rejection>) -> Void
    ) {
        if isImporting(reference.sessionId) { return action(.failure(Self.unknown(reference))) }
        if let journal = reference.journal { return findIncarnation(journal, reference, tenant, then: action) }
        readSettled(.find(sessionId: reference.sessionId, agent: reference.agent, tenant: tenant)) { [self] outcome in
            let running = live.sessions(id: reference.sessionId).filter {
                fits($0.agent, reference) && Identity.tenant(tenant, sees: $0.tenant)
            }
            guard case .sessions(let records) = outcome else { return action(.failure(Self.unreadable)) }
            let past = records.filter { record in
                !running.contains { $0.agent == record.agent && $0.tenant == record.tenant }
            }
            action(choose(running: running, past: past, reference))
        }
    }

    /// Finds the incarnation that a journal of any of its epochs names. It need not be the newest incarnation of that
    /// session id.
    private func findIncarnation(
        _ text: String, _ reference: SessionReference, _ tenant: String?,
        then action: @escaping @LoopActor (Result<Session, Rejection>) -> Void
    ) {
        guard let journal = Journal(text) else { return action(.failure(Self.unknown(reference))) }
        readSettled(.incarnation(sid: log.place(of: journal))) { [self] outcome in
            guard case .sessions(let records) = outcome else { return action(.failure(Self.unreadable)) }
            // A log that was created again counts its incarnations from 1 again.
            let incarnation = records.first {
                $0.journal.logId == journal.logId && $0.sessionId == reference.sessionId && fits($0.agent, reference)
                    && Identity.tenant(tenant, sees: $0.tenant)
            }
            action(incarnation.map { .success(session(for: $0)) } ?? .failure(Self.unknown(reference)))
        }
    }

    private func fits(_ agent: String, _ reference: SessionReference) -> Bool {
        reference.agent.map { $0 == agent } ?? true
    }

    private func choose(
        running: [Session], past: [SessionRecord], _ reference: SessionReference
    ) -> Result<Session, Rejection> {
        switch (running.count, past.count) {
        case (1, 0): return running[0].sid == nil ? .failure(rejectionWhileUnstored(running[0])) : .success(running[0])
        case (0, 1): return .success(session(for: past[0]))
        case (0, 0):
            return .failure(Self.unknown(reference))
        default:
            var rejection = Rejection(.sessionAmbiguous, "several agents have a session \(quoted(reference.sessionId))")
            rejection.candidates = Self.names(
                running.map { ($0.agent, $0.journal) } + past.map { ($0.agent, $0.journal.description) }, reference)
            return .failure(rejection)
        }
    }

    /// Returns `AGENT:ID` for each candidate, or the journal if two candidates share that name.
    private static func names(
        _ candidates: [(agent: String, journal: String)], _ reference: SessionReference
    ) -> [String] {
        candidates.prefix(ReadLimit.namesakes).map { candidate in
            let isAlone = candidates.count { $0.agent == candidate.agent } == 1
            return isAlone ? "\(candidate.agent):\(reference.sessionId)" : candidate.journal
        }
    }

    private func session(for record: SessionRecord) -> Session {
        if let session = bySid[record.sid]?.session {
            session.follow(record, takenBackFrom: nil)
            return session
        }
        let session = Session(record: record, registry: self)
        bySid[record.sid] = Known(past: session)
        if record.home != nil { log.willFollow() }
        return session
    }

    package static func unknown(_ reference: SessionReference) -> Rejection {
        let incarnation = reference.journal.map { " with journal \(quoted($0))" } ?? ""
        return Rejection(.sessionNotFound, "no session \(quoted(reference.sessionId))\(incarnation) is known here")
    }

    package static let unreadable = Rejection(.internalError, "the log could not be read; see `acpbridge status`")

    /// The sessions in memory that the log could not store yet, the oldest first.
    package var unstored: [Session] {
        live.areAllClaimed ? [] : live.all.filter { $0.sid == nil }.sorted { $0.ordinal < $1.ordinal }
    }

    /// The reason why nothing can be read of a session that the log could not store yet.
    package func rejectionWhileUnstored(_ session: Session) -> Rejection {
        let reason = logHealth.failure.map { ": \($0)" } ?? "; try again"
        return Rejection(
            .mutationFailed, "the log could not store the session \(quoted(session.id)) yet\(reason)",
            rpcCode: .internalError)
    }

    // MARK: Sessions that have just begun

    /// Reads the log when every session that runs now is in the log and its place is known. Before that, a running
    /// session could be missed, or be taken for a past session. While the log fails, the read does not wait for it.
    package func readSettled(_ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        whenClaimed { [self] in
            log.read(query) { [self] outcome in
                // The result of the read can be newer than the last answer of the log's writer.
                whenClaimed { action(outcome) }
            }
        }
    }

    /// Runs `action` when every session that runs now is in the log, or the log fails.
    package func whenClaimed(_ action: @escaping @LoopActor () -> Void) {
        if live.areAllClaimed || logHealth.failure != nil { return action() }
        waits.claims.add(before: live.addedCount, action)
    }

    /// Runs `action` when the session is completely stored, or at once if it runs or if the log fails.
    package func whenCompleted(_ session: Session, _ action: @escaping @LoopActor () -> Void) {
        guard session.end != nil, !session.isComplete, logHealth.failure == nil else { return action() }
        waits.endings.add { [self] in whenCompleted(session, action) }
    }

    /// Whether clients are told that the session is live. Until its last update is stored, its numbers still grow. While the
    /// log fails, the end of its agent counts.
    package func countsAsLive(_ session: Session) -> Bool {
        session.isLive || (!session.isComplete && logHealth.failure == nil)
    }

    private func resumeAwaitingCompletion() {
        for action in waits.endings.takeWaits() { action() }
    }

    /// Runs `action` when the session is in the log, however long the log fails.
    package func whenClaimed(_ session: Session, _ action: @escaping @LoopActor () -> Void) {
        if session.sid != nil { return action() }
        waits.claims.add(for: session, action)
    }

    private func resumeAwaitingClaims(hasFailed: Bool = false) {
        for action in waits.claims.takeReady(waitsForOne: hasFailed || live.areAllClaimed) { action() }
    }

    // MARK: Reports from sessions

    func claimed(_ session: Session) {
        if let sid = session.sid {
            if let past = bySid[sid]?.session, past !== session { session.adoptReaders(of: past) }
            bySid[sid] = session.isComplete ? Known(past: session) : Known(running: session)
        }
        live.claimed(session)
        waits.claims.claimed(session)
        onChange(session, .facts)
        resumeAwaitingClaims()
        // A session that waited for its end can run again.
        resumeAwaitingCompletion()
    }

    /// Finishes sessions that have ended with their agent, in slices.
    package func finishEnding(of sessions: [Session]) {
        waits.endings.finish(sessions)
    }

    func completed(_ session: Session) {
        live.remove(session)
        if let sid = session.sid, bySid[sid]?.running === session { bySid[sid] = Known(past: session) }
        onChange(session, .facts)
        resumeAwaitingCompletion()
        onCompleted()
    }

    func sessionGone(_ sid: Int64?) { if let sid, bySid[sid]?.session == nil { bySid[sid] = nil } }

    func noteLogFailure(_ error: LogError) {
        logState.health.failed(error)
        resumeAwaitingClaims(hasFailed: true)
        resumeAwaitingCompletion()
    }

    /// Called after each append, so it changes nothing in the usual case.
    func noteLogWritten() { if logState.health.hasFailed { logState.health.written() } }

    /// - Parameter latency: Nanoseconds.
    func observe(append latency: Int64) { logState.latencies.append.observe(nanoseconds: latency) }

    /// - Parameter latency: Nanoseconds.
    func observe(delivery latency: Int64) { logState.latencies.delivery.observe(nanoseconds: latency) }

    func noteUnstored(lines: Int) { logState.health.unstoredLines += lines }

    /// The sessions of other bridges that have readers.
    package var followed: [Session] { bySid.values.compactMap(\.session).filter { $0.home != nil } }

    /// Returns the session at this place in the log, if the session is in memory.
    package func known(sid: Int64) -> Session? { bySid[sid]?.session }
}
