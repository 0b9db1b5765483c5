import EventLoop
import SessionLog
import Tinyvex

/// All sessions that are in memory: those whose agent runs, and those of the past that someone reads.
@LoopActor final class SessionRegistry {
    let log: LogClient
    let limits: Limits
    let tailBudget = TailBudget()
    let heldPages = HeldPages()
    private(set) var live: [Session] = []
    /// By their place in the log, live ones included.
    private var bySid: [Int64: Session] = [:]
    private(set) var lastLogError: LogError?
    /// Lines that were not stored because the log could not be written for too long.
    private(set) var unstoredLines = 0
    var onStored: @LoopActor (Session) -> Void = { _ in }

    init(log: LogClient, limits: Limits) {
        self.log = log
        self.limits = limits
    }

    /// A session that an agent has just begun.
    func begin(agent: String, id: String) -> Session {
        let session = Session(agent: agent, id: id, registry: self)
        live.append(session)
        session.claim(.fresh)
        return session
    }

    /// A session that an agent goes on with: the same one as before, where the log has it.
    func goOn(agent: String, id: String) -> Session {
        let known = bySid.values.filter { $0.agent == agent && $0.id == id && !$0.isLive }
        guard let session = known.max(by: { ($0.sid ?? 0) < ($1.sid ?? 0) }) else {
            let session = Session(agent: agent, id: id, registry: self)
            live.append(session)
            session.claim(.continueLatest)
            return session
        }
        live.append(session)
        session.revive()
        return session
    }

    // MARK: Finding

    /// The session a client means, or why there is none.
    func find(_ reference: SessionReference, then action: @escaping @LoopActor (Result<Session, Rejection>) -> Void) {
        if let journal = reference.journal.flatMap({ Journal($0) }), let session = bySid[journal.sid] {
            return action(.success(session))
        }
        let running = live.filter { $0.sid != nil && $0.id == reference.sessionId && fits($0.agent, reference) }
        log.read(.find(sessionId: reference.sessionId, agent: reference.agent)) { [self] outcome in
            guard case .sessions(let records) = outcome else { return action(.failure(Self.unreadable)) }
            let past = records.filter { record in !running.contains { $0.agent == record.agent } }
            action(choose(running: running.filter { $0.sid != nil }, past: past, reference))
        }
    }

    private func fits(_ agent: String, _ reference: SessionReference) -> Bool {
        reference.agent.map { $0 == agent } ?? true
    }

    private func choose(
        running: [Session], past: [SessionRecord], _ reference: SessionReference
    ) -> Result<Session, Rejection> {
        if let journal = reference.journal.flatMap({ Journal($0) }) {
            if let record = past.first(where: { $0.sid == journal.sid }) { return .success(session(for: record)) }
        }
        switch (running.count, past.count) {
        case (1, 0): return .success(running[0])
        case (0, 1): return .success(session(for: past[0]))
        case (0, 0):
            return .failure(Rejection(.sessionNotFound, "no session \(quoted(reference.sessionId)) is known here"))
        default:
            var rejection = Rejection(.sessionAmbiguous, "several agents have a session \(quoted(reference.sessionId))")
            rejection.candidates = (running.map(\.agent) + past.map(\.agent)).map { "\($0):\(reference.sessionId)" }
            return .failure(rejection)
        }
    }

    private func session(for record: SessionRecord) -> Session {
        if let session = bySid[record.sid] { return session }
        let session = Session(record: record, registry: self)
        bySid[record.sid] = session
        return session
    }

    static let unreadable = Rejection(
        .sessionNotFound, "the log could not be read; see `acpbridge status`", rpcCode: .internalError)

    // MARK: What sessions tell

    func claimed(_ session: Session) {
        if let sid = session.sid { bySid[sid] = session }
    }

    func stored(_ session: Session) { onStored(session) }

    func completed(_ session: Session) {
        live.removeAll { $0 === session }
        readerLeft(session)
    }

    /// A session of the past is forgotten with its last reader; the log keeps it.
    func readerLeft(_ session: Session) {
        guard session.isComplete, !session.hasReaders, let sid = session.sid else { return }
        session.releaseTail()
        bySid[sid] = nil
    }

    func noteLogFailure(_ error: LogError) { lastLogError = error }
    func noteUnstored(lines: Int) { unstoredLines += lines }

    /// The live session at this place of the log.
    func live(sid: Int64) -> Session? { bySid[sid].flatMap { $0.isLive ? $0 : nil } }
}
