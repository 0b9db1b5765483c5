import SessionRecords
import SessionReplay
import Tinyvex

/// The course of one session: the request to the log that is in flight, the data that waits to be stored, and how far
/// the session is stored. Pure.
///
/// Each function handles one event and returns the actions to perform, in their order. At most one claim or append is
/// in flight, so `claimed`, `appended` and `failed` always answer the latest of them.
///
///     unclaimed ── claim ──▶ claiming ── claimed ──▶ writing ── submit ──▶ appending ── appended ──▶ writing
///     claiming, appending ── failed ──▶ failing ── retryDue ──▶ claiming, writing
///     appending ── failed: gap ──▶ claiming
///     appending ── failed: fenced ──▶ lost
///     all ── revived ──▶ claiming, after the append in flight
///
/// Beside this, a session is running, has ended, or is complete: it has ended, and all of its data is stored or
/// discarded.
struct SessionMachine {
    enum Action {
        case request(Request)
        case notify(Notice)
        /// Send these stored items to the readers. `first` is the number of the first update.
        case publish([LogItem], first: Int64)
        /// Call `retryDue` after a delay.
        case scheduleRetry
        case cancelRetry
        /// Call `submit`.
        case submit
        /// Call `completeIfDone`.
        case complete
    }

    /// A request to the log.
    enum Request {
        case claim(ClaimMode)
        case append(sid: Int64, epoch: Int64, after: Int64, items: [LogItem])
        /// Answered by `described`, also if the request fails.
        case describe(sid: Int64)
        /// Read a part of the timeline. Answered by `foundHistory`.
        case history(sid: Int64, after: Int64)
        /// Answered by `foundSizes`.
        case sizes(sid: Int64, partBytes: Int)
        /// Delete the updates through `last`. Readers that have not reached this number are notified with the next page
        /// that they read.
        case trim(sid: Int64, through: Int64)
    }

    /// A fact that others wait for.
    enum Notice {
        /// The session's place in the log is known.
        case claimed
        /// The log has answered without a failure.
        case logWritten
        /// The log has failed.
        case logFailed(LogError)
        /// The log has failed for the first time since it last succeeded. Clients do not wait for it until it succeeds.
        case failing(LogError)
        /// The numbers of all lines that are stored or discarded are known.
        case settled
        /// Less data waits to be stored than before.
        case drained
        /// This number of lines that waited to be stored was discarded.
        case discarded(lines: Int)
        /// The facts are stored.
        case described
        /// The session has ended, and all of its data is stored.
        case completed
    }

    private enum State {
        /// No claim was submitted: the session is a past one, or was created just now.
        case unclaimed
        case claiming(ClaimMode)
        /// Nothing is in flight.
        case writing(epoch: Int64)
        /// - `claimsNext`: the session was revived, so the answer is followed by a claim.
        case appending(epoch: Int64, claimsNext: Bool)
        /// A retry is scheduled.
        case failing(Retry)
        /// Another writer has the session. All data is discarded.
        case lost
        /// Another bridge has the session. It is only restored.
        case elsewhere(SessionHome)
    }

    /// The request that the retry submits.
    private enum Retry {
        case claim(ClaimMode)
        case append(epoch: Int64)
    }

    private enum Course {
        case running
        case ended(SessionEnd)
        case complete(SessionEnd)
    }

    private enum FactsWrite {
        case idle
        case inFlight
        /// The facts have changed while the log stores them, so they are stored again.
        case outdated
        /// The log has failed. The retry that is scheduled stores the facts.
        case failed
    }

    /// The journal of the latest claim, with its text, which many messages have.
    private struct NamedJournal {
        let epoch: Int64
        let text: String

        init(_ journal: Journal) { (epoch, text) = (journal.epoch, journal.description) }
    }

