import Diagnostics
import EventLoop
import Hub
import JSONScan
import Posix
import SessionRecords
import SessionStreams

/// Ships the log to the hub: performs the actions of ``ShipperMachine`` with the log's reader and with two connections.
/// One of them renews the lease, so that a long transaction does not delay the renewal.
@LoopActor package final class HubShipper {
    private let settings: HubSettings
    private let registry: SessionRegistry
    private let services: LoopServices
    private let workers: Workers
    /// Commands of viewers. They share the connection of the lease.
    package let commands: HubCommands
    private var machine = ShipperMachine()
    /// Nil until the log has answered.
    private var writer: HubWriter?
    private var link = Link.connecting
    private var attempts = Attempts()
    private var changedFacts = ChangedFacts()
    private var deletions: HubDeletions
    private let confirmations: HubConfirmations
    /// A file with this name requests a new id of the log.
    private let renewalPath: String
    private var ending = Ending.none
    /// Counts of this process.
    private var counts = Counts()

    private struct Workers {
        let shipping: HubWorker
        let leasing: HubWorker
    }

    private struct Counts {
        var updates = 0
        var transactions = 0
        var failures = 0
        /// Milliseconds since 1970; nil before the first transaction.
        var lastShipped: Int64?
    }

    private struct Attempts {
        /// Increases with each connection. Answers to reads of earlier connections are ignored.
        var generation = 0
        /// Those that failed since shipping worked.
        var count = 0
        /// The error that was reported last; nil when shipping works. A hub that can be reached and refuses each transaction, for
        /// example with a full disk, does not work.
        var reported: HubError?
        /// It was reported that shipping works.
        var isSuccessReported = false
    }

    /// Sessions with facts that have changed in the last second.
    private struct ChangedFacts {
        var sids: Set<Int64> = []
        var isTimerSet = false
    }

    private enum Ending {
        case none
        /// Everything is shipped without pauses, and then the action is called.
        case draining(@LoopActor () -> Void)
        /// Everything is shipped, or cannot be. The action is not called yet.
        case finishing
        case drained
        /// ``close()`` was called before all was shipped.
        case closed
    }

    private enum Link: Equatable {
        case connecting
        case online
        /// Another attempt is scheduled or under way: a server that hangs is a failure for all that time.
        case failed
    }

    /// The records of a page of the list: some hundred KB.
    private static let listLimit = 200
    /// A summary is sent once a second at most.
    private static let factsPause = Duration.seconds(1)
    /// The pause before an attempt to connect doubles from the first to the second value. The longest one delays the end
    /// of each longer outage.
    private static let retryPauses = (first: 1, longest: 10)

    /// - Parameters:
    ///   - oldDeletionsPath: the file in which earlier versions stored deletions that the hub does not have.
    ///   - renewalPath: the file that requests a new id of the log.
    package init(
        _ settings: HubSettings, _ registry: SessionRegistry, oldDeletionsPath: String, renewalPath: String,
        services: LoopServices
    ) throws {
        self.renewalPath = renewalPath
        self.settings = settings
        self.registry = registry
        self.services = services
        confirmations = HubConfirmations(registry)
        deletions = HubDeletions(registry.log.own, oldPath: oldDeletionsPath)
        let leasing = try HubWorker(settings.address, name: "hub-lease", services: services)
        workers = Workers(
            shipping: try HubWorker(settings.address, name: "hub-shipper", services: services), leasing: leasing)
        commands = HubCommands(settings.commands, leasing, services: services)
        registry.log.own.read(.logId) { [weak self] answer in
            guard case .logId(let id) = answer else { return }
            self?.begin(logId: id)
        }
    }

    private func begin(logId: UInt32) {
        writer = HubWriter(
            logId: Int64(logId), name: settings.name, version: settings.version, instance: HubSettings.instance,
            commands: settings.commands)
        connect()
    }

    // MARK: Changes

    /// Call for each change of a session.
    package func noteChange(of session: Session, _ change: SessionRegistry.SessionChange) {
        // The end of a session withdraws its requests.
        if change == .permissions || change == .facts { commands.requestsChanged() }
        guard let sid = session.sid else { return }
        noteChange(sid: sid, change, epoch: session.epoch, timelineHead: session.timelineHead)
    }

    /// Call for each change of a session that has no ``Session``.
    ///
    /// - Parameters:
    ///   - epoch: the newest claim, if it is known.
    ///   - timelineHead: the last timeline number that is stored, if it is known.
    package func noteChange(
        sid: Int64, _ change: SessionRegistry.SessionChange, epoch: Int64 = 0, timelineHead: Int64 = 0
    ) {
        switch change {
        case .progress where link == .online:
            perform(machine.changed(sid: sid, epoch: epoch, timelineHead: timelineHead, facts: false))
        case .facts where link == .online: noteFacts(sid)
        case .deleted: noteDeletion(sid)
        case .progress, .facts, .permissions, .entry, .workEnded: break
        }
    }

    /// A user has deleted the session. The log has noted it until the hub has deleted it, too.
    private func noteDeletion(_ sid: Int64) {
        changedFacts.sids.remove(sid)
        confirmations.deleted(sid)
        machine.deleted(sid: sid)
        deletions.noted()
        if link == .online { deleteAtHub() }
    }

    private func noteFacts(_ sid: Int64) {
        changedFacts.sids.insert(sid)
        guard !changedFacts.isTimerSet else { return }
        changedFacts.isTimerSet = true
        services.timers.schedule(after: pause(Self.factsPause)) { [weak self] in
            self?.changedFacts.isTimerSet = false
            self?.sendFacts()
        }
    }

    private func sendFacts() {
        let sids = changedFacts.sids
        changedFacts.sids = []
        for sid in sids where link == .online {
            let session = registry.known(sid: sid)
            perform(
                machine.changed(
                    sid: sid, epoch: session?.epoch ?? 0, timelineHead: session?.timelineHead ?? 0, facts: true))
        }
        checkDrained()
    }

    // MARK: Connection

    private func connect() {
        guard let writer, !isClosed else { return }
        renewLease(writer) { [weak self] in
            self?.commands.begin(writer)
            // In this order, so that the places do not contain deleted sessions.
            self?.deleteAtHub { [weak self] in self?.readPlaces(writer) }
        }
    }

    /// Renews the lease from now on, for as long as the link is not replaced.
    private func renewLease(_ writer: HubWriter, then next: @escaping @LoopActor @Sendable () -> Void) {
        let own = attempts.generation
        workers.leasing.run { (database) throws(HubError) in
            guard try database.renewLease(writer) else { throw .leaseHeld }
        } then: { [weak self] result in
            guard let self, own == attempts.generation, !isClosed else { return }
            if case .failure(let error) = result { return failed(error) }
            next()
            services.timers.schedule(after: HubWriter.renewalPause) { [weak self] in
                guard let self, own == attempts.generation, !isClosed else { return }
                renewLease(writer) {}
            }
        }
    }

    private func readPlaces(_ writer: HubWriter) {
        let own = attempts.generation
        workers.shipping.run { (database) throws(HubError) in
            try database.contents(of: writer.logId)
        } then: { [weak self] result in
            guard let self, own == attempts.generation, !isClosed else { return }
            switch result {
            case .failure(let error): failed(error)
            case .success(let contents):
                confirmations.connected(contents)
                link = .online
                if deletions.state == .waiting { deleteAtHub() }
                perform(machine.connected(contents))
            }
        }
    }

    /// Deletes at the hub what users have deleted, one part after another. Then calls `next`.
    private func deleteAtHub(then next: @escaping @LoopActor () -> Void = {}) {
        guard let writer, !isClosed else { return }
        guard deletions.begin() else { return next() }
        let own = attempts.generation
        deletions.readPart { [weak self] sids in
            guard let self, own == attempts.generation, !isClosed else { return }
            guard let sids else { return deleteLater(next) }
            if !sids.isEmpty { return delete(sids, of: writer, then: next) }
            deletions.ended()
            if deletions.state == .waiting { return deleteAtHub(then: next) }
            next()
            checkDrained()
        }
    }

    private func delete(_ sids: [Int64], of writer: HubWriter, then next: @escaping @LoopActor () -> Void) {
        let own = attempts.generation
        workers.shipping.run { (database) throws(HubError) in
            try database.delete(sids, of: writer)
        } then: { [weak self] result in
            guard let self, own == attempts.generation, !isClosed else { return }
            switch result {
            case .failure(let error) where error.isRefusedRight:
                DiagnosticLog.daemon.record(.failed(doing: "deleting sessions at the hub", error: "\(error)"))
            case .failure(let error): return failed(error)
            case .success: break
            }
            deletions.forget(sids) { [weak self] isForgotten in
                guard let self, own == attempts.generation, !isClosed else { return }
                guard isForgotten else { return deleteLater(next) }
                deletions.stopped()
                deleteAtHub(then: next)
            }
        }
    }

    /// The log fails at present. Shipping continues, and the deletions are tried again.
    private func deleteLater(_ next: @LoopActor () -> Void) {
        deletions.delayed()
        let own = attempts.generation
        services.timers.schedule(after: .seconds(Self.retryPauses.longest)) { [weak self] in
            guard let self, own == attempts.generation else { return }
            deleteAtHub()
        }
        next()
        checkDrained()
    }

    /// Call after a transaction, or when the hub has everything.
    private func worked() {
        if !attempts.isSuccessReported { DiagnosticLog.daemon.record(.hubConnected(place: settings.address.place)) }
        (attempts.count, attempts.reported, attempts.isSuccessReported) = (0, nil, true)
    }

    private func failed(_ error: HubError) {
        if error == .trimmed { return startAgain() }
        defer { (attempts.reported, attempts.isSuccessReported) = (error, false) }
        if attempts.reported?.isSameOutage(as: error) != true {
            DiagnosticLog.daemon.record(.hubFailed(error: error.description))
        }
        link = .failed
        commands.pause()
        attempts.generation += 1
        deletions.stopped()
        counts.failures += 1
        let faults = machine.faults
        machine.failed(error.shippingFailure)
        for (sid, reason) in machine.faults where faults[sid] == nil {
            DiagnosticLog.daemon.record(.hubRefused(sid: sid, error: reason))
        }
        checkDrained()
        // The log gets its new id when the bridge starts again.
        if error == .forked { return }
        let seconds = min(Self.retryPauses.first << min(attempts.count, 5), Self.retryPauses.longest)
        attempts.count += 1
        services.timers.schedule(after: .seconds(seconds)) { [weak self] in self?.connect() }
    }

    /// Requests a new id for the log. The bridge's sessions are then shipped as those of another log.
    private func forked() {
        do {
            try PrivateFile.replace(renewalPath, with: [])
        } catch {
            DiagnosticLog.daemon.record(.failed(doing: "requesting a new id of the log", error: "\(error)"))
        }
        failed(.forked)
    }

    /// Reads again what the hub has, because `hub retain` has deleted some of it. This is no failure.
    private func startAgain() {
        link = .connecting
        attempts.generation += 1
        deletions.stopped()
        machine.failed(.hub)
        connect()
    }

    // MARK: Actions

    private func perform(_ actions: [ShipperMachine.Action]) {
        if machine.isForked, link == .online { return forked() }
        for action in actions { perform(action) }
        if link == .online, machine.isDone, !attempts.isSuccessReported { worked() }
        checkDrained()
    }

    /// Nil if the log does not have the session. A read that failed in another way can succeed later, unless the session is
    /// damaged.
    private func failed(_ answer: Answer) -> [ShipperMachine.Action]? {
        switch answer {
        case .failed(.unknownSession): nil
        case .failed(let error): error.isDamage ? machine.readIsDamaged() : machine.readFailed()
        default: nil
        }
    }

    private func perform(_ action: ShipperMachine.Action) {
        switch action {
        case .list(let place): list(after: place)
        case .record(let sid):
            read(.incarnation(sid: sid)) { shipper, answer in
                guard case .sessions(let records) = answer else {
                    return shipper.failed(answer) ?? shipper.machine.found(nil, sid: sid)
                }
                return shipper.machine.found(records.first.map(shipper.session), sid: sid)
            }
        case .claims(let sid):
            read(.claims(sid: sid)) { shipper, answer in
                guard case .claims(let claims) = answer else {
                    return shipper.failed(answer) ?? shipper.machine.claimed([], sid: sid)
                }
                return shipper.machine.claimed(claims, sid: sid)
            }
        case .timelines(let starts):
            read(.timelines(starts)) { shipper, answer in
                guard case .timelines(let pages) = answer else {
                    return shipper.failed(answer) ?? shipper.machine.read(starts.map { _ in nil })
                }
                return shipper.machine.read(pages)
            }
        case .lookUp(let sid, let update): lookUp(update, sid)
        case .ship(let batch): ship(batch)
        case .wait(let pause):
            let own = attempts.generation
            services.timers.schedule(after: self.pause(pause)) { [weak self] in
                guard let self, own == attempts.generation else { return }
                perform(machine.due())
            }
        }
    }

    /// Reads the log, and passes the answer on if the connection is still the same.
    private func read(
        _ query: ReadRequest.Query,
        _ handle: @escaping @LoopActor (HubShipper, Answer) -> [ShipperMachine.Action]
    ) {
        let own = attempts.generation
        registry.log.own.read(query) { [weak self] answer in
            guard let self, own == attempts.generation, !isClosed else { return }
            perform(handle(self, answer))
        }
    }

    private func list(after place: ListingPosition?) {
        read(.sessions(liveOnly: false, limit: Self.listLimit, after: place)) { shipper, answer in
            guard case .listing(let listing) = answer else { return shipper.machine.listingFailed(from: place) }
            shipper.confirmations.listed(listing.records, isLast: !listing.hasMore)
            let next = listing.hasMore ? listing.records.last.map { ListingPosition($0) } : nil
            // An import reports its sessions when it is complete.
            let complete = listing.records.filter { !shipper.registry.isImporting($0.sessionId) }
            return shipper.machine.listed(complete.map(shipper.session), next: next)
        }
    }

    private func session(_ record: SessionRecord) -> HubSession {
        HubSession(record, isRunning: registry.known(sid: record.sid)?.isRunning ?? false)
    }

    private func lookUp(_ update: Int64, _ sid: Int64) {
        guard let writer else { return }
        let own = attempts.generation
        workers.shipping.run { (database) throws(HubError) in
            try database.find(update: update, sid: sid, logId: writer.logId)
        } then: { [weak self] result in
            guard let self, own == attempts.generation, !isClosed else { return }
            switch result {
            case .success(let found): perform(machine.lookedUp(found, update: update, sid: sid))
            case .failure(let error): failed(error)
            }
        }
    }

    private func ship(_ batch: HubBatch) {
        guard let writer else { return }
        let own = attempts.generation
        let trimmed = confirmations.trimmed
        workers.shipping.run { (database) throws(HubError) in
            try database.ship(batch, of: writer, trimmed: trimmed)
        } then: { [weak self] result in
            guard let self, own == attempts.generation, !isClosed else { return }
            switch result {
            case .failure(let error): failed(error)
            case .success(let isWatched):
                worked()
                counts.transactions += 1
                counts.updates += batch.rows.reduce(0) { $0 + Int($1.count) }
                counts.lastShipped = services.time.dateMilliseconds
                perform(machine.shipped(isWatched: isWatched || confirmations.readersWait))
                confirmations.shipped(batch.heads)
            }
        }
    }

    // MARK: The end

    /// Ships the rest without pauses, ends the lease, and calls `action`. If the hub cannot be used, calls `action` at
    /// once: the next bridge on this log ships the rest.
    package func drain(then action: @escaping @LoopActor () -> Void) {
        guard case .none = ending else { return }
        commands.end()
        ending = .draining(action)
        sendFacts()
        perform(machine.due())
    }

    /// True after ``drain(then:)`` has called its action.
    package var isDrained: Bool { if case .drained = ending { true } else { false } }

    /// True if nothing more is shipped.
    private var isClosed: Bool {
        switch ending {
        case .none, .draining: false
        case .finishing, .drained, .closed: true
        }
    }

    private func pause(_ duration: Duration) -> Duration { if case .none = ending { duration } else { .zero } }

    private func checkDrained() {
        guard case .draining(let action) = ending,
            link != .online || (machine.isDone && changedFacts.sids.isEmpty && deletions.areSent)
        else { return }
        ending = .finishing
        // The caller is in the middle of other work, so the action is called later.
        guard link == .online, let writer else {
            services.timers.soon { [self] in drained(action) }
            return
        }
        workers.leasing.run { (database) throws(HubError) in
            try database.endLease(writer)
        } then: { [weak self] _ in
            self?.drained(action)
        }
    }

    private func drained(_ action: @LoopActor () -> Void) {
        ending = .drained
        action()
    }

    package func close() {
        if !isDrained { ending = .closed }
        workers.shipping.close()
        workers.leasing.close()
    }

    // MARK: State

    /// The sessions of which the hub does not have everything. Nil if it is not known which ones.
    package var unshippedSids: Set<Int64>? { machine.unshipped.map { $0.union(changedFacts.sids) } }
    package var isConnected: Bool { link == .online }
    /// Called with the sessions of which the hub has more than before.
    package var onShipped: @LoopActor ([Int64: HubHead]) -> Void {
        get { confirmations.onShipped }
        set { confirmations.onShipped = newValue }
    }
    /// Nanoseconds since the last transaction; nil before the first one.
    package var nanosecondsSinceShipment: Int64? {
        counts.lastShipped.map { max(0, services.time.dateMilliseconds - $0) * 1_000_000 }
    }
    package var waitingSessions: Int { machine.waitingCount }
    package var shippedUpdates: Int { counts.updates }
    package var shippedTransactions: Int { counts.transactions }
    package var failureCount: Int { counts.failures }
    package var refusedSessions: Int { machine.faults.count }

    /// Writes the members of `hub` in `bridge:status`.
    package func write(to writer: inout JSONWriter) {
        writer.member("place", settings.address.place)
        writer.member("state", state.rawValue)
        if state == .failed, let error = attempts.reported { writer.member("error", error.description) }
        writer.member("waitingSessions", machine.waitingCount)
        writer.member("refusedSessions", machine.faults.count)
        writer.member("shippedUpdates", counts.updates)
        writer.member("lastShippedTs", ifPresent: counts.lastShipped)
        if link == .online, let hasStandby = confirmations.hasStandby { writer.member("hasStandby", hasStandby) }
        writer.memberObject("commands") { commands.write(to: &$0) }
    }

    package var state: HubShippingState {
        switch link {
        case .connecting: .connecting
        case .online: machine.isDone ? .current : attempts.reported == nil ? .shipping : .failed
        case .failed: .failed
        }
    }
}

/// The state of shipping, by its name in `bridge:status` and in the metrics.
package enum HubShippingState: String, CaseIterable, Sendable {
    case connecting
    /// A backlog exists.
    case shipping
    /// The hub has everything.
    case current
    case failed
}
