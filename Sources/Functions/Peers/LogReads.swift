import ACPRouting
import Access
import EventLoop
import Peers
import Posix
import SessionRecords
import SessionStreams
import Tinyvex

/// `log:read`: another bridge reads this bridge's own log. Sessions that this bridge itself shows for others are not
/// part of it, so a peer of a peer is never shown, and no loop can arise.
@LoopActor final class LogReads {
    private let registry: SessionRegistry
    private let histories: HistoryReads
    private let services: LoopServices
    /// The name of this bridge in the lists of peers.
    var bridgeName = "bridge"
    /// The prompts that wait in a session.
    var queue: @LoopActor (Session) -> [QueuedPrompt] = { _ in [] }
    private var logId: UInt32?
    /// Changes of the sessions in lists. It begins at random, so that an earlier process's count is never taken for it.
    private var changes = Int64.random(in: 1...(1 << 40))
    /// Requests that wait for a change of a session, by its place in the log.
    private var waiting: [Int64: Group] = [:]
    private var places = WaitingPlaces()

    private struct Group {
        var waiters: [ObjectIdentifier: Waiter] = [:]
        /// The record is being read.
        var isChecking = false
    }

    private final class Waiter {
        let known: LogRequest.KnownState
        let identity: Identity
        let finish: CompletionHandler
        /// The session's record must be read for this request: it is new, or the session has changed, or its time is over.
        var isDue = true
        /// Its time is over: it is answered also if nothing has changed.
        var isLast = false
        var timer: Timer?

        init(_ known: LogRequest.KnownState, _ identity: Identity, _ finish: @escaping CompletionHandler) {
            self.known = known
            self.identity = identity
            self.finish = finish
        }
    }

    init(_ registry: SessionRegistry, _ histories: HistoryReads, services: LoopServices) {
        self.registry = registry
        self.histories = histories
        self.services = services
    }

    /// Answers a `log:read`.
    ///
    /// - Parameter placed: Called when a request begins to wait for a change, so that the connection's next request is handled. The
    ///   next one waits for the end of any other read: answers of 4 MiB for requests of 200 bytes would fill the memory.
    func read(
        _ arguments: Parameters, for identity: Identity, placed: @escaping @LoopActor () -> Void,
        then finish: @escaping CompletionHandler
    ) {
        guard let logId else {
            return readLogId(orFail: finish) { [self] in read(arguments, for: identity, placed: placed, then: finish) }
        }
        do throws(Rejection) {
            let request = try LogRequest(arguments, log: logId)
            if case .change = request { placed() }
            registry.whenClaimed { [self] in answer(request, logId, identity, finish) }
        } catch {
            finish(.failure(error))
        }
    }

    private func readLogId(orFail finish: @escaping CompletionHandler, then action: @escaping @LoopActor () -> Void) {
        registry.log.own.read(.logId) { [self] answer in
            guard case .logId(let id) = answer else { return finish(.failure(SessionRegistry.unreadable)) }
            logId = id
            action()
        }
    }

    private func answer(
        _ request: LogRequest, _ logId: UInt32, _ identity: Identity, _ finish: @escaping CompletionHandler
    ) {
        switch request {
        case .identity:
            // The name is that of the machine, which is not a tenant's.
            let name = identity.tenant == nil ? bridgeName : "bridge"
            finish(Self.response(.identity(logId: logId, bridge: name)))
        case .list(let limit, let after, let known): list(limit, after, known, identity, finish)
        case .find(let sessionId, let agent):
            records(.find(sessionId: sessionId, agent: agent, tenant: identity.tenant), identity) { records in
                finish(records.map { Self.response(.records($0, takenBackFrom: nil)) } ?? Self.unreadable)
            }
        case .incarnation(let sid):
            records(.incarnation(sid: sid), identity) { records in
                finish(records.map { Self.response(.records($0, takenBackFrom: nil)) } ?? Self.unreadable)
            }
        case .change(let known): wait(Waiter(known, identity, finish))
        case .page(let sid, let from, let maxBytes):
            read(.page(sid: sid, from: from, maxBytes: maxBytes), of: sid, identity, finish)
        case .timeline(let sid, let after, let through, let maxBytes):
            read(.timeline(sid: sid, after: after, through: through, maxBytes: maxBytes), of: sid, identity, finish)
        case .updates(let sid, let start, let limit, let direction):
            read(.updates(sid: sid, start: start, limit: limit, direction: direction), of: sid, identity, finish)
        case .position(let sid, let journal, let seq):
            read(.position(sid: sid, journal: journal, seq: seq), of: sid, identity, finish)
        case .usage(let starts): read(.usage(starts: starts, tenant: identity.tenant), finish)
        }
    }