    private let unstoredLimitBytes: Int
    private var state = State.unclaimed
    private var course = Course.running
    private var factsWrite = FactsWrite.idle
    private var append = AppendMachine()
    /// The limit of the session's data in the log; nil without a limit.
    private var quota: SessionQuota?
    /// The session's place in the log; nil until the first claim is answered.
    private(set) var sid: Int64?
    private var named: NamedJournal?
    /// The newest number that is stored and can be sent.
    private(set) var head: Int64 = 0
    /// The value of `head` when the agent began or resumed the session.
    private(set) var headAtClaim: Int64 = 0
    /// The value of `headAtClaim` that the program before this one has recorded.
    private var inheritedHeadAtClaim: Int64?
    /// The newest stored number on the timeline, which counts the timeline's entries as well as the updates.
    private(set) var timelineHead: Int64 = 0
    /// The time of the newest stored activity (``LogItem/isActivity``), as the log has it, in milliseconds since 1970.
    private(set) var lastTime: Int64
    /// The lines with which the agent repeats its history.
    private var replay = ReplayMachine()
    /// True after `Notice.failing` until the log succeeds.
    private(set) var isFailureKnown = false

    /// - Parameters:
    ///   - unstoredLimitBytes: while the log fails, more data than this is discarded.
    ///   - quotaBytes: the limit of the session's data in the log; nil without a limit.
    ///   - time: milliseconds since 1970.
    init(unstoredLimitBytes: Int, quotaBytes: Int? = nil, at time: Int64) {
        self.unstoredLimitBytes = unstoredLimitBytes
        quota = quotaBytes.map { SessionQuota(limitBytes: $0) }
        lastTime = time
    }

    /// Begins with the state of a past session.
    mutating func restore(_ record: SessionRecord) {
        sid = record.sid
        named = NamedJournal(record.journal)
        head = record.head
        timelineHead = record.timelineHead
        lastTime = record.lastTs
        if let home = record.home { state = .elsewhere(home) }
        let isLive = record.home != nil && record.state == .live
        course = isLive ? .running : .complete(record.exit.flatMap { SessionEnd(storedText: $0) } ?? .interrupted)
    }

    /// Replaces what is known about the session's bridge, if that is another one.
    mutating func show(_ home: SessionHome) {
        if case .elsewhere = state { state = .elsewhere(home) }
    }

    /// Begins with the state that the program before this one has recorded.
    mutating func inherit(headAtClaim: Int64, hasHistory: Bool?, lastTime: Int64?) {
        inheritedHeadAtClaim = headAtClaim
        self.lastTime = lastTime ?? self.lastTime
        replay.hasHistory = hasHistory
    }

    // MARK: Queries

    /// Empty before the first claim.
    var journal: String { named?.text ?? "" }
    /// The epoch of the latest claim; 0 before the first one.
    var epoch: Int64 { named?.epoch ?? 0 }

    /// The bridge that has the session; nil for this bridge.
    var home: SessionHome? { if case .elsewhere(let home) = state { home } else { nil } }

    /// True if this session had updates before the agent began to repeat them; nil until the log has answered.
    var hasHistory: Bool? { replay.hasHistory }

    /// Asked for each update, so it copies no end.
    var isLive: Bool {
        if case .running = course { true } else { false }
    }

    var end: SessionEnd? {
        switch course {
        case .running: nil
        case .ended(let end), .complete(let end): end
        }
    }

    var unstoredBytes: Int { append.unstoredBytes }
    /// True if all received data is stored.
    var isSettled: Bool {
        switch state {
        case .writing, .lost, .elsewhere: append.isEmpty
        case .unclaimed, .claiming, .appending, .failing: false
        }
    }
    /// True if the session has ended and all of its data is stored.
    var isComplete: Bool { end != nil && append.isEmpty }

    /// The counts of the bytes and of the lines received so far.
    var receivedBytes: Int { append.addedBytes }
    var receivedLines: Int { append.addedLines }

    /// Returns true if everything received up to `mark` is stored and being sent. Also returns true while the log
    /// cannot be written, so that no client waits for the log.
    func hasPublished(through mark: Int) -> Bool { append.settledBytes >= mark || isFailureKnown }

    /// The bytes received so far that are stored or discarded.
    var settledBytes: Int { append.settledBytes }

    /// The number of the newest line received; nil while it is not known.
    var newestNumber: Int64? { isClaimed && append.settledLines == append.addedLines ? head : nil }

    /// Returns the number of the newest line among the first `count` lines if all of these are stored or discarded.
    func settledNumber(ofLine count: Int) -> Int64? { count <= append.settledLines ? head : nil }

    /// Returns the number that a line has if the log has stored the append in flight and its head is now `newHead`. Call
    /// this before the event that reports the head.
    func number(ofLine count: Int, ifStoredThrough newHead: Int64) -> Int64? {
        append.headIfStored == newHead ? append.numberInFlight(ofLine: count) : nil
    }

