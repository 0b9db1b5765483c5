import EventLoop
import SessionLog
import Tinyvex

/// All sessions that are in memory: those whose agent runs, and those of the past that someone reads.
@LoopActor final class SessionRegistry {
    let log: LogClient
    let limits: Limits
    /// What editors ask and answer is written down there.
    var audit: AuditLog?
    var logUse = LogUse()
    let tailBudget = TailBudget()
    let pages: LogPages
    let turns = SendingTurns()
    private(set) var live: [Session] = []
    /// By their place in the log. Those of the past live as long as someone reads them.
    private var bySid: [Int64: Known] = [:]
    private(set) var lastLogError: LogError?
    /// Lines that were not stored because the log could not be written for too long.
    private(set) var unstoredLines = 0
    /// Reads that wait for the log's answers about sessions that have just begun.
    private var awaitingClaims: [@LoopActor () -> Void] = []
    var onCompleted: @LoopActor () -> Void = {}
    /// Called when something about a session has changed, at each append too: it must cost nothing where nobody cares.
    var onChange: @LoopActor (Session, SessionChange) -> Void = { _, _ in }

    private struct Known { weak var session: Session? }

    enum SessionChange {
        /// It has stored more.
        case progress
        /// It has begun, ended, been taken up or described, or a turn has.
        case facts
        /// Its agent has asked for a permission, or has got an answer.
        case permissions
    }

    init(log: LogClient, limits: Limits) {
        self.log = log
        self.limits = limits
        pages = LogPages(log: log)
        log.syncFailed = { [unowned self] in lastLogError = $0 }
        log.filesLost = { [unowned self] in noteLogFailure($0) }
    }

    /// A session that an agent has just begun.
    func begin(agent: String, id: String, tenant: String?) -> Session {
        let session = Session(agent: agent, id: id, tenant: tenant, registry: self)
        live.append(session)
        session.claim(.fresh)
        return session
    }

    /// A session that an agent goes on with: the same one as before, where the log has it. Nil while another agent runs
    /// it under the same name and id: the two are kept apart, and this one's begins with its first update.
    func goOn(agent: String, id: String, tenant: String?) -> Session? {
        let same = live.filter { $0.agent == agent && $0.id == id && $0.tenant == tenant }
        if same.contains(where: \.isLive) { return nil }
        if let unfinished = same.last {
            unfinished.revive()
            return unfinished
        }
        let session = Session(agent: agent, id: id, tenant: tenant, registry: self)
        live.append(session)
        session.claim(.continueLatest)
        return session
    }

    /// A session whose agent the program before this one has run.
    func goOn(agent: String, tenant: String?, _ state: Session.State) -> Session {
        let session = Session(agent: agent, tenant: tenant, state, registry: self)
        live.append(session)
        session.claim(.again(sid: state.sid))
        return session
    }

    /// Nothing waits to be stored or read.
    var isSettled: Bool { log.isIdle && live.allSatisfy(\.isSettled) }

    // MARK: Finding

    /// The session a client means, or why there is none. One of another tenant is answered as one that does not exist.
    ///
    /// - Parameter tenant: whose it may be; nil for anyone's.
    func find(
        _ reference: SessionReference, of tenant: String?,
        then action: @escaping @LoopActor (Result<Session, Rejection>) -> Void
    ) {
        if let journal = reference.journal { return findLife(journal, reference, tenant, then: action) }
        readSettled(.find(sessionId: reference.sessionId, agent: reference.agent, tenant: tenant)) { [self] outcome in
            let running = live.filter {
                $0.id == reference.sessionId && fits($0.agent, reference) && Identity.tenant(tenant, sees: $0.tenant)
            }
            guard case .sessions(let records) = outcome, running.allSatisfy({ $0.sid != nil }) else {
                return action(.failure(Self.unreadable))
            }
            let past = records.filter { record in
                !running.contains { $0.agent == record.agent && $0.tenant == record.tenant }
            }
            action(choose(running: running, past: past, reference))
        }
    }

