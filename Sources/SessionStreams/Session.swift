import ACPRouting
import Access
import EventLoop
import JSONScan
import Posix
import SessionLog
import SessionRecords
import Tinyvex

/// One ACP session: the newest frames, the readers, and the machine that decides on each request to the log.
///
/// The path of an update: `receive` → the log → `publish` → all readers that are at the end. This class performs the
/// actions of ``SessionMachine`` in their order.
@LoopActor package final class Session {
    package let agent: String
    package let id: String
    /// The tenant that owns the session; nil if the bridge itself owns it.
    package let tenant: String?
    /// The number of sessions that agents had begun or resumed before this one in this process. It does not change while
    /// the session is live, so a list that is read in pages can be ordered by it.
    package internal(set) var ordinal: Int64 = 0
    /// The round in which the watched values that depend on the session were marked. For the functions alone.
    package var notedRound = -1
    /// Called when less data waits to be stored than before.
    package var drained: @LoopActor () -> Void = {}

    private unowned let registry: SessionRegistry
    private let services: LoopServices
    /// Used for each line. Its functions call nothing outside of it, so two uses cannot overlap, and the check at run
    /// time, which takes longer than the rest of the call, is left out.
    @exclusivity(unchecked) private var machine: SessionMachine
    private var description = SessionDescription()
    let frames: SessionFrames
    private var work = Work()
    /// As `machine`.
    @exclusivity(unchecked) private var readers = SessionReaders<Subscription>()
    /// As `machine`. The closures that are passed to its functions use only `machine`.
    @exclusivity(unchecked) private var publication = SessionPublication()
    /// As `machine`.
    @exclusivity(unchecked) private var appending = Appending()

    private struct Work {
        var runningPrompts = 0
        var activity = AgentActivity()
    }

    private struct Appending {
        var times = AppendTimes()
        /// The timer of the next attempt; set while the log fails.
        var retry: Timer?
    }

    private static let retryDelay = Duration.milliseconds(500)

    /// Creates a session that an agent has just begun or resumed.
    init(agent: String, id: String, tenant: String?, registry: SessionRegistry) {
        self.agent = agent
        self.id = id
        self.tenant = tenant
        self.registry = registry
        services = registry.services
        frames = SessionFrames(registry.frames)
        publication.hubWait = registry.confirmed.map(HubWait.init)
        machine = SessionMachine(
            unstoredLimitBytes: registry.limits.unstoredBytes, quotaBytes: registry.limits.sessionLogBytes,
            at: registry.services.time.dateMilliseconds)
    }

    /// Creates a past session for its readers.
    convenience init(record: SessionRecord, registry: SessionRegistry) {
        self.init(agent: record.agent, id: record.sessionId, tenant: record.tenant, registry: registry)
        description = SessionDescription(record)
        machine.restore(record)
    }

    /// The state that another program needs to continue the session. The rest is read from the session's place in the
    /// log. The names of the properties are the names in the hand-over's JSON, so they must not change.
    package struct State: Codable {
        package var id: String
        var sid: Int64
        var description: SessionDescription
        var runningPrompts: Int
        var headAtClaim: Int64
        var hasHistory: Bool?
        var lastTime: Int64?
    }

    /// Nil if the session has ended, or if its place in the log is not known.
    package var state: State? {
        guard isLive, let sid else { return nil }
        return State(
            id: id, sid: sid, description: description, runningPrompts: runningPrompts, headAtClaim: headAtClaim,
            hasHistory: machine.hasHistory, lastTime: lastTime)
    }

    convenience init(agent: String, tenant: String?, _ state: State, registry: SessionRegistry) {
        self.init(agent: agent, id: state.id, tenant: tenant, registry: registry)
        description = state.description
        runningPrompts = state.runningPrompts
        machine.inherit(headAtClaim: state.headAtClaim, hasHistory: state.hasHistory, lastTime: state.lastTime)
    }

    isolated deinit {
        // The budget can hold the tail for longer than the session exists.
        frames.dropNewest()
        registry.sessionGone(machine.sid)
    }

    /// The session's place in the log; nil until the log has answered.
    package var sid: Int64? { machine.sid }
    /// False if the identity's token opens another session only.
    package func isOpen(to identity: Identity) -> Bool {
        guard let shared = identity.session else { return true }
        return shared.agent == agent && shared.sessionId == id && Journal.nameSameIncarnation(shared.journal, journal)
    }
    /// The bridge that has the session. Nil for a session of this bridge.
    package var home: SessionHome? { machine.home }
    package var journal: String { machine.journal }
    /// The number of the newest claim; 0 until the log has answered.
    package var epoch: Int64 { machine.epoch }
    /// The newest number that is stored and can be sent.
    package var head: Int64 {
        let stored = publication.firstHeld.map { $0 - 1 } ?? machine.head
        return confirmed.map { min(stored, $0.seq) } ?? stored
    }
    /// The newest number on the timeline that is stored and can be sent.
    package var timelineEnd: Int64 { confirmed.map { min(machine.timelineHead, $0.n) } ?? machine.timelineHead }
    /// The position beyond which nothing can be sent, because the hub does not have it. Nil if readers do not wait for a
    /// hub.
    private var confirmed: ConfirmedPositions.Position? {
        home == nil ? publication.hubWait?.reach(of: sid) : nil
    }
    /// True if readers wait for a hub, also if it has everything.
    package var waitsForHub: Bool { publication.hubWait != nil && home == nil }
    private var isConfirmed: Bool { confirmed.map { $0.seq >= machine.head && $0.n >= machine.timelineHead } ?? true }
    /// The value of `head` when the agent began or resumed the session.
    package var headAtClaim: Int64 { machine.headAtClaim }
    /// The newest stored number on the timeline, which counts the timeline's entries as well as the updates.
    package var timelineHead: Int64 { machine.timelineHead }
    /// Milliseconds since 1970.
    package var lastTime: Int64 { machine.lastTime }
    package var end: SessionEnd? { machine.end }
    package var isLive: Bool { machine.isLive }
    package var unstoredBytes: Int { machine.unstoredBytes }
    /// True if all received data is stored.
    var isSettled: Bool { machine.isSettled }
    /// True if the session has ended and all of its data is stored.
    package var isComplete: Bool { machine.isComplete }
    package var title: String? { description.title }
    package var cwd: String? { description.cwd }
    /// The id of the parent session. Nil for a session without a parent.
    package var parentId: String? { description.parentId }
    /// The usage as the agent has reported it. Nil if it has reported none.
    package var usage: UsageReport? { description.usage }

    // MARK: The agent's work

    /// The number of prompts that are being answered.
    package var runningPrompts: Int {
        get { work.runningPrompts }
        set {
            work.runningPrompts = newValue
            registry.onChange(self, .facts)
        }
    }

    /// The work that the agent has reported for the session. Not part of the hand-over's state: the router has it.
    package var activity: AgentActivity {
        get { work.activity }
        set {
            guard newValue != work.activity else { return }
            work.activity = newValue
            registry.onChange(self, .facts)
        }
    }

    /// True while a prompt is not answered or a turn runs.
    package var isRunning: Bool { work.runningPrompts > 0 || work.activity.isInTurn }

    // MARK: From the agent

    /// Takes one `session/update` line, without its LF. Call `flush` to submit the lines that were taken.
    ///
    /// - Parameter isReplay: the agent repeats its history. The line is stored only if the log does not have it.
    package func receive(_ line: Span<UInt8>, at time: Int64, isReplay: Bool) {
        appending.times.received()
        machine.receive(line, at: time, isReplay: isReplay)
    }

    /// Takes a line with its line feed. The array is kept unchanged.
    package func receive(long line: [UInt8], at time: Int64, isReplay: Bool) {
        appending.times.received()
        machine.receive(long: line, at: time, isReplay: isReplay)
    }

    /// Call when the agent is about to repeat the session's history.
    ///
    /// - Parameter isNewlyOpened: the agent did not have the session open, so it can have nothing new to write.
    package func replayBegins(isNewlyOpened: Bool = false) {
        perform(machine.replayBegins(isNewlyOpened: isNewlyOpened))
    }

    /// Call when the agent has repeated the history.
    package func replayEnds() { perform(machine.replayEnds()) }

    /// Adds an entry to the timeline that ACP does not send to an observer. If the body is over the limit, only its
    /// size is kept.
    package func note(_ kind: TimelineEntryKind, _ body: [UInt8]) {
        let kept =
            body.count <= Self.entryLimitBytes ? body : JSONWriter.object { $0.member("omittedBytes", body.count) }
        appending.times.received()
        machine.receive(entry: kind, kept, at: services.time.dateMilliseconds)
        description.noted(kind, kept)
        flush()
        if kind == .turnEnd, description.takeUsageChange() { perform(machine.factsChanged()) }
        if kind.isOfPendingRequest { registry.onChange(self, .permissions) }
        registry.onChange(self, .entry(kind, body))
    }

    /// 1 MiB: enough for a prompt's text, but not for the prompt's images, which can be hundreds.
    package static let entryLimitBytes = 1 << 20

    /// - Parameter title: the agent's own title; the empty string removes it.
    package func describe(title: String? = nil, cwd: String? = nil) {
        description.describe(title: title, cwd: cwd)
        perform(machine.factsChanged())
    }

    /// - Parameter parentId: The id of the parent session.
    package func describe(parentId: String) {
        description.describe(parentId: parentId)
        perform(machine.factsChanged())
    }

    /// The log gets the usage at the end of the turn, or of the session.
    package func describe(usage update: UsageUpdate) { description.describe(usage: update) }

    /// - Parameter outcome: The agent's report of the end of a turn that is no answer to a prompt: ACP version 2.
    package func describe(workEnd outcome: [UInt8]) {
        description.turnEnded(outcome)
        if description.takeUsageChange() { perform(machine.factsChanged()) }
        registry.onChange(self, .workEnded(outcome))
    }

    /// Records the first prompt; later prompts are ignored.
    package func prompted(_ text: String) {
        if description.prompted(text) { perform(machine.factsChanged()) }
    }

    // MARK: From another bridge

    /// Takes over what the hub has of a session of another bridge.
    ///
    /// - Parameters:
    ///   - lost: the first update of a later epoch. If readers can have updates from this number on under the earlier
    ///     epoch, they are disconnected: they resume by their journal.
    ///   - page: updates that readers at the end do not have, if they were read already.
    package func follow(_ record: SessionRecord, takenBackFrom lost: Int64?, updates page: UpdatePage? = nil) {
        guard home != nil, record.home != nil else { return }
        let earlier = (head: head, timelineHead: timelineHead, isComplete: isComplete)
        description = SessionDescription(record)
        machine.restore(record)
        if let lost, lost <= earlier.head {
            frames.dropNewest()
            registry.frames.pages.forget(frames.pages)
            for reader in readers.all { reader.historyChanged() }
            return
        }
        // A hub that was restored stores the same updates again.
        if head < earlier.head { frames.dropNewest() }
        if earlier.isComplete, !isComplete { for reader in readers.all { reader.sessionRevived() } }
        guard earlier != (head, timelineHead, isComplete) else { return }
        let hasAll = deliver(page, after: earlier.head) && isComplete == earlier.isComplete
        for reader in readers.atEnd where !hasAll || reader.stream == .timeline { reader.catchUp() }
    }

    /// Delivers the page to the readers at the end. Returns true if they have all updates then.
    private func deliver(_ page: UpdatePage?, after earlier: Int64) -> Bool {
        guard let page, page.first == earlier + 1, page.last <= head, page.lines.count <= Tail.limitBytes,
            SessionUpdateLines.count(page.lines, of: id) == page.count
        else { return head == earlier }
        for chunk in frame([.run(lines: page.lines, count: page.count, ts: lastTime)], from: page.first) {
            for reader in readers.atEnd where reader.stream == .updates { reader.deliver(chunk) }
        }
        return page.last == head
    }

    /// True if a reader of updates has all of them. It gets new ones from memory.
    package var hasReadersAtEnd: Bool { readers.atEnd.contains { $0.stream == .updates } }

    /// Notes whether the bridge of the session can be reached.
    package func show(_ home: SessionHome) { machine.show(home) }

    // MARK: The end

    package func end(_ end: SessionEnd) { perform(machine.ended(end)) }

    /// Call when the session has ended with its agent. An agent can have thousands of sessions, so nothing is submitted
    /// before `finishEnding`.
    ///
    /// - Parameter exit: the body of the timeline's last entry.
    package func endedWithAgent(_ end: SessionEnd, _ exit: [UInt8]) {
        machine.endedWithAgent(end, exit: exit, at: services.time.dateMilliseconds)
        registry.onChange(self, .entry(.agentExit, exit))
    }

    func finishEnding() { perform([.submit, .complete]) }

    /// Call when an agent resumes a session that has ended but is not completely stored. The data that waits from
    /// before is stored first.
    func revive() {
        let actions = machine.revived()
        runningPrompts = 0
        activity = AgentActivity()
        for reader in readers.all { reader.sessionRevived() }
        perform(actions)
    }

    // MARK: Requests to the log

    func claim(_ mode: ClaimMode) { perform(machine.claim(mode)) }

    /// Submits the data that waits. If an append is in flight, the answer to it submits the data instead.
    package func flush() {
        appending.times.flushed(at: services.time.now)
        let registry = registry
        let limit =
            registry.logState.use.isShared ? AppendMachine.sharedAppendLimitBytes : AppendMachine.appendLimitBytes
        perform(machine.submit(limitBytes: limit))
    }

    private func perform(_ actions: [SessionMachine.Action]) {
        for action in actions {
            switch action {
            case .request(let request): perform(request)
            case .notify(let notice): notify(notice)
            case .publish(let items, let first): publish(items, from: first)
            case .scheduleRetry: scheduleRetry()
            case .cancelRetry: appending.retry.take()?.cancel()
            case .submit: flush()
            case .complete: perform(machine.completeIfDone())
            }
        }
    }

    private func perform(_ request: SessionMachine.Request) {
        // Each use of an unowned reference is checked, so it is read once.
        let registry = registry
        let log = registry.log
        switch request {
        case .claim(let mode):
            var facts = facts
            // The log's usage has that of earlier runs, which the answer brings.
            if case .continueLatest = mode { facts.usage = nil }
            log.write(.claim(agent: agent, sessionId: id, mode: mode, facts: facts)) { [self] in answered($0) }
        case .append(let sid, let epoch, let after, let items):
            registry.logState.use.appended(by: sid)
            var byteCount = 0
            for item in items { byteCount += item.byteCount }
            appending.times.submitted(isAll: byteCount == machine.unstoredBytes, at: services.time.now)
            log.write(.append(sid: sid, epoch: epoch, after: after, items: items)) { [self] in answered($0) }
        case .describe(let sid):
            log.write(.describe(sid: sid, facts: facts)) { [self] answer in
                let error: LogError? = if case .failed(let error) = answer { error } else { nil }
                perform(machine.described(error))
            }
        case .sizes(let sid, let partBytes):
            log.read(.sizes(sid: sid, partBytes: partBytes)) { [self] answer in
                if case .sizes(let parts) = answer { perform(machine.foundSizes(parts)) }
            }
        case .history(let sid, let number):
            log.read(.timeline(sid: sid, after: number)) { [self] answer in
                guard case .timeline(let page) = answer else {
                    return perform(machine.foundHistory(nil, isAtEnd: true))
                }
                perform(machine.foundHistory(page.items, isAtEnd: page.isAtEnd))
            }
        case .trim(let sid, let last): log.write(.trim(sid: sid, upTo: last)) { _ in }
        }
    }

    /// Handles the answer to a claim or an append.
    private func answered(_ answer: Answer) {
        switch answer {
        case .claimed(let lease):
            if let usage = lease.usage { description.resumed(usage: usage) }
            perform(machine.claimed(lease))
        case .appended(let head, let timelineHead):
            if let latency = appending.times.stored(at: services.time.now) { registry.observe(append: latency) }
            notifyPlaces { machine.number(ofLine: $0, ifStoredThrough: head) }
            perform(machine.appended(head: head, timelineHead: timelineHead))
        case .failed(let error):
            if case .gap(let head) = error { notifyPlaces { machine.number(ofLine: $0, ifStoredThrough: head) } }
            perform(machine.failed(error))
        default: break
        }
    }

    private func scheduleRetry() {
        appending.retry = services.timers.schedule(after: Self.retryDelay) { [self] in
            appending.retry = nil
            perform(machine.retryDue())
        }
    }

    private var facts: SessionFacts { description.facts(tenant: tenant, end: end, lastTime: lastTime) }

    private func notify(_ notice: SessionMachine.Notice) {
        switch notice {
        case .claimed:
            registry.claimed(self)
            for reader in readers.atEnd { reader.catchUp() }
        case .logWritten: registry.noteLogWritten()
        case .logFailed(let error): registry.noteLogFailure(error)
        case .failing(let error):
            notifyPublished()
            for reader in readers.all { reader.notifyFailure(error) }
        case .settled:
            notifyPlaces { machine.settledNumber(ofLine: $0) }
            notifyPublished()
        case .drained: drained()
        case .discarded(let lines):
            appending.times = AppendTimes()
            registry.noteUnstored(lines: lines)
        case .described: registry.onChange(self, .facts)
        case .completed:
            publishHeld()
            if isConfirmed { for reader in readers.atEnd { reader.notifyEnd() } }
            registry.completed(self)
        }
    }

    // MARK: Publication

    private func publish(_ items: [LogItem], from first: Int64) {
        if waitsForHub { return store(items, from: first) }
        if publication.holdBack(items, from: first) { return }
        if publication.firstHeld != nil { return publishHeld() }
        send(items, from: first)
        guard let pause = SessionPublication.pause(afterServing: readers.count) else { return }
        publication.begin(services.timers.schedule(after: pause) { [weak self] in self?.publishHeld() })
    }

    private func publishHeld() {
        guard let (items, first) = publication.endPause() else { return }
        publish(items, from: first)
    }

    private func send(_ items: [LogItem], from first: Int64) {
        let registry = registry
        for chunk in frame(items, from: first) {
            // Send one chunk to all readers before the next chunk: the chunk is then in the processor's cache.
            for reader in readers.atEnd where reader.stream == .updates { reader.deliver(chunk) }
        }
        let mustCatchUp = items.contains(where: \.isTooLongForTail)
        for reader in readers.atEnd where mustCatchUp || reader.stream == .timeline { reader.catchUp() }
        notePublished(in: registry)
        notifyPublished()
        registry.onChange(self, .progress)
    }

    // MARK: Waiting for a hub

    /// Keeps the updates in memory for the readers, which continue when the hub has them.
    private func store(_ items: [LogItem], from first: Int64) {
        publication.hubWait?.stored(through: machine.timelineHead, bytes: machine.settledBytes)
        _ = frame(items, from: first)
        _ = appending.times.published(at: services.time.now)
        registry.onChange(self, .progress)
    }

    /// The bytes received of which the hub has everything. No limit if readers do not wait for more.
    private var confirmedBytes: Int { isConfirmed ? .max : publication.hubWait?.confirmedBytes ?? .max }

    /// Call after the hub has stored more of the session.
    package func confirm() {
        guard waitsForHub else { return }
        let end = timelineEnd
        publication.hubWait?.confirmed(through: end)
        notifyPublished()
        for reader in readers.atEnd { reader.catchUp() }
    }

    /// Observes the latency of the delivery. Without a reader at the end, nothing was delivered.
    private func notePublished(in registry: SessionRegistry) {
        guard let latency = appending.times.published(at: services.time.now), !readers.atEnd.isEmpty else { return }
        registry.observe(delivery: latency)
    }

    /// See ``SessionReaders/beginPiece()``.
    func beginPiece() -> Int { readers.beginPiece() }

    func served(_ reader: Subscription) {
        if reader.takesReferences { readers.served(reader) }
    }

    private func frame(_ items: [LogItem], from first: Int64) -> [FrameChunk] {
        frames.add(items, from: first, at: services.time.now) { beginPiece() }
    }

    // MARK: Actions that must follow updates

    /// The position after all updates received so far, in bytes.
    package var receivedBytes: Int { machine.receivedBytes }

    /// Returns true if everything received up to `mark` is stored and being sent. Also returns true while the log
    /// cannot be written, so that no client waits for the log.
    package func hasPublished(through mark: Int) -> Bool {
        publication.firstHeld == nil && machine.hasPublished(through: mark) && mark <= confirmedBytes
    }

    /// Calls `action` when everything received up to `mark` is stored and being sent, at once if it is.
    package func whenPublished(through mark: Int, _ action: @escaping @LoopActor () -> Void) {
        guard !hasPublished(through: mark) else { return action() }
        publication.waits.add(through: mark, action)
    }

    /// Calls `action` with the number of the newest update received so far. The call comes when that number is known,
    /// and before a later update is sent.
    package func place(_ action: @escaping @LoopActor (Int64) -> Void) {
        if let number = machine.newestNumber { return action(number) }
        publication.waits.add(behindLine: machine.receivedLines, action)
    }

    private func notifyPlaces(_ number: (Int) -> Int64?) {
        for waiter in publication.waits.takePlaced(number) { waiter.action(waiter.number) }
    }

    private func notifyPublished() {
        guard publication.firstHeld == nil, publication.waits.areForPublication else { return }
        // Read before the waits change, because both are parts of one value.
        let confirmedBytes = confirmedBytes
        let actions = publication.waits.takePublished {
            machine.hasPublished(through: $0) && $0 <= confirmedBytes
        }
        for action in actions { action() }
    }

    // MARK: Readers

    func add(_ reader: Subscription) {
        readers.add(reader)
        served(reader)
        if machine.isFailureKnown, let error = registry.logHealth.failure { reader.notifyFailure(error) }
    }

    func remove(_ reader: Subscription) { readers.remove(reader) }

    /// Call after the session was deleted from the log. Each reader is notified and removed.
    package func deleted() {
        for reader in readers.all { reader.sessionDeleted() }
    }

    /// Takes over the readers of the object that represented this session while it was a past session.
    func adoptReaders(of past: Session) {
        for reader in past.readers.removeAll() where !reader.isClosed {
            readers.add(reader)
            reader.moved(to: self)
        }
    }

    func reachedEnd(_ reader: Subscription) {
        readers.reachedEnd(reader)
        if isComplete, isConfirmed { reader.notifyEnd() }
    }

    func leftEnd(_ reader: Subscription) { readers.leftEnd(reader) }
}

extension LogItem {
    fileprivate var isTooLongForTail: Bool { lineCount > 0 && byteCount > Tail.limitBytes }
}

extension Session: IdentifiedSession {}