    private var isClaimed: Bool {
        switch state {
        case .writing, .lost, .failing(.append), .appending(_, claimsNext: false): true
        case .unclaimed, .claiming, .failing(.claim), .appending(_, claimsNext: true), .elsewhere: false
        }
    }

    // MARK: Data from the agent

    /// - Parameter isReplay: the agent repeats its history, and the line can be a part of it.
    mutating func receive(_ line: Span<UInt8>, at time: Int64, isReplay: Bool) {
        guard isReplay else { return append.add(line: line, at: time) }
        if let mark = mark(ofRepeated: line) { append.add(line: line, at: time, mark) }
    }

    /// - Parameter line: a line with its line feed. It is kept unchanged.
    mutating func receive(long line: [UInt8], at time: Int64, isReplay: Bool) {
        guard isReplay else { return append.add(long: line, at: time) }
        if let mark = mark(ofRepeated: line.span.extracting(0..<line.count - 1)) {
            append.add(long: line, at: time, mark)
        }
    }

    mutating func receive(entry kind: TimelineEntryKind, _ body: [UInt8], at time: Int64) {
        if replay.giveUp() { append.settleUndecided(areRepeated: false) }
        append.add(entry: kind.rawValue, body: body, at: time)
    }

    // MARK: Repeated history

    /// - Parameter isNewlyOpened: the agent did not have the session open, so it can have nothing new to write.
    mutating func replayBegins(isNewlyOpened: Bool = false) -> [Action] {
        replay.begin(isNewlyOpened: isNewlyOpened)
        return readHistoryIfDue()
    }

    /// Call when the agent has repeated the history.
    mutating func replayEnds() -> [Action] {
        endReplay(replay.end()) ? [.submit, .complete] : []
    }

    /// Returns true if something was decided.
    private mutating func endReplay(_ end: ReplayMatcher.End?) -> Bool {
        guard let end else { return false }
        append.settleUndecided(areRepeated: end.areRepeated)
        for line in end.states { append.add(line: line.span, at: lastTime) }
        return true
    }

    /// - Parameters:
    ///   - items: the timeline after the number that was asked for. Nil if it could not be read.
    ///   - isAtEnd: true if there is nothing after them.
    mutating func foundHistory(_ items: [TimelineItem]?, isAtEnd: Bool) -> [Action] {
        guard replay.isReading else { return [] }
        replay.read(items ?? [])
        if let sid, let last = items?.last, !isAtEnd { return [.request(.history(sid: sid, after: last.n))] }
        replay.readAll()
        var replay = self.replay
        append.judgeUndecided { line in
            let judgement = replay.judge(line)
            return (judgement.earlierAreRepeated, judgement.verdict.mark ?? .isDiscarded)
        }
        self.replay = replay
        _ = endReplay(self.replay.end(afterReading: true))
        return [.submit, .complete]
    }

    /// Reads the history after all lines before the repeated ones are stored.
    private mutating func readHistoryIfDue() -> [Action] {
        guard replay.isDue, isClaimed, append.isStoredThroughUndecided, let sid else { return [] }
        replay.startReading()
        return [.request(.history(sid: sid, after: 0))]
    }

    /// Returns nil if the line must be discarded.
    private mutating func mark(ofRepeated line: Span<UInt8>) -> AppendMachine.Mark? {
        let judgement = replay.judge(line)
        if let areRepeated = judgement.earlierAreRepeated { append.settleUndecided(areRepeated: areRepeated) }
        return judgement.verdict.mark
    }

    /// Submits the data that waits. If an append is in flight, the answer to it submits the data instead.
    mutating func submit(limitBytes: Int = AppendMachine.appendLimitBytes) -> [Action] {
        switch state {
        case .writing(let epoch):
            guard let sid else { return [] }
            let settledBytes = append.settledBytes
            let next = append.next(limitBytes: limitBytes)
            // Repeated lines that waited behind the last append are discarded now.
            let notices: [Action] =
                append.settledBytes == settledBytes ? [] : [.notify(.settled), .notify(.drained)]
            guard case .append(let after, let items) = next else { return notices }
            state = .appending(epoch: epoch, claimsNext: false)
            return notices + [.request(.append(sid: sid, epoch: epoch, after: after, items: items))]
        case .lost: return append.isEmpty ? [] : discardWaiting()
        case .unclaimed, .claiming, .appending, .failing, .elsewhere: return []
        }
    }

