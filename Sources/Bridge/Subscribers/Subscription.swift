import Coalescing
import EventLoop
import JSONScan
import SessionLog
import Tinyvex
import WebSocket

/// One reader of one session's stream: a cursor, not a queue.
///
/// A cursor is a number and a count of bytes already sent from that message's frame on. Frames are a function of what
/// is stored, so the cursor can be taken up from memory or from the log alike, and a reader that stops costs nothing.
@LoopActor final class Subscription: OutgoingStream {
    enum Stream { case updates, timeline }

    /// What there is to send now.
    enum Piece {
        case bytes(FrameChunk, Range<Int>)
        /// A page of the log is on its way.
        case pending
        /// More is to be looked through than one turn of the loop has time for.
        case unfinished
        case atEnd
    }

    /// One page of the log: enough to fill a socket's buffer, little enough that others get their turn.
    static let pageBytes = 256 << 10

    let subId: String
    let stream: Stream
    private(set) var session: Session
    private unowned let connection: TinyvexConnection
    unowned let registry: SessionRegistry
    /// The number whose frame the cursor counts from. Under a policy it is the message that is being sent; without, it
    /// is at a chunk's or page's start whenever `skip` is not 0.
    private(set) var anchor: Int64 {
        didSet { if let awaited, anchor > awaited.number { tellPassed() } }
    }
    /// Someone wants to know when a number has been sent.
    private var awaited: (number: Int64, action: @LoopActor () -> Void)?
    /// Something else comes behind this number, and what is later behind that. Not where updates may be left out.
    private var stop = Int64.max
    /// Bytes of frames sent from `anchor` on, or of what is sent in their place.
    private(set) var skip = 0
    /// Names updates that will not be sent, in their place.
    private var notice: FrameChunk?
    /// What may be left out; nil for nothing.
    var coalescer: Coalescer?
    /// When everything had been sent, last.
    private(set) var upToDate = Instant.now
    /// Where the page begins that is on its way.
    private var readingFrom: Int64?
    /// A timeline's frames carry the subscription's name: its pages are its own.
    private let timelinePages: LogPages.Owner?
    /// And so are the chunks that are merged of its updates.
    private let timelineMerged: LogPages.Owner?
    private(set) var isClosed = false
    /// Whether it stands in its connection's queue.
    var isQueued = false
    /// Where it stands among its session's readers at the end.
    var endIndex: Int?
    private(set) var isAtEnd = false
    private var hasToldEnd = false

    /// - Parameter next: the number of the first message to send.
    init(
        subId: String, stream: Stream, session: Session, next: Int64, policy: PolicyTerms = PolicyTerms(.lossless),
        connection: TinyvexConnection, registry: SessionRegistry
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

    func close() {
        guard !isClosed else { return }
        isClosed = true
        tellPassed()
        for owner in [timelinePages, timelineMerged] { owner.map(registry.pages.forget) }
        session.remove(self)
    }

    /// True in the middle of a frame: nothing else may be sent on the connection before it is whole.
    var tenant: String? { session.tenant }
    var isMidFrame: Bool {
        guard skip > 0 else { return false }
        guard notice == nil, coalescer == nil else { return true }
        guard case .bytes(let chunk, let range) = piece() else { return true }
        return chunk.frameBoundary(atOrAfter: range.lowerBound) != range.lowerBound
    }

    var keepsPace: Bool { coalescer != nil }

    var head: Int64 { stream == .updates ? session.head : session.timelineHead }

    // MARK: What to send

    func send(through outbox: Outbox, limitBytes: Int) -> SendOutcome {
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
            // The cursor was counted in a longer chunk that is no longer there.
            advance(past: chunk)
        }
        return .atEnd
    }

    func chunk(holding number: Int64) -> FrameChunk? {
        if stream == .updates, let chunk = session.tailChunk(holding: number) { return chunk }
        return registry.pages.chunk(of: pageOwner, holding: number)
    }

    /// `count` more bytes of `chunk` were sent.
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

    /// What of it may be sent for now.
    private func end(of chunk: FrameChunk) -> Int {
        chunk.first + Int64(chunk.count) - 1 <= stop ? chunk.byteCount : chunk.offset(of: stop + 1)
    }

    /// Sends nothing behind this number until it is told another.
    func stop(behind number: Int64) {
        guard number != stop, coalescer == nil else { return }
        stop = number
        if anchor <= min(head, stop) { catchUp() }
    }

    private func advance(past chunk: FrameChunk) {
        anchor = chunk.first + Int64(chunk.count)
        skip -= chunk.byteCount
    }

    /// The update with that number has been sent, or never will be.
    func isPast(_ number: Int64) -> Bool { anchor > number || isClosed }

    /// Calls `action` when the update with that number has been sent, or never will be. One at a time.
    func whenPast(_ number: Int64, _ action: @escaping @LoopActor () -> Void) {
        awaited = (number, action)
        if isPast(number) { tellPassed() }
    }

    /// When the loop comes back to it: the outbox is still at work.
    private func tellPassed() {
        guard let awaited else { return }
        self.awaited = nil
        EventLoop.main.schedule(after: .zero) { awaited.action() }
    }

    /// Under a policy: the next byte to send, by its message.
    func move(to number: Int64, skip: Int = 0) {
        anchor = number
        self.skip = skip
    }

    // MARK: What is not sent

    /// Has what is not sent of the messages from the cursor's on named before the next.
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

    /// Tells how much was left out, at once or when it is time again. Never from here: the outbox is at work.
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

    /// Everything was sent: from now on new frames are delivered as they are stored.
    func reachedEnd() {
        guard !isClosed, !isAtEnd else { return }
        isAtEnd = true
        session.reachedEnd(self)
        connection.reachedAnEnd()
    }

    /// New frames, right behind the cursor.
    func deliver(_ chunk: FrameChunk) {
        guard !isClosed else { return }
        guard chunk.first == anchor, skip == 0, notice == nil, end(of: chunk) == chunk.byteCount else {
            return catchUp()
        }
        guard connection.outbox.sendAtOnce(chunk, for: self) else { return catchUp() }
        coalescer?.beginAnew()
    }

    /// There is more to send than can be sent at once.
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

    /// It will end again.
    func sessionRevived() { hasToldEnd = false }

    /// An agent goes on with the session: its numbers go on too, and so does this reader.
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

    /// The log's file is damaged where this session lies; others go on.
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

    /// Asks for the page that begins with this number.
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

    /// The page that was asked for is here. It begins later where the log does not keep what comes before any more.
    func pageArrived(_ chunk: FrameChunk) {
        guard let asked = readingFrom.take(), !isClosed else { return }
        if chunk.first > asked, notice == nil, chunk.first > anchor {
            // What has begun cannot be sent whole, unless it stands in memory.
            guard skip == 0 || self.chunk(holding: anchor) != nil else { return connection.closeAfterFailure() }
            if skip == 0 { lost(through: chunk.first - 1) }
        }
        connection.outbox.pageArrived(for: self)
    }

    private func lost(through last: Int64) {
        coalescer?.beginAnew()
        _ = passOver(through: last, .retention)
    }

    /// - Parameter error: nil when the log has less than its head said: it was cut from outside.
    func pageFailed(_ error: LogError?) {
        readingFrom = nil
        guard !isClosed else { return }
        if let error, error.isDamage { return sessionIsUnreadable() }
        if let error { tellFailure(error) }
        connection.closeAfterFailure()
    }
}

extension Subscription: SessionReader {}
