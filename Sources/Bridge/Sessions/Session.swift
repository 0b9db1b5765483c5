import EventLoop
import JSONScan
import SessionLog
import Tinyvex

/// One ACP session: what waits to be stored, the newest frames, and who reads it.
///
/// The way of an update: `receive` → the log → `publish` → everyone who stands at the end.
@LoopActor final class Session {
    let agent: String
    let id: String
    /// Whose it is; nil for the bridge's own.
    let tenant: String?
    private var description = SessionDescription()
    private(set) var lastTime: Int64
    /// Its place in the log; nil until the log has answered.
    private(set) var sid: Int64?
    private(set) var journal = ""
    private var epoch: Int64?
    /// The newest number that is stored and may be sent.
    private(set) var head: Int64 = 0
    /// What it was when its agent began, or went on with it.
    private(set) var headAtClaim: Int64 = 0
    /// The same, where another program has seen it.
    private var knownHeadAtClaim: Int64?
    /// The same, counting the timeline's entries too.
    private(set) var timelineHead: Int64 = 0
    private(set) var end: SessionEnd?
    /// Prompts that are being answered.
    var runningPrompts = 0 { didSet { registry.onChange(self, .facts) } }
    /// Called when less waits to be stored than before.
    var drained: @LoopActor () -> Void = {}

    /// Under what its readers find its pages.
    let pages: LogPages.Owner
    /// And the chunks that were merged of its updates.
    let mergedPages: LogPages.Owner
    private unowned let registry: SessionRegistry
    private var append = AppendMachine()
    /// Nil without a limit.
    private var quota: SessionQuota?
    private var tail = Tail()
    private var readers = SessionReaders()
    private var claimMode = ClaimMode.fresh
    /// Whether there were updates of this session before the agent began to repeat them; nil while the log has not
    /// answered yet.
    private var hasHistory: Bool?
    /// The log is being told the facts; what changes meanwhile is told next.
    private var isDescribing = false
    private var needsDescribing = false
    private var waits = PublicationWaits()
    /// Set while the log fails: when to try again.
    private var retry: Timer?
    private var hasToldFailure = false

    /// A session that an agent has just begun, or goes on with.
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

    /// A session of the past, to be read.
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

    /// To go on in another program. Its place in the log tells the rest.
    struct State: Codable {
        var id: String
        var sid: Int64
        var description: SessionDescription
        var runningPrompts: Int
        var headAtClaim: Int64
        var hasHistory: Bool?
    }