    // MARK: Answers of the log

    mutating func claim(_ mode: ClaimMode) -> [Action] {
        state = .claiming(mode)
        return [.request(.claim(mode))]
    }

    mutating func claimed(_ lease: Lease) -> [Action] {
        guard case .claiming = state else { return [] }
        state = .writing(epoch: lease.epoch)
        sid = lease.sid
        named = NamedJournal(lease.journal)
        (head, timelineHead) = (lease.head, lease.timelineHead)
        headAtClaim = inheritedHeadAtClaim.take() ?? lease.head
        append.claimed(head: lease.head)
        replay.hasHistory = replay.hasHistory ?? (lease.head > 0)
        if hasHistory == true { append.discardReplay() }
        isFailureKnown = false
        return askForSizes(lease) + [.notify(.settled), .notify(.logWritten), .notify(.claimed)] + factsChanged()
            + [.submit, .complete] + readHistoryIfDue()
    }

    mutating func appended(head newHead: Int64, timelineHead newTimelineHead: Int64) -> [Action] {
        guard case .appending(let epoch, let claimsNext) = state else { return [] }
        state = .writing(epoch: epoch)
        timelineHead = newTimelineHead
        if let time = append.activityTimeInFlight { lastTime = time }
        isFailureKnown = false
        var actions: [Action] = []
        // Each append of each session passes here, so the actions get their room at once.
        actions.reserveCapacity(6)
        actions.append(.notify(.logWritten))
        store(through: newHead, &actions)
        if claimsNext { actions += claim(nextClaim) } else { actions.append(.submit) }
        actions.append(.notify(.drained))
        actions.append(.complete)
        actions += readHistoryIfDue()
        return actions
    }

    /// Handles a failed claim or append. Nothing is published as if it were stored. Data that fits in memory is
    /// submitted again.
    mutating func failed(_ error: LogError) -> [Action] {
        switch (state, error) {
        case (.appending, .fenced): return lose(error)
        case (.appending, .gap(let logHead)): return recount(logHead)
        case (.appending(let epoch, let claimsNext), _):
            append.failed()
            state = .failing(claimsNext ? .claim(nextClaim) : .append(epoch: epoch))
        case (.claiming(let mode), _): state = .failing(.claim(mode))
        case (.unclaimed, _), (.writing, _), (.failing, _), (.lost, _), (.elsewhere, _): return []
        }
        let isRetryScheduled = factsWrite == .failed
        var actions = [.notify(.logFailed(error))] + noteFailure(error)
        if append.unstoredBytes > unstoredLimitBytes {
            actions += discardWaiting()
            // The log can have stored the failed append. Its head must be known before other lines get their numbers.
            state = .failing(.claim(nextClaimAfterFailure))
        }
        return isRetryScheduled ? actions : actions + [.scheduleRetry]
    }

    mutating func retryDue() -> [Action] {
        let mustDescribe = factsWrite == .failed
        if mustDescribe { factsWrite = .idle }
        let actions = mustDescribe ? factsChanged() : []
        guard case .failing(let retry) = state else { return actions }
        switch retry {
        case .claim(let mode): return actions + claim(mode)
        case .append(let epoch):
            state = .writing(epoch: epoch)
            return actions + [.submit, .complete]
        }
    }

    private mutating func store(through newHead: Int64, _ actions: inout [Action]) {
        let first = head + 1
        let items = append.stored(head: newHead)
        head = newHead
        if let last = quota?.stored(items, head: newHead) { actions += trim(through: last) }
        actions.append(.publish(items, first: first))
    }

    /// Handles a log head other than the expected one. The log can have stored an append that it reported as failed.
    private mutating func recount(_ logHead: Int64) -> [Action] {
        var actions: [Action] = []
        if append.headIfStored == logHead {
            store(through: logHead, &actions)
        } else {
            append.failed()
        }
        return actions + claim(nextClaim)
    }

    /// Handles the loss of the session to another writer. The data that this writer has not stored is discarded.
    private mutating func lose(_ error: LogError) -> [Action] {
        append.failed()
        state = .lost
        let actions = noteFailure(error) + discardWaiting() + [.complete]
        if case .running = course { course = .ended(.interrupted) }
        return actions
    }

