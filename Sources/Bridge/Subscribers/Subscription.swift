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
    private enum Piece {
        case bytes(FrameChunk, from: Int)
        /// A page of the log is on its way.
        case pending
        case atEnd
    }

    /// One page of the log: enough to fill a socket's buffer, little enough that others get their turn.
    static let pageBytes = 256 << 10

    let subId: String
    let stream: Stream
    private(set) var session: Session
    private unowned let connection: TinyvexConnection
    private unowned let registry: SessionRegistry
    /// The number whose frame the cursor counts from. At a chunk's or page's start whenever `skip` is not 0.
    private var anchor: Int64 {
        didSet { if let awaited, anchor > awaited.number { tellPassed() } }
    }
    /// Someone wants to know when a number has been sent.
    private var awaited: (number: Int64, action: @LoopActor () -> Void)?
    /// Bytes of frames sent from `anchor` on.
    private var skip = 0
    private var isReading = false
    /// A timeline's frames carry the subscription's name: its pages are its own.
    private let timelinePages: LogPages.Owner?
    private(set) var isClosed = false
    /// Whether it stands in its connection's queue.
    var isQueued = false
    /// Where it stands among its session's readers at the end.
    var endIndex: Int?
    private(set) var isAtEnd = false
    private var hasToldEnd = false

    /// - Parameter next: the number of the first message to send.
    init(
        subId: String, stream: Stream, session: Session, next: Int64, connection: TinyvexConnection,
        registry: SessionRegistry
    ) {
        self.subId = subId
        self.stream = stream
        self.session = session
        self.connection = connection
        self.registry = registry
        anchor = next
        timelinePages = stream == .timeline ? registry.pages.newOwner() : nil
        session.add(self)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        tellPassed()
        if let timelinePages { registry.pages.forget(timelinePages) }
        session.remove(self)
    }

    /// True in the middle of a frame: nothing else may be sent on the connection before it is whole.
    var isMidFrame: Bool {
        guard skip > 0 else { return false }
        guard case .bytes(let chunk, let offset) = piece() else { return true }
        return chunk.frameBoundary(atOrAfter: offset) != offset
    }

    private var head: Int64 { stream == .updates ? session.head : session.timelineHead }

    // MARK: What to send

    func send(through outbox: Outbox, stoppingAtFrameEnd: Bool) -> SendOutcome {
        switch piece() {
        case .pending: return .pending
        case .atEnd: return .atEnd
        case .bytes(let chunk, let offset):
            let end = stoppingAtFrameEnd ? chunk.frameBoundary(atOrAfter: offset) : chunk.byteCount
            let count = outbox.write(chunk.bytes(from: offset, to: end))
            sent(count, of: chunk)
            if offset + count == chunk.byteCount { return .turnEnded }
            return offset + count == end ? .frameEnded : .blocked
        }
    }

    private func piece() -> Piece {
        while anchor <= head {
            guard let chunk = chunkAtCursor() else {
                readPage()
                return .pending
            }
            if chunk.first < anchor {
                skip += chunk.offset(of: anchor)
                anchor = chunk.first
            }
            if skip < chunk.byteCount { return .bytes(chunk, from: skip) }
            // The cursor was counted in a longer chunk that is no longer there.
            advance(past: chunk)
        }
        return .atEnd
    }

    private func chunkAtCursor() -> FrameChunk? {
        if stream == .updates, let chunk = session.tailChunk(holding: anchor) { return chunk }
        return registry.pages.chunk(of: pageOwner, holding: anchor)
    }

    /// `count` more bytes of `chunk` were sent.
    func sent(_ count: Int, of chunk: FrameChunk) {
        skip += count
        if skip == chunk.byteCount { advance(past: chunk) }
    }

    private func advance(past chunk: FrameChunk) {
        anchor = chunk.first + Int64(chunk.count)
        skip -= chunk.byteCount
    }

    /// Calls `action` when the update with that number has been sent, or never will be. One at a time.
    func whenPast(_ number: Int64, _ action: @escaping @LoopActor () -> Void) {
        awaited = (number, action)
        if anchor > number || isClosed { tellPassed() }
    }

    /// When the loop comes back to it: the outbox is still at work.
    private func tellPassed() {
        guard let awaited else { return }
        self.awaited = nil
        EventLoop.main.schedule(after: .zero) { awaited.action() }
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
        guard chunk.first == anchor, skip == 0 else { return catchUp() }
        if connection.outbox.sendAtOnce(chunk, for: self) { return }
        catchUp()
    }

    /// There is more to send than can be sent at once.
    func catchUp() {
        guard !isClosed else { return }
        if isAtEnd {
            isAtEnd = false
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
        endIndex = nil
        sessionRevived()
        guard isAtEnd else { return }
        isAtEnd = false
        connection.outbox.enqueue(self)
    }

    func sessionDeleted() {
        var rejection = Rejection(.sessionNotFound, "session \(quoted(session.id)) was deleted")
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

    private func readPage() {
        guard !isReading, let sid = session.sid else { return }
        isReading = true
        let place = LogPages.Place(owner: pageOwner, from: anchor)
        switch stream {
        case .updates:
            let query = ReadRequest.Query.page(sid: sid, from: anchor, maxBytes: Self.pageBytes)
            registry.pages.read(place, query, for: self) { [session] in Self.updates($0, of: session) }
        case .timeline:
            let query = ReadRequest.Query.timeline(sid: sid, after: anchor - 1, maxBytes: Self.pageBytes)
            registry.pages.read(place, query, for: self) { [session, subId] in
                Self.timeline($0, of: session, subId: subId, from: place.from)
            }
        }
    }

    private static func updates(_ answer: Answer, of session: Session) -> FrameChunk? {
        guard case .page(let page) = answer else { return nil }
        let published = page.through(session.head)
        guard published.count > 0 else { return nil }
        return FrameChunk(lines: published.lines, count: published.count, first: published.first)
    }

    private static func timeline(
        _ answer: Answer, of session: Session, subId: String, from first: Int64
    ) -> FrameChunk? {
        guard case .timeline(let page) = answer else { return nil }
        let published = Array(page.items.prefix { $0.n <= session.timelineHead })
        return published.isEmpty ? nil : TimelineFrames.chunk(published, subId: subId, first: first)
    }

    /// The page that was asked for is here, or was.
    func pageArrived() {
        isReading = false
        if !isClosed { connection.outbox.enqueue(self) }
    }

    /// - Parameter error: nil when the log has less than its head said: it was cut from outside.
    func pageFailed(_ error: LogError?) {
        isReading = false
        guard !isClosed else { return }
        if let error { tellFailure(error) }
        connection.closeAfterFailure()
    }
}