    private static func response(_ answer: LogAnswer) -> Result<FunctionResponse, Rejection> {
        .success(FunctionResponse(result: answer.json()))
    }

    private static let unreadable = Result<FunctionResponse, Rejection>.failure(SessionRegistry.unreadable)

    // MARK: Records

    private func list(
        _ limit: Int, _ after: ListingPosition?, _ known: Int64?, _ identity: Identity,
        _ finish: @escaping CompletionHandler
    ) {
        let changes = identity.tenant == nil ? changes : nil
        if let changes, known == changes { return finish(Self.response(.unchanged(changes: changes))) }
        let query = ReadRequest.Query.sessions(liveOnly: false, limit: limit, tenant: identity.tenant, after: after)
        registry.log.own.read(query) { [self] answer in
            guard case .listing(let listing) = answer else { return finish(Self.unreadable) }
            let records = listing.records.filter { [registry] in !registry.isImporting($0.sessionId) }
            let rows = records.map { peerRecord($0) }
            let state = changes ?? Self.state(of: rows)
            if known == state { return finish(Self.response(.unchanged(changes: state))) }
            finish(Self.response(.list(rows, hasMore: listing.hasMore, changes: state)))
        }
    }

    /// For a tenant, in place of the count of all changes: that one shows how much other tenants do. Swift's hashes differ in each
    /// process, so that an earlier process's value is never taken for this one.
    private static func state(of rows: [PeerRecord]) -> Int64 {
        var hasher = Hasher()
        hasher.combine(LogAnswer.list(rows, hasMore: false, changes: 0).json())
        return Int64(hasher.finalize() & ((1 << 53) - 1))
    }

    private func records(
        _ query: ReadRequest.Query, _ identity: Identity,
        then action: @escaping @LoopActor ([PeerRecord]?) -> Void
    ) {
        registry.log.own.read(query) { [self] answer in
            guard case .sessions(let records) = answer else { return action(nil) }
            let visible = records.filter { [registry] in
                identity.maySee(tenant: $0.tenant) && !registry.isImporting($0.sessionId)
            }
            action(visible.map { peerRecord($0, for: identity) })
        }
    }

    /// Combines the log's record with the newer values in memory, as lists do.
    ///
    /// - Parameter identity: the reader of the waiting prompts. Nil leaves them out.
    private func peerRecord(_ record: SessionRecord, for identity: Identity? = nil) -> PeerRecord {
        var current = registry.current(record)
        // A session that an agent serves is in memory.
        guard let known = registry.known(sid: record.sid) else { return PeerRecord(current, isRunning: false) }
        current.usage = known.usage?.storedText ?? record.usage
        return PeerRecord(
            current, isRunning: current.state == .live && known.isRunning, queue: waiting(in: known, for: identity))
    }

    private func waiting(in session: Session, for identity: Identity?) -> [RemotePrompt] {
        guard let identity else { return [] }
        return queue(session).map { prompt in
            RemotePrompt(by: prompt.by, queuedTs: prompt.since, text: prompt.text, isOwn: prompt.by == identity.who)
        }
    }

    // MARK: Histories

    private func read(
        _ query: ReadRequest.Query, of sid: Int64, _ identity: Identity, _ finish: @escaping CompletionHandler
    ) {
        // Without a tenant, everything can be read, so no record is needed.
        guard identity.tenant != nil else { return read(query, finish) }
        records(.incarnation(sid: sid), identity) { [self] records in
            guard let records else { return finish(Self.unreadable) }
            guard !records.isEmpty else { return finish(.failure(Self.unknown)) }
            read(query, finish)
        }
    }

    private func read(_ query: ReadRequest.Query, _ finish: @escaping CompletionHandler) {
        if case .position = query { return read(query, finish) {} }
        do throws(Rejection) {
            try histories.add { [self] in read(query, finish, then: $0) }
        } catch {
            finish(.failure(error))
        }
    }