    private mutating func noteFailure(_ error: LogError) -> [Action] {
        guard !isFailureKnown else { return [] }
        isFailureKnown = true
        return [.notify(.failing(error))]
    }

    /// Discards the waiting data and lets the agent continue: its editor must not wait for a log that cannot be
    /// written.
    private mutating func discardWaiting() -> [Action] {
        [.notify(.discarded(lines: append.discardWaiting())), .notify(.settled), .notify(.drained)]
    }

    private var nextClaimAfterFailure: ClaimMode {
        if case .failing(.claim(let mode)) = state { mode } else { nextClaim }
    }

    /// The claim for a session that was claimed before, if the log has answered.
    private var nextClaim: ClaimMode { sid.map { .again(sid: $0) } ?? .continueLatest }

    // MARK: Size limit

    private func askForSizes(_ lease: Lease) -> [Action] {
        guard lease.head > 0, let quota, !quota.knowsPast else { return [] }
        return [.request(.sizes(sid: lease.sid, partBytes: quota.partBytes))]
    }

    mutating func foundSizes(_ parts: [PartSize]) -> [Action] { quota?.found(parts).map(trim) ?? [] }

    private func trim(through last: Int64) -> [Action] {
        sid.map { [.request(.trim(sid: $0, through: last))] } ?? []
    }

    // MARK: Facts

    /// Stores the facts. While the log is storing facts, they are stored again after its answer.
    mutating func factsChanged() -> [Action] {
        guard let sid else { return [] }
        switch factsWrite {
        case .idle: factsWrite = .inFlight
        case .inFlight, .outdated:
            factsWrite = .outdated
            return []
        case .failed: return []
        }
        return [.request(.describe(sid: sid))]
    }

    /// - Parameter error: Nil if the facts are stored. If not, they are stored later, also those of a complete session.
    mutating func described(_ error: LogError? = nil) -> [Action] {
        let isOutdated = factsWrite == .outdated
        factsWrite = .idle
        switch error {
        case nil, .unknownSession, .closed: break
        case let error?:
            factsWrite = .failed
            if case .failing = state { return [.notify(.logFailed(error))] }
            return [.notify(.logFailed(error)), .scheduleRetry]
        }
        let success: [Action] = error == nil ? [.notify(.logWritten)] : []
        return success + [.notify(.described)] + (isOutdated ? factsChanged() : [])
    }

    // MARK: The end

    mutating func ended(_ end: SessionEnd) -> [Action] {
        guard case .running = course else { return [] }
        course = .ended(end)
        _ = endReplay(replay.end())
        return [.submit, .complete]
    }

    /// The session has ended with its agent. Nothing is submitted before `submit` and `completeIfDone`.
    ///
    /// - Parameter exit: the body of the timeline's last entry.
    mutating func endedWithAgent(_ end: SessionEnd, exit: [UInt8], at time: Int64) {
        _ = endReplay(replay.end())
        receive(entry: .agentExit, exit, at: time)
        course = .ended(end)
    }

    /// Completes an ended session once, after all of its data is stored or discarded.
    mutating func completeIfDone() -> [Action] {
        guard case .ended(let end) = course, append.isEmpty, sid != nil else { return [] }
        course = .complete(end)
        return factsChanged() + [.notify(.completed)]
    }

    /// An agent resumes a session that has ended. The data that waits from before is stored first.
    mutating func revived() -> [Action] {
        course = .running
        append.settleUndecided(areRepeated: false)
        replay = ReplayMachine()
        replay.hasHistory = head > 0 || append.holdsLines ? true : nil
        switch state {
        case .appending(let epoch, _): state = .appending(epoch: epoch, claimsNext: true)
        // Nothing was stored since the claim was submitted, so its answer is valid for the resumed session too.
        case .claiming: state = .claiming(nextClaim)
        case .failing:
            if factsWrite == .failed { factsWrite = .idle }
            return [.cancelRetry] + claim(nextClaim)
        case .unclaimed, .writing, .lost: return claim(nextClaim)
        case .elsewhere: break
        }
        return []
    }
}

extension ReplayMachine.Verdict {
    /// Nil for a line that is discarded at once.
    fileprivate var mark: AppendMachine.Mark? {
        switch self {
        case .store: .new
        case .discard: nil
        case .awaitClaim: .isReplay
        case .awaitHistory: .isUndecided
        }
    }
}
