import EventLoop
import JSONScan
import SessionLog
import Tinyvex
import WebSocket

/// One reader of one session's stream: a cursor, not a queue.
///
/// A cursor is a number and a count of bytes already sent from that message's frame on. Frames are a function of what
/// is stored, so the cursor can be taken up from memory or from the log alike, and a reader that stops costs nothing.
@LoopActor final class Subscription {
    enum Stream { case updates, timeline }

    /// What there is to send now.
    enum Piece {
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
    private var anchor: Int64
    /// Bytes of frames sent from `anchor` on.
    private var skip = 0
    private var page: FrameChunk?
    private var isReading = false
    private(set) var isClosed = false
    /// Whether it stands in its connection's queue.
    var isQueued = false
    /// Where it stands among its session's readers at the end.
    var endIndex: Int?
    private var isAtEnd = false
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
        session.add(self)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        dropPage()
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

    func piece() -> Piece {
        if let page { return .bytes(page, from: skip) }
        guard anchor <= head else { return .atEnd }
        if stream == .updates, let chunk = session.tailChunk(holding: anchor) {
            if chunk.first < anchor {
                skip += chunk.offset(of: anchor)
                anchor = chunk.first
            }
            if skip < chunk.byteCount { return .bytes(chunk, from: skip) }
            // The cursor was counted in a longer chunk that is no longer there.
            advancePast(chunk)
            return piece()
        }
        readPage()
        return .pending
    }

    /// `count` more bytes of `chunk` were sent.
    func sent(_ count: Int, of chunk: FrameChunk) {
        skip += count
        if skip == chunk.byteCount { advancePast(chunk) }
    }

    private func advancePast(_ chunk: FrameChunk) {
        anchor = chunk.first + Int64(chunk.count)
        skip -= chunk.byteCount
        dropPage()
    }

    // MARK: At the end of the log

    /// Everything was sent: from now on new frames are delivered as they are stored.
    func reachedEnd() {
        guard !isClosed, !isAtEnd else { return }
        isAtEnd = true
        session.reachedEnd(self)
    }

    /// New frames, right behind the cursor.
    func deliver(_ chunk: FrameChunk) {
        guard chunk.first == anchor, skip == 0 else { return catchUp() }
        if connection.outbox.sendAtOnce(chunk, for: self) { return }
        catchUp()
    }

    /// There is more to send than can be sent at once.
    func catchUp() {
        if isAtEnd {
            isAtEnd = false
            session.leftEnd(self)
        }
        connection.outbox.enqueue(self)
    }

    func tellEnd() {
        guard let end = session.end, !hasToldEnd else { return }
        hasToldEnd = true
        connection.send(ServerNotification.ended(subId: subId, seq: anchor - 1, end: end))
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

    func tellFailure(_ error: LogError) {
        var rejection = Rejection(.resumeFailed, "updates cannot be stored, so they are not sent: \(error)")
        rejection.code = nil
        rejection.rpcCode = .internalError
        rejection.subId = subId
        connection.send(rejection.notification(serverTs: wallClockMilliseconds()))
    }

    // MARK: Pages of the log

    func dropPage() {
        guard let page else { return }
        self.page = nil
        registry.heldPages.gaveUp(self, bytes: page.byteCount)
    }

    private func readPage() {
        guard !isReading, let sid = session.sid else { return }
        isReading = true
        let request: ReadRequest.Query =
            stream == .updates
            ? .page(sid: sid, from: anchor, maxBytes: Self.pageBytes)
            : .timeline(sid: sid, after: anchor - 1, maxBytes: Self.pageBytes)
        let wanted = anchor
        registry.pageReads.begin { [self] in
            guard !isClosed else { return registry.pageReads.finished() }
            registry.log.read(request) { [self] outcome in
                isReading = false
                registry.pageReads.finished()
                guard !isClosed else { return }
                // New frames may have carried the cursor on meanwhile.
                if anchor == wanted { pageArrived(outcome) } else { connection.outbox.enqueue(self) }
            }
        }
    }

    private func pageArrived(_ outcome: Answer) {
        switch outcome {
        case .page(let page) where page.count > 0:
            let page = page.through(head)
            take(FrameChunk(lines: page.lines, count: page.count, first: page.first))
        case .timeline(let page) where !page.items.isEmpty:
            let items = Array(page.items.prefix { $0.n <= head })
            take(TimelineFrames.chunk(items, subId: subId, first: anchor))
        case .failed(let error):
            tellFailure(error)
            connection.closeAfterFailure()
        default:
            // The log has less than its head said: it was cut from outside. There is nothing true to send.
            connection.closeAfterFailure()
        }
    }

    private func take(_ chunk: FrameChunk) {
        guard skip < chunk.byteCount else {
            anchor = chunk.first + Int64(chunk.count)
            skip -= chunk.byteCount
            return connection.outbox.enqueue(self)
        }
        page = chunk
        registry.heldPages.took(self, bytes: chunk.byteCount)
        connection.outbox.enqueue(self)
    }
}
