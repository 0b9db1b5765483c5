import SessionRecords

/// Decides what a bridge ships to its hub next, and in which order. Pure.
///
/// The backlog is the session log itself, so this machine holds no data of sessions that wait. It holds one transaction
/// in flight, and one that collects the data which follows.
///
///     offline ── connected ──▶ online: list ─▶ record ─▶ claims ─▶ (lookUp) ─▶ timeline ─▶ … ─▶ ship
///     online ── failed ──▶ offline
///
/// One read is in flight at a time. A read of timelines is for many sessions, because each read waits until the spool is
/// in the log's tables. Each function handles one event and returns the actions to perform in their order.
package struct ShipperMachine {
    package enum Action: Sendable, Equatable {
        /// Read a page of all sessions after this place. Answered by ``listed(_:next:)``.
        case list(after: ListingPosition?)
        /// Answered by ``found(_:sid:)``.
        case record(sid: Int64)
        /// Answered by ``claimed(_:sid:)``.
        case claims(sid: Int64)
        /// Ask the hub for the place of this update. Answered by ``lookedUp(_:update:sid:)``.
        case lookUp(sid: Int64, update: Int64)
        /// Answered by ``read(_:)``.
        case timelines([TimelineStart])
        /// Answered by ``shipped(isWatched:)`` or ``failed(_:)``.
        case ship(HubBatch)
        /// Call ``due()`` after this time.
        case wait(Duration)
    }

    /// The reason why a transaction failed.
    package enum Failure: Sendable, Equatable {
        /// The hub or the connection failed. The sessions are not the reason.
        case hub
        /// The hub has a row already. Another writer, or an earlier transaction with an unknown outcome, has
        /// stored it.
        case conflict
        /// The hub refuses the contents.
        case contents(String)
    }

    /// 1 MiB: large enough that a transaction's own cost does not count, and repeated in some milliseconds.
    package static let batchBytes = 1 << 20
    /// From this size on, the next transaction follows at once, because there is a backlog.
    private static let backlogBytes = batchBytes / 2
    /// A live session has some hundred new bytes in each round, so an answer has room for about as many.
    private static let sessionsPerRead = 250
    /// The pause between transactions while the bridge has no watcher: fewer and larger rows.
    package static let quietPause = Duration.seconds(1)
    /// The pause while somebody watches. Each read moves the log's spool into its tables, so reads without a pause
    /// would cost the append path.
    package static let watchedPause = Duration.milliseconds(5)

    /// The state of one incarnation.
    private struct Ship {
        /// With everything that is in flight or collected.
        var head = HubHead()
        /// The hub's own state after the connection; nil once an item of it was chosen for the comparison with the log.
        var stored: HubPlace?
        /// An item of the hub that the log must have, too.
        var expected: Expected?
        var factsSum: Int64?
        /// The last timeline number in the log; nil if it is not known.
        var localN: Int64?
        /// The last update in the log when it was listed.
        var listedSeq: Int64 = 0
        var isRecordStale = true
        var record: HubSession?
        private(set) var claims: [EpochClaim] = []
        /// The newest claim that is known. The claims that were read can be older.
        private var newestEpoch: Int64 = 0
        var isQueued = false

        var isBehind: Bool { localN.map { $0 > head.n } ?? true }
        /// The hub has more than the log: a power cut has taken the end of the log, or the log is another one.
        var isAhead: Bool { localN.map { $0 < head.n } ?? false }

        /// The claim must be shipped before its first update, so claims without it are read again.
        mutating func note(epoch: Int64) {
            newestEpoch = max(newestEpoch, epoch)
            if let last = claims.last, last.epoch < newestEpoch { claims = [] }
        }

        /// If a newer claim became known during the read, the claims are read once more.
        mutating func handle(_ read: [EpochClaim]) {
            let isOutdated = read.last.map { $0.epoch < newestEpoch } ?? false
            claims = isOutdated ? [] : read
            if isOutdated { newestEpoch = 0 }
        }

        mutating func forgetClaims() { claims = [] }
    }

    private struct Expected {
        let n: Int64
        /// The number of the update; nil for any item.
        let seq: Int64?
        let ts: Int64

        func isMet(by item: TimelineItem) -> Bool {
            guard let seq else { return item.ts == ts }
            guard case .update(_, seq, ts, _) = item else { return false }
            return true
        }
    }

    private enum Listing: Equatable {
        case next(ListingPosition?)
        case reading
        case done
    }

    /// The read in flight.
    private enum Reading: Equatable {
        case none
        case list
        case session(Int64)
        case timelines([Int64])

        var sids: [Int64] {
            switch self {
            case .none, .list: []
            case .session(let sid): [sid]
            case .timelines(let sids): sids
            }
        }
    }

    /// Refused transactions, until their cause is found.
    private struct Refusals {
        /// The number of conflicts since the last transaction that was committed.
        var conflicts = 0
        /// A transaction with several sessions was refused, so each transaction has one session until the culprit is found.
        var isIsolating = false
    }

    private var isOnline = false
    private var ships: [Int64: Ship] = [:]
    private var queue: [Int64] = []
    private var listing = Listing.done
    private var reading = Reading.none
    private var batch = HubBatch()
    private var inFlight: HubBatch?
    private var isPausing = false
    /// Sessions whose next step asks the hub for what is not committed yet. They continue after the transaction in flight.
    private var blocked: Set<Int64> = []
    /// The number of visits until the collected batch is shipped. Sessions that change meanwhile belong to the next
    /// round.
    private var round = 0
    private var refusals = Refusals()
    /// The sessions that the hub refuses because of their contents, with its reasons. They are not shipped until the bridge starts
    /// again: numbers have no holes, so nothing after the refused row can be shipped.
    package private(set) var faults: [Int64: String] = [:]
    /// The sessions that users have deleted since the connection was made. A read that began before the deletion can
    /// still return them.
    private var removed: Set<Int64> = []
    /// The hub has something else than this log under the same numbers: the log is a copy of another one, or was restored
    /// from a backup. Nothing more is shipped. A power cut cannot be the cause, because claims are synced.
    package private(set) var isForked = false
    /// ``HubContents/retainedFrom``.
    private var retainedFrom: Int64 = 0

    package init() {}

    /// The number of sessions that are known to have unshipped data. Sessions that are not listed yet are not counted.
    package var waitingCount: Int { Set(queue).union(inFlight?.sids ?? []).union(batch.sids).count }
    /// True if everything that is known is at the hub.
    package var isDone: Bool {
        isOnline && listing == .done && queue.isEmpty && reading == .none && batch.isEmpty && inFlight == nil
    }

    /// The sessions of which the hub does not have everything that is known. Nil if it is not known which ones.
    package var unshipped: Set<Int64>? {
        guard isOnline, listing == .done else { return nil }
        return Set(queue).union(inFlight?.sids ?? []).union(batch.sids).union(faults.keys).union(reading.sids)
    }

    // MARK: The connection

    /// - Parameter contents: what the hub has of this log. It can be less than what it had before: a failover or a
    ///   restore takes the newest transactions back.
    package mutating func connected(_ contents: HubContents) -> [Action] {
        isOnline = true
        isForked = false
        retainedFrom = contents.retainedFrom
        ships = contents.places.mapValues { place in
            var ship = Ship()
            ship.head = place.head
            ship.factsSum = place.factsSum
            ship.stored = place
            return ship
        }
        listing = .next(nil)
        removed = []
        clearWork()
        return proceed()
    }

    /// The connection was lost, or could not be used. Answers to reads in flight must not be passed on.
    package mutating func disconnected() {
        isOnline = false
        ships = [:]
        clearWork()
    }

    private mutating func clearWork() {
        queue = []
        (batch, inFlight, blocked) = (HubBatch(), nil, [])
        (reading, isPausing, round) = (.none, false, 0)
    }

    package mutating func shipped(isWatched: Bool) -> [Action] {
        guard isOnline, let sent = inFlight else { return [] }
        inFlight = nil
        refusals.conflicts = 0
        for sid in blocked.sorted() { enqueue(sid) }
        blocked = []
        let isCatchingUp = sent.costBytes >= Self.backlogBytes || listing != .done || refusals.isIsolating
        if refusals.isIsolating, queue.isEmpty, listing == .done { refusals.isIsolating = false }
        guard !isCatchingUp else { return proceed() }
        isPausing = true
        return [.wait(isWatched ? Self.watchedPause : Self.quietPause)]
    }

    /// The pause is over.
    package mutating func due() -> [Action] {
        isPausing = false
        return proceed()
    }

    /// The transaction was not committed, or it is not known whether it was. Connect again, and call ``connected(_:)``.
    package mutating func failed(_ failure: Failure) {
        switch failure {
        case .hub: break
        case .conflict:
            // The heads that are read after the next connection show what the hub has.
            refusals.conflicts += 1
            if refusals.conflicts > 1 { blame("another writer stores rows of this session") }
        case .contents(let reason): blame(reason)
        }
        disconnected()
    }

    private mutating func blame(_ reason: String) {
        guard let sids = inFlight?.sids else { return }
        if sids.count == 1, let sid = sids.first {
            faults[sid] = reason
            refusals = Refusals()
        } else {
            refusals.isIsolating = true
        }
    }

    // MARK: The log

    /// The session has stored more, or its facts have changed.
    ///
    /// - Parameters:
    ///   - epoch: the newest claim; 0 if it is not known.
    ///   - timelineHead: the last timeline number that is stored.
    package mutating func changed(sid: Int64, epoch: Int64, timelineHead: Int64, facts: Bool) -> [Action] {
        guard isOnline, faults[sid] == nil, !removed.contains(sid) else { return [] }
        var ship = ships.removeValue(forKey: sid) ?? Ship()
        ship.localN = max(ship.localN ?? 0, timelineHead)
        ship.note(epoch: epoch)
        if facts { ship.isRecordStale = true }
        ships[sid] = ship
        enqueue(sid)
        return proceed()
    }

    /// A user has deleted the session, so nothing more of it is shipped. The caller deletes it at the hub, after the
    /// transaction in flight.
    package mutating func deleted(sid: Int64) {
        removed.insert(sid)
        faults[sid] = nil
        ships[sid] = nil
        batch.remove(sid)
        unqueue(sid)
    }

    /// - Parameters:
    ///   - sessions: a page of all sessions.
    ///   - next: where the next page begins; nil after the last one.
    package mutating func listed(_ sessions: [HubSession], next: ListingPosition?) -> [Action] {
        guard isOnline else { return [] }
        reading = .none
        listing = next.map { .next($0) } ?? .done
        for session in sessions where isShipped(session) {
            guard isSame(session) else { return [] }
            var ship = ships.removeValue(forKey: session.sid) ?? Ship()
            ship.localN = max(ship.localN ?? 0, session.record.timelineHead)
            ship.listedSeq = session.record.head
            // A change that was reported during the read can be newer than the page.
            if !ship.isQueued { ship.isRecordStale = false }
            if ship.factsSum != session.factsSum { ship.record = session }
            let mustVisit =
                ship.record != nil || ship.isBehind || ship.isAhead || ship.head.epoch < session.record.journal.epoch
            ships[session.sid] = ship
            if mustVisit { enqueue(session.sid) }
        }
        return proceed()
    }

    /// False if the hub has another session under this number, a later claim of it, or more of a claim whose agent runs.
    private mutating func isSame(_ session: HubSession) -> Bool {
        guard let stored = ships[session.sid]?.stored else { return true }
        let record = session.record
        isForked = stored.created != record.createdTs || stored.head.epoch > record.journal.epoch
        // The bridge ends all sessions when it starts, so no power cut came after the claim of a live session.
        if record.state == .live, stored.head.epoch == record.journal.epoch, stored.head.n > record.timelineHead {
            isForked = true
        }
        return !isForked
    }

    /// False for a session that must not be shipped: it was refused or deleted, or `hub retain` would delete it.
    private func isShipped(_ session: HubSession) -> Bool {
        guard faults[session.sid] == nil, !removed.contains(session.sid) else { return false }
        let isOld = session.record.state != .live && session.record.lastTs < retainedFrom
        return !isOld || ships[session.sid]?.factsSum != nil
    }

    /// The listing could not be read. It is tried again after a pause.
    package mutating func listingFailed(from place: ListingPosition?) -> [Action] {
        guard isOnline else { return [] }
        reading = .none
        listing = .next(place)
        isPausing = true
        return [.wait(Self.quietPause)]
    }

    /// The log could not be read for the sessions of the read in progress. They are read again after a pause.
    package mutating func readFailed() -> [Action] {
        guard isOnline else { return [] }
        for sid in reading.sids { enqueue(sid) }
        // The record may have been what was read.
        if case .session(let sid) = reading, ships[sid] != nil { ships[sid]?.isRecordStale = true }
        reading = .none
        isPausing = true
        return [.wait(Self.quietPause)]
    }

    /// The session that was read is damaged. It would begin at its first update again, which the hub has.
    package mutating func readIsDamaged() -> [Action] {
        guard isOnline else { return [] }
        for sid in reading.sids { leaveOut(sid) }
        reading = .none
        return proceed()
    }

    private mutating func leaveOut(_ sid: Int64) {
        faults[sid] = "a part of it cannot be read"
        ships[sid] = nil
    }

    /// - Parameter session: nil if the log no longer has the session.
    package mutating func found(_ session: HubSession?, sid: Int64) -> [Action] {
        guard isOnline else { return [] }
        reading = .none
        guard ships[sid] != nil else { return proceed() }
        guard let session, isShipped(session) else {
            ships[sid] = nil
            return proceed()
        }
        guard isSame(session) else { return [] }
        if ships[sid]?.factsSum != session.factsSum { ships[sid]?.record = session }
        if let localN = ships[sid]?.localN { ships[sid]?.localN = max(localN, session.record.timelineHead) }
        ships[sid]?.note(epoch: session.record.journal.epoch)
        return proceed(with: sid)
    }

    /// - Parameter claims: all claims of the incarnation, by rising epoch; empty if the log no longer has them.
    package mutating func claimed(_ claims: [EpochClaim], sid: Int64) -> [Action] {
        guard isOnline else { return [] }
        reading = .none
        guard ships[sid] != nil else { return proceed() }
        guard !claims.isEmpty else {
            ships[sid] = nil
            return proceed()
        }
        if let stored = ships[sid]?.stored, let first = stored.claimFirst,
            claims.contains(where: { $0.epoch == stored.head.epoch && $0.first != first })
        {
            isForked = true
            return []
        }
        ships[sid]?.handle(claims)
        return proceed(with: sid)
    }

    /// - Parameter found: nil if the hub does not have the update. It has the one before a claim, unless another program
    ///   has deleted rows.
    package mutating func lookedUp(_ found: HubUpdate?, update: Int64, sid: Int64) -> [Action] {
        guard isOnline else { return [] }
        reading = .none
        guard var ship = ships[sid] else { return proceed() }
        if let claim = Self.nextClaim(ship), claim.first - 1 == update {
            guard found != nil || update == 0 else {
                faults[sid] = "update \(update) is missing at the hub"
                ships[sid] = nil
                return proceed()
            }
            (ship.head.seq, ship.head.seqN) = (update, found?.n ?? 0)
            ship.head.ts = found?.ts ?? 0
        } else if !ship.isAhead || update != ship.listedSeq {
            // Another claim has come meanwhile.
            return proceed(with: sid)
        }
        ship.stored = nil
        ship.expected = found.map { Expected(n: $0.n, seq: update, ts: $0.ts) }
        ships[sid] = ship
        return proceed(with: sid)
    }

    /// - Parameter pages: the timelines that were asked for, in that order; nil for one that cannot be read. Those that
    ///   the answer had no room for are read next.
    package mutating func read(_ pages: [TimelinePage?]) -> [Action] {
        guard isOnline, case .timelines(let sids) = reading else { return [] }
        reading = .none
        for (sid, page) in zip(sids, pages) where !isForked { collect(page, sid: sid) }
        guard !isForked else { return [] }
        for sid in sids.dropFirst(pages.count).reversed() { putBack(sid) }
        return proceed()
    }

    private mutating func collect(_ page: TimelinePage?, sid: Int64) {
        guard var ship = ships[sid] else { return }
        guard let page else { return leaveOut(sid) }
        if let expected = ship.expected.take(), let item = page.items.first, item.n == expected.n,
            !expected.isMet(by: item)
        {
            isForked = true
            return
        }
        let fresh = page.items.drop { $0.n <= ship.head.n }
        var builder = RowBuilder(sid: sid, claims: ship.claims)
        for item in fresh {
            // The claim must be stored before its first update.
            if Self.nextClaim(ship) != nil { break }
            Self.advance(&ship.head, over: item)
            builder.add(item)
        }
        builder.close()
        for row in builder.rows { batch.add(row) }
        if !builder.rows.isEmpty { batch.heads[sid] = ship.head }
        // The page ends where the log ended when it was read.
        let isWhole = fresh.isEmpty || (page.isAtEnd && page.items.last.map { $0.n == ship.head.n } == true)
        if ship.isAhead {
            ship.forgetClaims()
        } else if isWhole, !ship.isQueued {
            // A queued session has changed during the read, so there can be more than the page has.
            ship.localN = ship.head.n
        }
        ships[sid] = ship
        if ship.isBehind { enqueue(sid) }
    }

    // MARK: Steps

    private mutating func enqueue(_ sid: Int64) {
        guard ships[sid]?.isQueued == false else { return }
        ships[sid]?.isQueued = true
        queue.append(sid)
    }

    /// The session is the next one, in this round.
    private mutating func putBack(_ sid: Int64) {
        guard let ship = ships[sid] else { return }
        if ship.isQueued { unqueue(sid) }
        ships[sid]?.isQueued = true
        queue.insert(sid, at: 0)
        round += 1
    }

    private mutating func unqueue(_ sid: Int64) {
        guard let place = queue.firstIndex(of: sid) else { return }
        queue.remove(at: place)
        if place < round { round -= 1 }
    }

    /// Takes the next steps of all sessions: begins the next read, and ships the collected batch at the end of a round.
    private mutating func proceed() -> [Action] {
        guard isOnline, reading == .none, !isPausing else { return [] }
        var actions: [Action] = []
        var starts: [TimelineStart] = []
        while true {
            if !starts.isEmpty, round == 0 || !canCollect || starts.count == sessionsPerRead {
                return actions + [read(starts)]
            }
            if round == 0 || !canCollect {
                actions += ship()
                guard canCollect else { return actions }
                round = queue.count
            }
            guard round > 0 else { return actions + list() }
            round -= 1
            let sid = queue.removeFirst()
            ships[sid]?.isQueued = false
            switch step(sid) {
            case nil: break
            case .timelines(let start)?: starts += start
            case let next?:
                guard starts.isEmpty else {
                    putBack(sid)
                    return actions + [read(starts)]
                }
                reading = .session(sid)
                // A change during the read makes the record stale again.
                if case .record = next { ships[sid]?.isRecordStale = false }
                return actions + [next]
            }
        }
    }

    private mutating func read(_ starts: [TimelineStart]) -> Action {
        reading = .timelines(starts.map(\.sid))
        return .timelines(starts)
    }

    /// Continues with this session.
    private mutating func proceed(with sid: Int64) -> [Action] {
        putBack(sid)
        return proceed()
    }

    /// The largest number of sessions in one read of timelines.
    private var sessionsPerRead: Int { refusals.isIsolating ? 1 : Self.sessionsPerRead }

    /// False while the batch has no room. A batch that isolates a session has room for one.
    private var canCollect: Bool {
        batch.costBytes < Self.batchBytes && (!refusals.isIsolating || batch.isEmpty)
    }

    private mutating func ship() -> [Action] {
        guard inFlight == nil, !batch.isEmpty else { return [] }
        let next = batch
        inFlight = next
        batch = HubBatch()
        return [.ship(next)]
    }

    private mutating func list() -> [Action] {
        guard case .next(let place) = listing else { return [] }
        reading = .list
        listing = .reading
        return [.list(after: place)]
    }

    /// Takes the steps of one session that need no read, and returns the read that follows. Nil if nothing is left.
    private mutating func step(_ sid: Int64) -> Action? {
        guard var ship = ships[sid], faults[sid] == nil else { return nil }
        if ship.isRecordStale { return .record(sid: sid) }
        if ship.claims.isEmpty { return .claims(sid: sid) }
        defer { ships[sid] = ship }
        if let session = ship.record.take() {
            ship.factsSum = session.factsSum
            batch.add(session)
        }
        while let claim = Self.nextClaim(ship) {
            // The update before the claim is compared, too: a later comparison would not see another history before it.
            if claim.first - 1 < ship.head.seq || (ship.stored != nil && claim.first > 1) {
                guard !isUncommitted(sid) else {
                    blocked.insert(sid)
                    return nil
                }
                return .lookUp(sid: sid, update: claim.first - 1)
            }
            // Entries that follow the last update before the claim are shipped again under its epoch.
            ship.head.epoch = claim.epoch
            ship.head.n = ship.head.seqN
            batch.claims.append(
                HubClaim(sid: sid, epoch: claim.epoch, first: claim.first, firstN: ship.head.seqN + 1))
            batch.heads[sid] = ship.head
        }
        if ship.isAhead, ship.stored != nil, ship.listedSeq > 0 { return .lookUp(sid: sid, update: ship.listedSeq) }
        guard ship.isBehind || ship.expected != nil else {
            // The next stored items belong to a claim that is not known yet.
            if ship.isAhead { ship.forgetClaims() }
            return nil
        }
        if ship.stored.take() != nil, ship.head.n > 0 {
            ship.expected = Expected(n: ship.head.n, seq: nil, ts: ship.head.ts)
        }
        return .timelines([TimelineStart(sid: sid, after: ship.expected.map { $0.n - 1 } ?? ship.head.n)])
    }

    /// True if the hub does not have all of the session that was read, because its transaction is in flight or not begun.
    private func isUncommitted(_ sid: Int64) -> Bool {
        batch.heads[sid] != nil || inFlight?.heads[sid] != nil
    }

    /// The next claim that the hub does not have, if everything before its first update is shipped.
    private static func nextClaim(_ ship: Ship) -> EpochClaim? {
        ship.claims.first { $0.epoch > ship.head.epoch && $0.first <= ship.head.seq + 1 }
    }

    private static func advance(_ head: inout HubHead, over item: TimelineItem) {
        switch item {
        case .update(let n, let seq, let ts, _):
            // Retention has deleted what was not shipped.
            if seq > head.seq + 1 { head.oldest = seq }
            (head.n, head.seq, head.seqN, head.ts) = (n, seq, n, ts)
        case .entry(let n, _, let ts, _, _): (head.n, head.ts) = (n, ts)
        }
    }
}

extension TimelineItem {
    /// Milliseconds since 1970.
    fileprivate var ts: Int64 {
        switch self {
        case .update(_, _, let ts, _), .entry(_, _, let ts, _, _): ts
        }
    }
}
