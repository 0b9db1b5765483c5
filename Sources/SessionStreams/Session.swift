import EventLoop
import JSONScan
import Posix
import SessionLog
import Tinyvex

/// One ACP session: the data that waits to be stored, the newest frames, and the readers.
///
/// The path of an update: `receive` → the log → `publish` → all readers that are at the end.
@LoopActor package final class Session {
    package let agent: String
    package let id: String
    /// The tenant that owns the session; nil if the bridge itself owns it.
    let tenant: String?
    private var description = SessionDescription()
    package private(set) var lastTime: Int64
    /// The session's place in the log; nil until the log has answered.
    package private(set) var sid: Int64?
    package private(set) var journal = ""
    private var epoch: Int64?
    /// The newest number that is stored and can be sent.
    package private(set) var head: Int64 = 0
    /// The value of `head` when the agent began or resumed the session.
    package private(set) var headAtClaim: Int64 = 0
    /// The value of `headAtClaim` that a program before this one has recorded.
    private var knownHeadAtClaim: Int64?
    /// The newest stored number on the timeline, which counts the timeline's entries as well as the updates.
    package private(set) var timelineHead: Int64 = 0
    package private(set) var end: SessionEnd?
    /// The number of prompts that are being answered.
    package var runningPrompts = 0 { didSet { registry.onChange(self, .facts) } }
    /// Called when less data waits to be stored than before.
    package var drained: @LoopActor () -> Void = {}

    /// Page cache key for this session's updates.
    let pages: LogPages.Owner
    /// Cache key for the chunks that are merged from this session's updates.
    let mergedPages: LogPages.Owner
    private unowned let registry: SessionRegistry
    private var append = AppendMachine()
    /// The limit of the session's data in the log; nil without a limit.
    private var quota: SessionQuota?
    private var tail = Tail()
    private var readers = SessionReaders<Subscription>()
    private var claimMode = ClaimMode.fresh
    /// True if this session had updates before the agent began to repeat them; nil until the log has answered.
    private var hasHistory: Bool?
    /// True while the log stores the session's facts. Facts that change in the meantime are stored next.
    private var isDescribing = false
    private var needsDescribing = false
    private var waits = PublicationWaits()
    /// The timer of the next attempt; set while the log fails.
    private var retry: Timer?
    private var hasToldFailure = false

    /// Creates a session that an agent has just begun or resumed.
    init(agent: String, id: String, tenant: String?, registry: SessionRegistry) {
        self.agent = agent
        self.id = id
        self.tenant = tenant
        self.registry = registry
        pages = registry.pages.newOwner()
        mergedPages = registry.pages.newOwner()
        quota = registry.limits.sessionLogBytes.map { SessionQuota(limitBytes: $0) }
        lastTime = wallClockMilliseconds()
    }

    /// Creates a past session for its readers.
    convenience init(record: SessionRecord, registry: SessionRegistry) {
        self.init(agent: record.agent, id: record.sessionId, tenant: record.tenant, registry: registry)
        sid = record.sid
        journal = record.journal.description
        head = record.head
        timelineHead = record.timelineHead
        description = SessionDescription(record)
        lastTime = record.lastTs
        end = record.exit.flatMap { SessionEnd(storedText: $0) } ?? .interrupted
    }

    /// The state that another program needs to continue the session. The rest is read from the session's place in the
    /// log.
    package struct State: Codable {
        package var id: String
        var sid: Int64
        var description: SessionDescription
        var runningPrompts: Int
        var headAtClaim: Int64
        var hasHistory: Bool?
    }

    /// Nil if the session has ended, or if its place in the log is not known.
    package var state: State? {
        guard isLive, let sid else { return nil }
        return State(
            id: id, sid: sid, description: description, runningPrompts: runningPrompts, headAtClaim: headAtClaim,
            hasHistory: hasHistory)
    }

    convenience init(agent: String, tenant: String?, _ state: State, registry: SessionRegistry) {
        self.init(agent: agent, id: state.id, tenant: tenant, registry: registry)
        description = state.description
        (runningPrompts, hasHistory) = (state.runningPrompts, state.hasHistory)
        knownHeadAtClaim = state.headAtClaim
    }

    isolated deinit { registry.sessionGone(sid, tailBytes: tail.byteCount) }

    package var isLive: Bool { end == nil }
    package var unstoredBytes: Int { append.unstoredBytes }
    /// True if all received data is stored.
    var isSettled: Bool { append.isEmpty && sid != nil && epoch != nil && retry == nil }
    /// True if the session has ended and all of its data is stored.
    package var isComplete: Bool { end != nil && append.isEmpty }

    // MARK: From the agent

    /// Takes one `session/update` line, without its LF. Call `flush` to submit the lines that were taken.
    ///
    /// - Parameter isReplay: the agent repeats its history, which is stored only if the log has none.
    package func receive(_ line: Span<UInt8>, at time: Int64, isReplay: Bool) {
        if isReplay, hasHistory == true { return }
        append.add(line: line, at: time, isReplay: isReplay)
    }

    /// Takes a line with its line feed. The array is kept unchanged.
    package func receive(long line: [UInt8], at time: Int64, isReplay: Bool) {
        if isReplay, hasHistory == true { return }
        append.add(long: line, at: time, isReplay: isReplay)
    }

    /// Call when the agent is about to repeat the history of a session that it already has open.
    package func replayBegins() {
        if head > 0 || append.holdsLines { hasHistory = true }
    }

    /// Adds an entry to the timeline that ACP does not send to an observer. If the body is over the limit, only its
    /// size is kept.
    package func note(_ kind: TimelineKind, _ body: [UInt8]) {
        let kept =
            body.count <= Self.entryLimitBytes ? body : JSONWriter.object { $0.member("omittedBytes", body.count) }
        append.add(entry: kind.rawValue, body: kept, at: wallClockMilliseconds())
        flush()
        if kind == .permissionRequest || kind == .permissionAnswer { registry.onChange(self, .permissions) }
    }

    /// 1 MiB: enough for a prompt's text, but not for the prompt's images, which can be hundreds.
    private static let entryLimitBytes = 1 << 20

    /// - Parameter title: the agent's own title; the empty string removes it.
    package func describe(title: String? = nil, cwd: String? = nil) {
        description.describe(title: title, cwd: cwd)
        writeFacts()
    }

    /// Records the first prompt; later prompts are ignored.
    package func prompted(_ text: String) {
        if description.prompted(text) { writeFacts() }
    }

    package var title: String? { description.title }
    package var cwd: String? { description.cwd }

    package func end(_ end: SessionEnd) {
        guard self.end == nil else { return }
        self.end = end
        finishEnding()
    }

    /// Call when the session has ended with its agent. An agent can have thousands of sessions, so nothing is submitted
    /// before `finishEnding`.
    ///
    /// - Parameter exit: the body of the timeline's last entry.
    package func endedWithAgent(_ end: SessionEnd, _ exit: [UInt8]) {
        append.add(entry: TimelineKind.agentExit.rawValue, body: exit, at: wallClockMilliseconds())
        self.end = end
    }

    func finishEnding() {
        flush()
        finishIfComplete()
    }

    /// Call when an agent resumes a session that has ended but is not completely stored. The data that waits from
    /// before is stored first.
    func revive() {
        end = nil
        runningPrompts = 0
        hasHistory = head > 0 || append.holdsLines ? true : nil
        retry?.cancel()
        retry = nil
        epoch = nil
        for reader in readers.all { reader.sessionRevived() }
        claim(sid.map { .again(sid: $0) } ?? .continueLatest)
    }

    // MARK: Storing

    func claim(_ mode: ClaimMode) {
        claimMode = mode
        registry.log.write(.claim(agent: agent, sessionId: id, mode: mode, facts: facts)) { [self] outcome in
            switch outcome {
            case .claimed(let lease): claimed(lease)
            case .failed(let error): appendFailed(error)
            default: break
            }
        }
    }

    private func claimed(_ lease: Lease) {
        sid = lease.sid
        epoch = lease.epoch
        journal = lease.journal.description
        head = lease.head
        headAtClaim = knownHeadAtClaim.take() ?? lease.head
        timelineHead = lease.timelineHead
        append.claimed(head: lease.head)
        hasHistory = hasHistory ?? (lease.head > 0)
        if lease.head > 0, quota?.knowsPast == false { askForSizes(lease.sid) }
        if hasHistory == true { append.discardReplay() }
        tellPlacesBehindSettled()
        succeeded()
        registry.claimed(self)
        for reader in readers.atEnd { reader.catchUp() }
        writeFacts()
        flush()
        finishIfComplete()
    }

    /// Submits the data that waits. If an append is in flight, the answer to it submits the data instead.
    package func flush() {
        guard let sid, let epoch, retry == nil else { return }
        let limit = registry.logUse.isShared ? AppendMachine.sharedAppendLimitBytes : AppendMachine.appendLimitBytes
        guard case .append(let after, let items) = append.next(limitBytes: limit) else { return }
        registry.logUse.appended(by: sid)
        registry.log.write(.append(sid: sid, epoch: epoch, after: after, items: items)) { [self] outcome in
            switch outcome {
            case .appended(let head, let timelineHead): stored(head: head, timelineHead: timelineHead)
            case .failed(let error): appendFailed(error)
            default: break
            }
        }
    }

    private func stored(head newHead: Int64, timelineHead newTimelineHead: Int64) {
        tellPlacesInFlight()
        let first = head + 1
        let items = append.stored(head: newHead)
        head = newHead
        timelineHead = newTimelineHead
        lastTime = wallClockMilliseconds()
        succeeded()
        if let last = quota?.stored(items, head: newHead) { trim(through: last) }
        publish(items, from: first)
        tellPublished()
        registry.onChange(self, .progress)
        flush()
        drained()
        finishIfComplete()
    }

    private func publish(_ items: [LogItem], from first: Int64) {
        for chunk in frame(items, from: first) {
            // Send one chunk to all readers before the next chunk: the chunk is then in the processor's cache.
            for reader in readers.atEnd where reader.stream == .updates { reader.deliver(chunk) }
        }
        let mustCatchUp = items.contains(where: \.isTooLongForTail)
        for reader in readers.atEnd where mustCatchUp || reader.stream == .timeline { reader.catchUp() }
    }

    private func frame(_ items: [LogItem], from first: Int64) -> [FrameChunk] {
        let now = Instant.now
        var number = first
        var chunks: [FrameChunk] = []
        for case .run(let lines, let count, _) in items {
            defer { number += Int64(count) }
            // Readers get a run this long from the log, so that only they pay for it.
            guard lines.count <= Tail.limitBytes else {
                tail.passOver(lines.count)
                continue
            }
            let chunk = FrameChunk(lines: lines, count: count, first: number)
            chunk.place = (now, tail.endOffset)
            registry.tailBudget.appended(chunk.first, to: self, growth: tail.append(chunk))
            chunks.append(chunk)
        }
        return chunks
    }

    // MARK: Size limit

    private func askForSizes(_ sid: Int64) {
        guard let quota else { return }
        registry.log.read(.sizes(sid: sid, partBytes: quota.partBytes)) { [self] answer in
            guard case .sizes(let parts) = answer, let last = self.quota?.found(parts) else { return }
            trim(through: last)
        }
    }

    /// Deletes the updates through `last` from the log. Readers that have not reached this number are notified with the
    /// next page that they read.
    private func trim(through last: Int64) {
        guard let sid else { return }
        registry.log.write(.trim(sid: sid, upTo: last)) { _ in }
    }

    private func finishIfComplete() {
        guard isComplete, sid != nil else { return }
        writeFacts()
        for reader in readers.atEnd { reader.tellEnd() }
        registry.completed(self)
    }

    private func writeFacts() {
        guard let sid else { return }
        needsDescribing = isDescribing
        guard !isDescribing else { return }
        isDescribing = true
        registry.log.write(.describe(sid: sid, facts: facts)) { [self] _ in
            isDescribing = false
            registry.onChange(self, .facts)
            if needsDescribing { writeFacts() }
        }
    }

    private var facts: SessionFacts { description.facts(tenant: tenant, end: end, lastTime: lastTime) }

    // MARK: Log failures

    private static let retryDelay = Duration.milliseconds(500)

    private func succeeded() {
        hasToldFailure = false
        registry.noteLogWritten()
    }

    /// Handles a failed append. The editor's session continues. No data is sent as if it were stored. Data that fits in
    /// memory is submitted again.
    private func appendFailed(_ error: LogError) {
        switch error {
        case .fenced: return lostLife(error)
        case .gap(let head): return recount(head)
        default: append.failed()
        }
        registry.noteLogFailure(error)
        tellFailure(error)
        if append.unstoredBytes > registry.limits.unstoredBytes { giveUp() }
        guard retry == nil else { return }
        retry = EventLoop.main.schedule(after: Self.retryDelay) { [self] in
            retry = nil
            if epoch == nil { claim(claimMode) } else { flush() }
        }
    }

    // MARK: Actions that must follow updates

    /// The position after all updates received so far, in bytes.
    package var receivedBytes: Int { append.addedBytes }

    /// Returns true if everything received up to `mark` is stored and being sent. Also returns true while the log
    /// cannot be written, so that no client waits for the log.
    package func hasPublished(through mark: Int) -> Bool { append.settledBytes >= mark || hasToldFailure }

    package func whenPublished(through mark: Int, _ action: @escaping @LoopActor () -> Void) {
        waits.add(through: mark, action)
    }

    /// Calls `action` with the number of the newest update received so far. The call comes when that number is known,
    /// and before a later update is sent.
    package func place(_ action: @escaping @LoopActor (Int64) -> Void) {
        if epoch != nil, append.settledLines == append.addedLines { return action(head) }
        waits.add(behindLine: append.addedLines, action)
    }

    private func tellPlacesInFlight() {
        tellPlaces { append.numberInFlight(ofLine: $0) }
    }

    /// Calls each waiting action if the updates before it are stored or were discarded.
    private func tellPlacesBehindSettled() {
        tellPlaces { $0 <= append.settledLines ? head : nil }
    }

    private func tellPlaces(_ number: (Int) -> Int64?) {
        for waiter in waits.takePlaced(number) { waiter.action(waiter.number) }
    }

    private func tellPublished() {
        for action in waits.takePublished({ hasPublished(through: $0) }) { action() }
    }

    private func tellFailure(_ error: LogError) {
        guard !hasToldFailure else { return }
        hasToldFailure = true
        tellPublished()
        for reader in readers.all { reader.tellFailure(error) }
    }

    /// Handles a log head other than the expected one. The log may have stored an append that it reported as failed.
    private func recount(_ logHead: Int64) {
        epoch = nil
        if append.headIfStored == logHead {
            tellPlacesInFlight()
            let first = head + 1
            head = logHead
            publish(append.stored(head: logHead), from: first)
        } else {
            append.failed()
        }
        claim(sid.map { .again(sid: $0) } ?? claimMode)
    }

    /// Handles the loss of the session to another writer. The data that this writer has not stored is discarded.
    private func lostLife(_ error: LogError) {
        append.failed()
        tellFailure(error)
        giveUp()
        end(.interrupted)
    }

    /// Discards the waiting data and lets the agent continue: its editor must not wait for a log that cannot be
    /// written.
    private func giveUp() {
        registry.noteUnstored(lines: append.discardWaiting())
        tellPlacesBehindSettled()
        drained()
    }

    // MARK: Readers

    func add(_ reader: Subscription) { readers.add(reader) }

    func remove(_ reader: Subscription) { readers.remove(reader) }

    /// Call after the session was deleted from the log. Each reader is notified and removed.
    package func deleted() {
        for reader in readers.all { reader.sessionDeleted() }
    }

    /// Takes over the readers of the object that represented this session while it was a past session.
    func adoptReaders(of past: Session) {
        for reader in past.readers.takeAll() where !reader.isClosed {
            readers.add(reader)
            reader.moved(to: self)
        }
    }

    func reachedEnd(_ reader: Subscription) {
        readers.reachedEnd(reader)
        if isComplete { reader.tellEnd() }
    }

    func leftEnd(_ reader: Subscription) { readers.leftEnd(reader) }

    /// The position at which the newest frames end, counted in bytes over the session's whole time in memory; the size
    /// of these frames; and the time when the oldest of them were stored.
    var tailExtent: (end: Int, byteCount: Int, oldest: Instant?) {
        (tail.endOffset, tail.byteCount, tail.oldest?.place?.storedAt)
    }

    func tailChunk(holding number: Int64) -> FrameChunk? { tail.chunk(holding: number) }

    func dropOldestOfTail() -> Int? { tail.dropOldest() }
}

extension LogItem {
    fileprivate var isTooLongForTail: Bool { lineCount > 0 && byteCount > Tail.limitBytes }
}

extension Session: TailOwner, IdentifiedSession {}