    /// The life that a journal of any of its epochs names, which need not be the newest of that id.
    private func findLife(
        _ text: String, _ reference: SessionReference, _ tenant: String?,
        then action: @escaping @LoopActor (Result<Session, Rejection>) -> Void
    ) {
        guard let journal = Journal(text) else { return action(.failure(Self.unknown(reference))) }
        readSettled(.life(sid: journal.sid)) { [self] outcome in
            guard case .sessions(let records) = outcome else { return action(.failure(Self.unreadable)) }
            // A log that was begun anew counts its lives from 1 again.
            let life = records.first {
                $0.journal.logId == journal.logId && $0.sessionId == reference.sessionId && fits($0.agent, reference)
                    && Identity.tenant(tenant, sees: $0.tenant)
            }
            action(life.map { .success(session(for: $0)) } ?? .failure(Self.unknown(reference)))
        }
    }

    private func fits(_ agent: String, _ reference: SessionReference) -> Bool {
        reference.agent.map { $0 == agent } ?? true
    }

    private func choose(
        running: [Session], past: [SessionRecord], _ reference: SessionReference
    ) -> Result<Session, Rejection> {
        switch (running.count, past.count) {
        case (1, 0): return .success(running[0])
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

    /// `AGENT:ID`, or the journal where two share that.
    private static func names(
        _ candidates: [(agent: String, journal: String)], _ reference: SessionReference
    ) -> [String] {
        candidates.map { candidate in
            let isAlone = candidates.count { $0.agent == candidate.agent } == 1
            return isAlone ? "\(candidate.agent):\(reference.sessionId)" : candidate.journal
        }
    }

    private func session(for record: SessionRecord) -> Session {
        if let session = bySid[record.sid]?.session { return session }
        let session = Session(record: record, registry: self)
        bySid[record.sid] = Known(session: session)
        return session
    }

    static func unknown(_ reference: SessionReference) -> Rejection {
        let life = reference.journal.map { " with journal \(quoted($0))" } ?? ""
        return Rejection(.sessionNotFound, "no session \(quoted(reference.sessionId))\(life) is known here")
    }

    static let unreadable = Rejection(
        .sessionNotFound, "the log could not be read; see `acpbridge status`", rpcCode: .internalError)

    // MARK: Sessions that have just begun

    /// Reads the log when every session that runs stands in it and is known by its place: before that one could be
    /// missed, or be taken for one of the past. While the log fails it is not waited for.
    func readSettled(_ query: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        whenClaimed { [self] in
            log.read(query) { [self] outcome in
                // What the log told may be newer than what its writer has answered.
                whenClaimed { action(outcome) }
            }
        }
    }

    /// Does it when every session that runs stands in the log.
    func whenClaimed(_ action: @escaping @LoopActor () -> Void) {
        if live.allSatisfy({ $0.sid != nil }) { action() } else { awaitingClaims.append(action) }
    }

    private func resumeAwaitingClaims() {
        let actions = awaitingClaims
        awaitingClaims = []
        for action in actions { action() }
    }

    // MARK: What sessions tell

    func claimed(_ session: Session) {
        if let sid = session.sid {
            if let past = bySid[sid]?.session, past !== session { session.adoptReaders(of: past) }
            bySid[sid] = Known(session: session)
        }
        onChange(session, .facts)
        if live.allSatisfy({ $0.sid != nil }) { resumeAwaitingClaims() }
    }

    func completed(_ session: Session) {
        live.removeAll { $0 === session }
        onChange(session, .facts)
        onCompleted()
    }

    func sessionGone(_ sid: Int64?, tailBytes: Int) {
        tailBudget.released(tailBytes)
        if let sid, bySid[sid]?.session == nil { bySid[sid] = nil }
    }

    func noteLogFailure(_ error: LogError) {
        lastLogError = error
        resumeAwaitingClaims()
    }

    func noteLogWritten() { lastLogError = nil }

    func noteUnstored(lines: Int) { unstoredLines += lines }

    /// The session at this place of the log, if it is in memory.
    func known(sid: Int64) -> Session? { bySid[sid]?.session }
}