    /// Nil where it has ended.
    var state: State? {
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

    var isLive: Bool { end == nil }
    var unstoredBytes: Int { append.unstoredBytes }
    /// All that was received is stored.
    var isSettled: Bool { append.isEmpty && sid != nil && epoch != nil && retry == nil }
    /// It has ended, and all of it is stored.
    var isComplete: Bool { end != nil && append.isEmpty }

    // MARK: From the agent

    /// Takes one `session/update` line, without its LF. `flush` submits what was taken.
    ///
    /// - Parameter isReplay: the agent repeats its history; that is stored only where the log has none.
    func receive(_ line: Span<UInt8>, at time: Int64, isReplay: Bool) {
        if isReplay, hasHistory == true { return }
        append.add(line: line, at: time, isReplay: isReplay)
    }

    /// A line with its line feed, which is kept as it is.
    func receive(long line: [UInt8], at time: Int64, isReplay: Bool) {
        if isReplay, hasHistory == true { return }
        append.add(long: line, at: time, isReplay: isReplay)
    }

    /// The agent is about to repeat the history of a session that it has open already.
    func replayBegins() {
        if head > 0 || append.holdsLines { hasHistory = true }
    }

    /// Puts something on the timeline that ACP does not tell an observer. Of a body over the limit only its size stays.
    func note(_ kind: TimelineKind, _ body: [UInt8]) {
        let kept =
            body.count <= Self.entryLimitBytes ? body : JSONWriter.object { $0.member("omittedBytes", body.count) }
        append.add(entry: kind.rawValue, body: kept, at: wallClockMilliseconds())
        flush()
        if kind == .permissionRequest || kind == .permissionAnswer { registry.onChange(self, .permissions) }
    }

    /// 1 MiB: a prompt's text, but not the images with it, which may be hundreds.
    private static let entryLimitBytes = 1 << 20

    /// - Parameter title: the agent's own; the empty string takes it away.
    func describe(title: String? = nil, cwd: String? = nil) {
        description.describe(title: title, cwd: cwd)
        writeFacts()
    }

    /// Of several the first counts.
    func prompted(_ text: String) {
        if description.prompted(text) { writeFacts() }
    }

    var title: String? { description.title }
    var cwd: String? { description.cwd }

    func end(_ end: SessionEnd) {
        guard self.end == nil else { return }
        self.end = end
        flush()
        finishIfComplete()
    }

    /// An agent goes on with a session that has ended but is not all stored: what waits of the time before goes first.
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

    /// Submits what waits, unless an append is under way: then its answer will.
    func flush() {
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
            // One chunk to all before the next: it is in the processor's cache then.
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
            // Its readers come to it by way of the log, and nobody else pays for it.
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

    // MARK: What is kept

    private func askForSizes(_ sid: Int64) {
        guard let quota else { return }
        registry.log.read(.sizes(sid: sid, partBytes: quota.partBytes)) { [self] answer in
            guard case .sizes(let parts) = answer, let last = self.quota?.found(parts) else { return }
            trim(through: last)
        }
    }

    /// Readers who have not come so far are told with the next page that they read.
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

    // MARK: When the log fails

    private static let retryDelay = Duration.milliseconds(500)

    private func succeeded() {
        hasToldFailure = false
        registry.noteLogWritten()
    }

    /// The editor's session goes on; nothing is sent as if it were stored; what fits in memory is tried again.
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

    // MARK: What has to come behind the updates

    /// Where the updates stand that were received till now.
    var receivedBytes: Int { append.addedBytes }

    /// Everything received till then is stored and on its way. While the log cannot be written nobody waits for it.
    func hasPublished(through mark: Int) -> Bool { append.settledBytes >= mark || hasToldFailure }

    func whenPublished(through mark: Int, _ action: @escaping @LoopActor () -> Void) {
        waits.add(through: mark, action)
    }

    /// Calls `action` with the number of the newest update of those received till now, once it is known and before a
    /// later one is on its way.
    func place(_ action: @escaping @LoopActor (Int64) -> Void) {
        if epoch != nil, append.settledLines == append.addedLines { return action(head) }
        waits.add(behindLine: append.addedLines, action)
    }

    private func tellPlacesInFlight() {
        tellPlaces { append.numberInFlight(ofLine: $0) }
    }

    /// What they stood behind is stored, or was given up.
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

    /// The log stands elsewhere than was thought: perhaps it has what it said it could not take.
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

    /// Another writer has taken the session over; what this one has left is nobody's.
    private func lostLife(_ error: LogError) {
        append.failed()
        tellFailure(error)
        giveUp()
        end(.interrupted)
    }

    /// The agent is let go on: its editor must not wait for a log that cannot be written.
    private func giveUp() {
        registry.noteUnstored(lines: append.discardWaiting())
        tellPlacesBehindSettled()
        drained()
    }

    // MARK: Readers

    func add(_ reader: Subscription) { readers.add(reader) }

    func remove(_ reader: Subscription) { readers.remove(reader) }

    /// It is not in the log any more: whoever reads it is told, and let go.
    func deleted() {
        for reader in readers.all { reader.sessionDeleted() }
    }

    /// Takes over the readers of what was this session's object while it was of the past.
    func adoptReaders(of past: Session) {
        for reader in past.readers.takeAll() {
            readers.add(reader)
            reader.moved(to: self)
        }
    }

    func reachedEnd(_ reader: Subscription) {
        readers.reachedEnd(reader)
        if isComplete { reader.tellEnd() }
    }

    func leftEnd(_ reader: Subscription) { readers.leftEnd(reader) }

    /// Where the newest frames end, counted over the session's whole time in memory, how many bytes they are, and when the
    /// oldest of them were stored.
    var tailExtent: (end: Int, byteCount: Int, oldest: Instant?) {
        (tail.endOffset, tail.byteCount, tail.oldest?.place?.storedAt)
    }

    func tailChunk(holding number: Int64) -> FrameChunk? { tail.chunk(holding: number) }

    func dropOldestOfTail() -> Int? { tail.dropOldest() }
}

extension LogItem {
    fileprivate var isTooLongForTail: Bool { lineCount > 0 && byteCount > Tail.limitBytes }
}

extension Session: TailOwner {}
