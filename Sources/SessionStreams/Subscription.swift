import Coalescing
import Connections
import EventLoop
import JSONScan
import Posix
import SessionRecords
import Tinyvex
import WebSocket

/// One reader of one session's stream. It performs the steps of a ``ReaderCursor`` and has no queue. It can continue
/// from memory or from the log, and a reader that stops costs nothing.
@LoopActor package final class Subscription: OutgoingStream {
    package enum Stream { case updates, timeline }

    /// The next data to send.
    private enum Piece {
        case bytes(FrameChunk, Range<Int>)
        /// A page of the log has been requested and has not arrived yet.
        case pending
        /// More data must be scanned than one turn of the loop has time for.
        case unfinished
        case atEnd
    }

    private static let retryPause = Duration.seconds(1)
    /// Bytes of one page of the log: enough to fill a socket's buffer, and small enough that other streams get their
    /// turn.
    static let pageBytes = 256 << 10
    /// Maximum number of runs that a policy examines in one turn of the loop.
    private static let looksLimit = 256
    /// Maximum bytes that are scanned for runs in one turn of the loop, exceeded by at most one chunk.
    private static let scanLimitBytes = 512 << 10

    package let subId: String
    package let stream: Stream
    package private(set) var session: Session
    private unowned let connection: any StreamConnection
    private unowned let registry: SessionRegistry
    /// Used for each update. Its functions call nothing that uses the cursor, so two uses cannot overlap.
    @exclusivity(unchecked) private var cursor: ReaderCursor
    /// The action that waits until the update with this number has been sent.
    private var awaited: (number: Int64, action: @LoopActor () -> Void)?
    /// The client has been notified that the log fails, and has got no update since.
    private var hasNotifiedFailure = false
    /// The owners of a timeline's pages. Its frames contain the subscription's name, so they are not shared; nil for
    /// updates.
    private let timelinePages: PageCache.StreamOwners?
    /// True while the subscription is in its connection's queue.
    package var isQueued = false
    /// The index among the session's readers that are at the end.
    var endIndex: Int?
    var servedPiece = -1

    /// - Parameters:
    ///   - next: the number of the first message to send.
    ///   - until: the number of the last message to send; nil for all.
    package init(
        subId: String, stream: Stream, session: Session, next: Int64, until: Int64? = nil,
        policy: PolicyTerms = PolicyTerms(.lossless),
        connection: any StreamConnection, registry: SessionRegistry
    ) {
        self.subId = subId
        self.stream = stream
        self.session = session
        self.connection = connection
        self.registry = registry
        cursor = ReaderCursor(anchor: next, until: until, policy: Coalescer(policy, at: registry.services.time.now))
        timelinePages = stream == .timeline ? registry.frames.pages.newOwners() : nil
        session.add(self)
    }

    package func close() {
        guard cursor.close() else { return }
        notifyPassed()
        if let timelinePages { registry.frames.pages.forget(timelinePages) }
        session.remove(self)
    }

    package var isClosed: Bool { cursor.isClosed }
    package var isAtEnd: Bool { cursor.isAtEnd }
    /// The tenant that owns the session; nil if the bridge itself owns it.
    package var tenant: String? { session.tenant }
    package var keepsPace: Bool { cursor.hasPolicy }

    /// True in the middle of a frame. Nothing else can be sent on the connection before the frame is complete.
    package var isMidFrame: Bool {
        guard cursor.skip > 0 else { return false }
        guard !cursor.sendsSingleFrames, case .bytes(let chunk, let range) = piece() else { return true }
        return chunk.frameBoundary(atOrAfter: range.lowerBound) != range.lowerBound
    }

    private var services: LoopServices { registry.services }
    private var head: Int64 { stream == .updates ? session.head : session.timelineEnd }

    // MARK: Data to send

    package func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome {
        switch piece() {
        case .pending: return .pending
        case .unfinished: return .unfinished
        case .atEnd: return .atEnd
        case .bytes(let chunk, let range):
            var end = range.upperBound
            if limitBytes < range.count {
                end = min(end, chunk.frameBoundary(atOrAfter: range.lowerBound + limitBytes))
            }
            let count = writer.write(chunk.bytes(from: range.lowerBound, to: end))
            sent(count, of: chunk)
            if count > 0 { session.served(self) }
            if range.lowerBound + count == range.upperBound { return .turnEnded }
            return range.lowerBound + count == end ? .frameEnded : .blocked
        }
    }

    /// True if large pieces of updates can be sent without copies.
    var takesReferences: Bool { stream == .updates && connection.writer.takesReferences }

    private func piece() -> Piece {
        defer { notifyIfPassed() }
        var (looks, scanned) = (0, 0)
        // Chunks of the tail and pages of the log can extend beyond what the hub has.
        if session.waitsForHub { cursor.reach = head }
        while true {
            switch cursor.next(head: head, lag: { lag(at: $0, since: $1) }) {
            case .send(let chunk, let range): return .bytes(chunk, range)
            case .find(let number, let last):
                guard let chunk = chunk(holding: number) else { return pending(number) }
                if let range = cursor.piece(of: chunk, through: last) { return .bytes(chunk, range) }
            case .look(let number):
                guard let chunk = chunk(holding: number) else { return pending(number) }
                looks += 1
                scanned += look(at: number, in: chunk)
                if looks == Self.looksLimit || scanned > Self.scanLimitBytes { return .unfinished }
            case .merge(let first):
                if let piece = merged(from: first) { return piece }
            case .leaveOut(let last, let reason): skipMessages(through: last, reason)
            case .stopped: return .pending
            case .atEnd: return .atEnd
            }
        }
    }

    private func chunk(holding number: Int64) -> FrameChunk? {
        if stream == .updates, let chunk = session.frames.newest(holding: number) { return chunk }
        return registry.frames.pages.chunk(of: pageOwner, holding: number)
    }

    private func sent(_ count: Int, of chunk: FrameChunk) {
        if cursor.sent(count, of: chunk) { reportLosses() }
        notifyIfPassed()
    }

    // MARK: Order among other messages

    /// Sends nothing after this number until the next call sets another one.
    package func stop(after number: Int64) {
        if cursor.stop(after: number, head: head) { catchUp() }
    }

    /// Returns true if the update with this number has been sent, or never will be.
    package func isPast(_ number: Int64) -> Bool { cursor.isPast(number) }

    /// Calls `action` when the update with this number has been sent, or never will be. Only one action can wait at a
    /// time.
    package func whenPast(_ number: Int64, _ action: @escaping @LoopActor () -> Void) {
        awaited = (number, action)
        if isPast(number) { notifyPassed() }
    }

    private func notifyIfPassed() {
        if let awaited, cursor.anchor > awaited.number { notifyPassed() }
    }

    /// Runs the action when control returns to the loop, because the writer is still at work.
    private func notifyPassed() {
        guard let awaited = awaited.take() else { return }
        services.timers.soon { awaited.action() }
    }

    // MARK: Policy

    /// How far this reader is behind. For data that is not in the session's tail, the result can be lower than the real
    /// value.
    ///
    /// - Parameters:
    ///   - place: the number of the first message that was not sent.
    ///   - upToDate: the last time at which everything had been sent.
    private func lag(at place: Int64, since upToDate: Instant) -> Lag {
        let chunk = chunk(holding: place)
        let offset = chunk?.offset(of: place) ?? 0
        let bytesAtHand = (chunk?.byteCount ?? 0) - offset
        var lag = Lag(frames: head - place + 1, bytes: Int64(bytesAtHand), age: .zero)
        var storedAt = upToDate
        if stream == .updates {
            let tail = session.frames.extent
            lag.bytes = Int64(chunk?.place.map { tail.end - $0.offset - offset } ?? tail.byteCount + bytesAtHand)
            storedAt = max(storedAt, chunk?.place?.storedAt ?? tail.oldest ?? storedAt)
        }
        lag.age = services.time.now - storedAt
        return lag
    }

    /// Passes the run of an update to the policy. Returns how many bytes had to be scanned for it.
    private func look(at number: Int64, in chunk: FrameChunk) -> Int {
        guard let purpose = cursor.purpose else { return 0 }
        let scanned = chunk.knowsRuns(for: purpose) ? 0 : chunk.byteCount
        let run = chunk.run(holding: number, for: purpose, in: stream)
        cursor.looked(at: number, session.waitsForHub ? run?.part(through: head) : run)
        registry.turns.lookedThrough(scanned)
        return scanned
    }

    /// Returns the cursor's update as a chunk that is merged from all updates from `first` through the cursor, or nil if
    /// there was nothing to merge. The chunk is made once and shared by all readers that get the same merge. If the
    /// chunk was evicted, it is made again for a reader that continues with it.
    private func merged(from first: Int64) -> Piece? {
        let last = cursor.anchor
        if let chunk = registry.frames.pages.merged(first...last, of: mergedOwner) {
            return .bytes(chunk, cursor.skip..<chunk.byteCount)
        }
        var message = MergedMessage(stream: stream, last: last)
        var next = first
        while next <= last {
            // One page that begins at `first` holds all of these updates.
            guard let chunk = chunk(holding: next) else { return pending(first) }
            message.add(chunk, from: &next)
            registry.turns.lookedThrough(chunk.byteCount)
        }
        guard let frame = message.frame() else {
            cursor.cannotMerge()
            return nil
        }
        let chunk = FrameChunk(frames: frame, count: Int(last - first + 1), first: first)
        registry.frames.pages.hold(chunk, of: mergedOwner)
        return .bytes(chunk, cursor.skip..<chunk.byteCount)
    }

    // MARK: Skipped updates

    /// Sends a notice in place of the messages from the cursor through `last`.
    private func skipMessages(through last: Int64, _ reason: SkipReason) {
        let first = cursor.anchor
        let message = ServerNotification.skipped(subId: subId, fromSeq: first, toSeq: last, reason: reason)
        var frame: [UInt8] = []
        Frame.append(.text, message.span, to: &frame)
        cursor.skipMessages(FrameChunk(frames: frame, count: Int(last - first + 1), first: first), reason)
    }

    /// Schedules the report of how many updates were left out, at once or when the next report is due. The report never
    /// runs from here, because the writer is at work.
    private func reportLosses() {
        guard let due = cursor.scheduleReport() else { return }
        let delay = max(.zero, due - .nanoseconds(services.time.now.nanoseconds))
        services.timers.schedule(after: delay) { [weak self] in self?.notifyLosses() }
    }

    private func notifyLosses() {
        guard let report = cursor.report(at: .nanoseconds(services.time.now.nanoseconds)) else { return }
        var rejection = Rejection(
            .backpressureDrop,
            "\(report.count) updates were left out, because this reader is too slow; they are in the log")
        rejection.skipped = Rejection.Skipped(count: report.count, total: report.total)
        connection.send(notification(rejection))
    }

    // MARK: At the end of the log

    /// Call when everything has been sent. From now on, new frames are delivered when they are stored.
    package func reachedEnd() {
        guard cursor.reachedEnd() else { return }
        if !cursor.isComplete { session.reachedEnd(self) }
        connection.reachedAnEnd()
    }

    /// Delivers newly stored frames, at once if they directly follow the cursor.
    func deliver(_ chunk: FrameChunk) {
        guard !isClosed else { return }
        hasNotifiedFailure = false
        guard cursor.canDeliver(chunk) else { return catchUp() }
        let isSent = connection.writer.sendAtOnce(chunk.bytes(from: 0, to: chunk.byteCount), for: self) { count in
            session.served(self)
            guard count == chunk.byteCount else { return sent(count, of: chunk) }
            cursor.delivered(chunk)
            notifyIfPassed()
        }
        guard isSent else { return catchUp() }
        if cursor.hasPolicy { cursor.resetPolicy() }
    }

    /// Queues the subscription, because more data waits than can be sent at once.
    func catchUp() {
        guard !isClosed else { return }
        if cursor.leaveEnd(at: services.time.now) { session.leftEnd(self) }
        connection.writer.enqueue(self)
    }

    func notifyEnd() {
        guard let end = session.end, cursor.notifyEnd() else { return }
        connection.notify(ServerNotification.ended(subId: subId, seq: cursor.anchor - 1, end: end))
    }

    /// Allows the end to be reported again, because the session will end again.
    func sessionRevived() { cursor.revived() }

    /// Switches to the session's new object after an agent resumed the session. The numbers continue, and so does this
    /// reader.
    func moved(to session: Session) {
        self.session = session
        endIndex = nil
        if cursor.moved() { connection.writer.enqueue(self) }
    }

    /// Call when updates that this reader can have are no longer part of the session's history.
    func historyChanged() {
        guard !isClosed else { return }
        connection.closeAfterFailure()
    }

    func sessionDeleted() { end(Rejection(.sessionNotFound, "session \(quoted(session.id)) was deleted")) }

    /// Ends the subscription because the log's file is damaged at this session. Other sessions continue.
    private func sessionIsUnreadable() {
        let place = "session \(quoted(session.id)) cannot be read from number \(cursor.anchor)"
        end(Rejection(.sessionNotFound, "\(place): the log's file is damaged there", rpcCode: .internalError))
    }

    private func end(_ rejection: Rejection) {
        _ = connection.removeSubscription(subId)
        connection.send(notification(rejection))
    }

    func notifyFailure(_ error: LogError) {
        hasNotifiedFailure = true
        let isOfPeer = if case .peerFailed = error { true } else { false }
        let reason = isOfPeer ? "the updates cannot be read" : "updates cannot be stored, so they are not sent"
        var rejection = Rejection(.resumeFailed, "\(reason): \(error)")
        rejection.code = nil
        rejection.rpcCode = .internalError
        connection.notify(notification(rejection))
    }

    private func notification(_ rejection: Rejection) -> [UInt8] {
        var rejection = rejection
        rejection.subId = subId
        return rejection.notification(serverTs: services.time.dateMilliseconds)
    }

    // MARK: Pages of the log

    private var pageOwner: PageCache.Owner { (timelinePages ?? session.frames.pages).stored }
    private var mergedOwner: PageCache.Owner { (timelinePages ?? session.frames.pages).merged }

    /// Requests the page that begins with this number.
    private func pending(_ number: Int64) -> Piece {
        guard let sid = session.sid, cursor.request(number) else { return .pending }
        let place = PageCache.Place(owner: pageOwner, from: number)
        switch stream {
        case .updates:
            let query = ReadRequest.Query.page(sid: sid, from: number, maxBytes: Self.pageBytes)
            registry.frames.pages.read(place, query, for: self) { [session] (answer) throws(LogError) in
                try StoredFrames.updates(answer, of: session, from: number)
            }
        case .timeline:
            // A page's owner is one reader, so no other reader needs more.
            let query = ReadRequest.Query.timeline(
                sid: sid, after: number - 1, through: cursor.until, maxBytes: Self.pageBytes)
            registry.frames.pages.read(place, query, for: self) { [session, subId] (answer) throws(LogError) in
                try StoredFrames.timeline(answer, of: session, subId: subId)
            }
        }
        return .pending
    }

    /// Handles the requested page. The page begins later if the log no longer keeps the updates before it.
    func pageArrived(_ chunk: FrameChunk) {
        hasNotifiedFailure = false
        switch cursor.pageArrived(first: chunk.first) {
        case .unexpected: return
        case .usable: break
        case .gap(let last): skipMessages(through: last, .retention)
        case .gapInMessage:
            guard self.chunk(holding: cursor.anchor) != nil else { return connection.closeAfterFailure() }
        }
        connection.writer.pageArrived(for: self)
    }

    /// Requests the page again after a pause: the hub heals by itself, and the reader has missed nothing.
    private func retryLater() {
        services.timers.schedule(after: Self.retryPause) { [weak self] in
            guard let self, !isClosed else { return }
            connection.writer.pageArrived(for: self)
        }
    }

    func pageFailed(_ error: LogError?) {
        cursor.pageFailed()
        guard !isClosed else { return }
        switch error {
        case .hubFailed?: retryLater()
        case let error? where error.isDamage: sessionIsUnreadable()
        // These heal by themselves, too.
        case .full?, .filesLost?, .peerFailed?:
            if let error, !hasNotifiedFailure { notifyFailure(error) }
            retryLater()
        case let error:
            if let error { notifyFailure(error) }
            // The client completes the closing handshake at its own pace.
            _ = connection.removeSubscription(subId)
            connection.closeAfterFailure()
        }
    }
}

extension Subscription: SessionReader, PageReader {}
