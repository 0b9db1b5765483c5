import Coalescing
import Connections
import EventLoop
import JSONScan
import Posix
import SessionLog
import Tinyvex
import WebSocket

/// One reader of one session's stream. It is a cursor, not a queue.
///
/// A cursor is a message number and a count of bytes already sent, counted from that message's frame. Frames depend
/// only on the stored data, so the cursor can continue from memory or from the log. A reader that stops costs nothing.
@LoopActor package final class Subscription: OutgoingStream {
    package enum Stream { case updates, timeline }

    /// The next data to send.
    enum Piece {
        case bytes(FrameChunk, Range<Int>)
        /// A page of the log has been requested and has not arrived yet.
        case pending
        /// More data must be scanned than one turn of the loop has time for.
        case unfinished
        case atEnd
    }

    /// Bytes of one page of the log: enough to fill a socket's buffer, and small enough that other streams get their
    /// turn.
    static let pageBytes = 256 << 10

    package let subId: String
    package let stream: Stream
    package private(set) var session: Session
    private unowned let connection: any StreamConnection
    unowned let registry: SessionRegistry
    /// The number of the message whose frame the cursor counts from. Under a policy, it is the message that is being
    /// sent. Without a policy, it is at the start of a chunk or page whenever `skip` is not 0.
    private(set) var anchor: Int64 {
        didSet { if let awaited, anchor > awaited.number { tellPassed() } }
    }
    /// The action that waits until the update with this number has been sent.
    private var awaited: (number: Int64, action: @LoopActor () -> Void)?
    /// Do not send past this number yet: another message must go first, and later updates follow that message. Not used
    /// if updates can be left out.
    private var stop = Int64.max
    /// Bytes already sent, counted from the frame of `anchor` or from the data that is sent in its place.
    private(set) var skip = 0
    /// A message that names updates that will not be sent. It is sent in their place.
    private var notice: FrameChunk?
    /// The state of a policy that leaves out updates; nil if no update can be left out.
    var coalescer: Coalescer?
    /// The last time at which everything had been sent.
    private(set) var upToDate = Instant.now
    /// The number at which the requested page begins; nil if no page is requested.
    private var readingFrom: Int64?
    /// Page cache key of a timeline. Its frames contain the subscription's name, so it has pages of its own.
    private let timelinePages: LogPages.Owner?
    /// Cache key of the chunks that are merged from a timeline's updates, for the same reason.
    private let timelineMerged: LogPages.Owner?
    package private(set) var isClosed = false
    /// True while the subscription is in its connection's queue.
    package var isQueued = false
    /// The index among the session's readers that are at the end.
    var endIndex: Int?
    package private(set) var isAtEnd = false
    private var hasToldEnd = false

    /// - Parameter next: the number of the first message to send.
    package init(
        subId: String, stream: Stream, session: Session, next: Int64, policy: PolicyTerms = PolicyTerms(.lossless),
        connection: any StreamConnection, registry: SessionRegistry
    ) {
        self.subId = subId
        self.stream = stream
        self.session = session
        self.connection = connection
        self.registry = registry
        anchor = next
        timelinePages = stream == .timeline ? registry.pages.newOwner() : nil
        timelineMerged = stream == .timeline ? registry.pages.newOwner() : nil
        coalescer = policy.policy != .lossless ? Coalescer(policy) : nil
        session.add(self)
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        tellPassed()
        for owner in [timelinePages, timelineMerged] { owner.map(registry.pages.forget) }
        session.remove(self)
    }

    /// The tenant that owns the session; nil if the bridge itself owns it.
    package var tenant: String? { session.tenant }
    /// True in the middle of a frame. Nothing else can be sent on the connection before the frame is complete.
    package var isMidFrame: Bool {
        guard skip > 0 else { return false }
        guard notice == nil, coalescer == nil else { return true }
        guard case .bytes(let chunk, let range) = piece() else { return true }
        return chunk.frameBoundary(atOrAfter: range.lowerBound) != range.lowerBound
    }

    package var keepsPace: Bool { coalescer != nil }

    var head: Int64 { stream == .updates ? session.head : session.timelineHead }

    // MARK: Data to send

    package func send(through outbox: Outbox, limitBytes: Int) -> SendOutcome {
        switch piece() {
        case .pending: return .pending
        case .unfinished: return .unfinished
        case .atEnd: return .atEnd
        case .bytes(let chunk, let range):
            var end = range.upperBound
            if limitBytes < range.count {
                end = min(end, chunk.frameBoundary(atOrAfter: range.lowerBound + limitBytes))
            }
            let count = outbox.write(chunk.bytes(from: range.lowerBound, to: end))
            sent(count, of: chunk)
            if range.lowerBound + count == range.upperBound { return .turnEnded }
            return range.lowerBound + count == end ? .frameEnded : .blocked
        }
    }

    private func piece() -> Piece {
        if let notice { return .bytes(notice, skip..<notice.byteCount) }
        return coalescer == nil ? pieceOfAll() : pieceUnderPolicy()
    }

    private func pieceOfAll() -> Piece {
        while anchor <= head {
            guard anchor <= stop else { return .pending }
            guard let chunk = chunk(holding: anchor) else { return pending(anchor) }
            if chunk.first < anchor {
                skip += chunk.offset(of: anchor)
                anchor = chunk.first
            }
            let end = end(of: chunk)
            if skip < end { return .bytes(chunk, skip..<end) }
            guard end == chunk.byteCount else {
                move(to: stop + 1)
                return .pending
            }
            // The cursor was counted in a longer chunk that is no longer in memory.
            advance(past: chunk)
        }
        return .atEnd
    }

    func chunk(holding number: Int64) -> FrameChunk? {
        if stream == .updates, let chunk = session.tailChunk(holding: number) { return chunk }
        return registry.pages.chunk(of: pageOwner, holding: number)
    }

    /// Moves the cursor after `count` more bytes of `chunk` were sent.
    func sent(_ count: Int, of chunk: FrameChunk) {
        if chunk === notice {
            skip += count
            if skip == chunk.byteCount { noticeSent(chunk) }
        } else if coalescer != nil {
            sentUnderPolicy(count, of: chunk)
        } else {
            skip += count
            if skip == chunk.byteCount {
                advance(past: chunk)
            } else if stop < .max, skip == end(of: chunk) {
                move(to: stop + 1)
            }
        }
    }

    /// Returns the end of the part of `chunk` that can be sent for now.
    private func end(of chunk: FrameChunk) -> Int {
        chunk.first + Int64(chunk.count) - 1 <= stop ? chunk.byteCount : chunk.offset(of: stop + 1)
    }

    /// Sends nothing after this number until the next call sets another one.
    package func stop(behind number: Int64) {
        guard number != stop, coalescer == nil else { return }
        stop = number
        if anchor <= min(head, stop) { catchUp() }
    }

    private func advance(past chunk: FrameChunk) {
        anchor = chunk.first + Int64(chunk.count)
        skip -= chunk.byteCount
    }

    /// Returns true if the update with this number has been sent, or never will be.
    package func isPast(_ number: Int64) -> Bool { anchor > number || isClosed }

    /// Calls `action` when the update with this number has been sent, or never will be. Only one action can wait at a
    /// time.
    package func whenPast(_ number: Int64, _ action: @escaping @LoopActor () -> Void) {
        awaited = (number, action)
        if isPast(number) { tellPassed() }
    }

    /// Runs the action when control returns to the loop, because the outbox is still at work.
    private func tellPassed() {
        guard let awaited else { return }
        self.awaited = nil
        EventLoop.main.schedule(after: .zero) { awaited.action() }
    }

    /// Moves the cursor to a message. Under a policy, `skip` is the next byte to send, counted in that message.
    func move(to number: Int64, skip: Int = 0) {
        anchor = number
        self.skip = skip
    }

    // MARK: Skipped updates

    /// Skips the messages from the cursor through `last`. Returns a notice that names them and is sent before the next
    /// message.
    func passOver(through last: Int64, _ reason: SkipReason) -> Piece {
        let message = ServerNotification.skipped(subId: subId, fromSeq: anchor, toSeq: last, reason: reason)
        var frame: [UInt8] = []
        Frame.append(.text, message.span, to: &frame)
        let notice = FrameChunk(frames: frame, count: Int(last - anchor + 1), first: anchor)
        self.notice = notice
        if reason != .merge, reason != .retention { coalescer?.tally.leftOut(last - anchor + 1) }
        return .bytes(notice, 0..<notice.byteCount)
    }

    private func noticeSent(_ notice: FrameChunk) {
        advance(past: notice)
        self.notice = nil
        reportLosses()
    }

    /// Schedules the report of how many updates were left out, at once or when the next report is due. The report never
    /// runs from here, because the outbox is at work.
    private func reportLosses() {
        guard let due = coalescer?.tally.due, coalescer?.isReportScheduled == false else { return }
        coalescer?.isReportScheduled = true
        let now = Duration.nanoseconds(Instant.now.nanoseconds)
        EventLoop.main.schedule(after: max(.zero, due - now)) { [weak self] in self?.tellLosses() }
    }

    private func tellLosses() {
        coalescer?.isReportScheduled = false
        guard !isClosed,
            let report = coalescer?.tally.report(at: .nanoseconds(Instant.now.nanoseconds))
        else { return }
        var rejection = Rejection(
            .backpressureDrop, "\(report.count) updates were left out, as this reader is behind; they are in the log")
        rejection.subId = subId
        rejection.skipped = Rejection.Skipped(count: report.count, total: report.total)
        connection.send(rejection.notification(serverTs: wallClockMilliseconds()))
    }

    // MARK: At the end of the log

    /// Call when everything has been sent. From now on, new frames are delivered when they are stored.
    package func reachedEnd() {
        guard !isClosed, !isAtEnd else { return }
        isAtEnd = true
        session.reachedEnd(self)
        connection.reachedAnEnd()
    }

    /// Delivers newly stored frames, at once if they directly follow the cursor.
    func deliver(_ chunk: FrameChunk) {
        guard !isClosed else { return }
        guard chunk.first == anchor, skip == 0, notice == nil, end(of: chunk) == chunk.byteCount else {
            return catchUp()
        }
        let isSent = connection.outbox.sendAtOnce(chunk.bytes(from: 0, to: chunk.byteCount), for: self) {
            sent($0, of: chunk)
        }
        guard isSent else { return catchUp() }
        coalescer?.beginAnew()
    }

    /// Queues the subscription, because more data waits than can be sent at once.
    func catchUp() {
        guard !isClosed else { return }
        if isAtEnd {
            isAtEnd = false
            upToDate = .now
            session.leftEnd(self)
        }
        connection.outbox.enqueue(self)
    }

    func tellEnd() {
        guard let end = session.end, !hasToldEnd else { return }
        hasToldEnd = true
        connection.tell(ServerNotification.ended(subId: subId, seq: anchor - 1, end: end))
    }

    /// Allows the end to be reported again, because the session will end again.
    func sessionRevived() { hasToldEnd = false }

    /// Switches to the session's new object after an agent resumed the session. The numbers continue, and so does this
    /// reader.
    func moved(to session: Session) {
        self.session = session
        stop = .max
        endIndex = nil
        sessionRevived()
        guard isAtEnd else { return }
        isAtEnd = false
        connection.outbox.enqueue(self)
    }

    func sessionDeleted() { end(Rejection(.sessionNotFound, "session \(quoted(session.id)) was deleted")) }

    /// Ends the subscription because the log's file is damaged at this session. Other sessions continue.
    private func sessionIsUnreadable() {
        end(
            Rejection(
                .sessionNotFound,
                "session \(quoted(session.id)) cannot be read from number \(anchor) on: the log's file is damaged there",
                rpcCode: .internalError))
    }

    private func end(_ rejection: Rejection) {
        var rejection = rejection
        rejection.subId = subId
        _ = connection.removeSubscription(subId)
        connection.send(rejection.notification(serverTs: wallClockMilliseconds()))
    }

    func tellFailure(_ error: LogError) {
        var rejection = Rejection(.resumeFailed, "updates cannot be stored, so they are not sent: \(error)")
        rejection.code = nil
        rejection.rpcCode = .internalError
        rejection.subId = subId
        connection.tell(rejection.notification(serverTs: wallClockMilliseconds()))
    }

    // MARK: Pages of the log

    private var pageOwner: LogPages.Owner { timelinePages ?? session.pages }
    var mergedOwner: LogPages.Owner { timelineMerged ?? session.mergedPages }

    /// Requests the page that begins with this number.
    func pending(_ number: Int64) -> Piece {
        guard readingFrom == nil, let sid = session.sid else { return .pending }
        readingFrom = number
        let place = LogPages.Place(owner: pageOwner, from: number)
        switch stream {
        case .updates:
            let query = ReadRequest.Query.page(sid: sid, from: number, maxBytes: Self.pageBytes)
            registry.pages.read(place, query, for: self) { [session] in
                StoredFrames.updates($0, of: session, from: number)
            }
        case .timeline:
            let query = ReadRequest.Query.timeline(sid: sid, after: number - 1, maxBytes: Self.pageBytes)
            registry.pages.read(place, query, for: self) { [session, subId] in
                StoredFrames.timeline($0, of: session, subId: subId)
            }
        }
        return .pending
    }

    /// Handles the requested page. The page begins later if the log no longer keeps the updates before it.
    func pageArrived(_ chunk: FrameChunk) {
        guard let asked = readingFrom.take(), !isClosed else { return }
        if chunk.first > asked, notice == nil, chunk.first > anchor {
            // A message that is partly sent can only be completed if it is in memory.
            guard skip == 0 || self.chunk(holding: anchor) != nil else { return connection.closeAfterFailure() }
            if skip == 0 { lost(through: chunk.first - 1) }
        }
        connection.outbox.pageArrived(for: self)
    }

    private func lost(through last: Int64) {
        coalescer?.beginAnew()
        _ = passOver(through: last, .retention)
    }

    /// - Parameter error: nil if the log has less than its head indicated, because the log was cut from outside.
    func pageFailed(_ error: LogError?) {
        readingFrom = nil
        guard !isClosed else { return }
        if let error, error.isDamage { return sessionIsUnreadable() }
        if let error { tellFailure(error) }
        connection.closeAfterFailure()
    }
}

extension Subscription: SessionReader {}