    private func read(
        _ query: ReadRequest.Query, _ finish: @escaping CompletionHandler,
        then completed: @escaping @LoopActor () -> Void
    ) {
        registry.log.own.read(query) { answer in
            defer { completed() }
            switch answer {
            case .page(let page): finish(Self.response(.page(page)))
            case .timeline(let page): finish(Self.response(.timeline(page)))
            case .updates(let page): finish(Self.response(.updates(page)))
            case .position(let position): finish(Self.response(.position(position)))
            case .usage(let usage): finish(Self.response(.usage(usage)))
            case .failed(.unknownSession): finish(.failure(Self.unknown))
            default: finish(Self.unreadable)
            }
        }
    }

    private static let unknown = Rejection(.sessionNotFound, "the log has no session with this number")

    // MARK: Changes

    /// Call after the session at this place in the log, or a list that has it, has changed.
    func noteChange(sid: Int64?) {
        changes += 1
        guard let sid, let group = waiting[sid] else { return }
        for waiter in group.waiters.values { waiter.isDue = true }
        check(sid)
    }

    private func wait(_ waiter: Waiter) {
        do throws(Rejection) {
            try places.take(by: waiter.identity)
        } catch {
            return waiter.finish(.failure(error))
        }
        let sid = waiter.known.sid
        waiting[sid, default: Group()].waiters[ObjectIdentifier(waiter)] = waiter
        waiter.timer = services.timers.schedule(after: .seconds(LogRequest.waitSeconds)) { [self] in
            waiter.timer = nil
            (waiter.isLast, waiter.isDue) = (true, true)
            check(sid)
        }
        check(sid)
    }

    /// Reads the session's record once for all waiters that are due. Those that become due meanwhile are checked after it.
    private func check(_ sid: Int64) {
        guard let group = waiting[sid], !group.isChecking else { return }
        let due = group.waiters.values.filter(\.isDue)
        guard !due.isEmpty else { return }
        for waiter in due { waiter.isDue = false }
        waiting[sid]?.isChecking = true
        registry.log.own.read(.incarnation(sid: sid)) { [self] answer in
            waiting[sid]?.isChecking = false
            if case .sessions(let records) = answer {
                compare(due, records.filter { [registry] in !registry.isImporting($0.sessionId) })
            } else {
                for waiter in due { end(waiter, Self.unreadable) }
            }
            check(sid)
        }
    }

    private func compare(_ waiters: [Waiter], _ records: [SessionRecord]) {
        var moved: [(waiter: Waiter, records: [PeerRecord])] = []
        for waiter in waiters {
            let visible = records.filter { waiter.identity.maySee(tenant: $0.tenant) }
                .map { peerRecord($0, for: waiter.identity) }
            guard waiter.isLast || visible.first?.isKnown(as: waiter.known) != true else { continue }
            if let epoch = visible.first?.record.journal.epoch, epoch != waiter.known.epoch {
                moved.append((waiter, visible))
            } else {
                end(waiter, Self.response(.records(visible, takenBackFrom: nil)))
            }
        }
        if !moved.isEmpty { describeClaims(moved) }
    }

    /// Answers waiters that know an earlier incarnation.
    private func describeClaims(_ moved: [(waiter: Waiter, records: [PeerRecord])]) {
        guard let sid = moved.first?.waiter.known.sid else { return }
        registry.log.own.read(.claims(sid: sid)) { [self] answer in
            for (waiter, records) in moved {
                guard case .claims(let claims) = answer else {
                    end(waiter, Self.unreadable)
                    continue
                }
                let lost = claims.filter { $0.epoch > waiter.known.epoch }.map(\.first).min()
                end(waiter, Self.response(.records(records, takenBackFrom: lost)))
            }
        }
    }

    /// Answers once.
    private func end(_ waiter: Waiter, _ result: Result<FunctionResponse, Rejection>) {
        let sid = waiter.known.sid
        guard waiting[sid]?.waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil else { return }
        if waiting[sid]?.waiters.isEmpty == true { waiting[sid] = nil }
        places.free(by: waiter.identity)
        waiter.timer?.cancel()
        waiter.finish(result)
    }
}

extension PeerRecord {
    fileprivate func isKnown(as known: LogRequest.KnownState) -> Bool {
        known
            == LogRequest.KnownState(
                sid: record.sid, epoch: record.journal.epoch, timelineHead: record.timelineHead,
                isLive: record.state == .live, isRunning: isRunning,
                queue: known.queue == nil ? nil : queue.map(\.queuedTs))
    }
}
