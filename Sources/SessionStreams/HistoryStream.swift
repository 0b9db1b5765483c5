import Connections
import EventLoop
import SessionRecords
import SessionReplay
import WebSocket

/// Sends a session's history once to a client that loads the session: all that the session had received when the
/// stream began. It waits until that is stored. The updates after it are sent by a ``Subscription``.
@LoopActor package final class HistoryStream: OutgoingStream {
    package let subId: String
    package let session: Session
    package var isQueued = false
    package private(set) var isClosed = false

    /// The frames of one page: 256 KiB, or one line.
    private struct Page {
        var frames: [UInt8] = []
        /// The ends of the frames, in bytes.
        var ends: [Int] = []
        var sentBytes = 0

        init(_ lines: [[UInt8]] = []) {
            for line in lines {
                Frame.append(.text, line.span, to: &frames)
                ends.append(frames.count)
            }
        }

        var isSent: Bool { sentBytes == frames.count }

        func frameEnd(from offset: Int) -> Int { ends.first { $0 >= offset } ?? frames.count }
    }

    private unowned let connection: any StreamConnection
    private unowned let registry: SessionRegistry
    private var history: ConversationHistory
    /// The newest number on the timeline that belongs to the history. Nil until the history is stored.
    private var last: Int64?
    /// The timeline number after which the next page begins.
    private var after: Int64 = 0
    private var page = Page()
    private var isReading = false
    private var isComplete = false
    /// Actions that must follow the history.
    private var waiting: [@LoopActor () -> Void] = []
    private let finished: @LoopActor (Int64) -> Void

    /// - Parameters:
    ///   - addsPrompts: true if the agent does not send prompts as updates.
    ///   - finished: called once, when everything was sent, with the number of the next update. Not called if the
    ///     stream is closed before.
    package init(
        subId: String, session: Session, addsPrompts: Bool, connection: any StreamConnection,
        registry: SessionRegistry, finished: @escaping @LoopActor (_ next: Int64) -> Void
    ) {
        self.subId = subId
        self.session = session
        self.connection = connection
        self.registry = registry
        self.finished = finished
        history = ConversationHistory(sessionId: session.id, addsPrompts: addsPrompts)
        waitUntilStored()
    }

    private func waitUntilStored() {
        let mark = session.receivedBytes
        guard !session.hasPublished(through: mark) else { return last = session.timelineEnd }
        session.whenPublished(through: mark) { [weak self] in
            guard let self, !isClosed else { return }
            last = session.timelineEnd
            connection.writer.pageArrived(for: self)
        }
    }

    package var tenant: String? { session.tenant }
    package var keepsPace: Bool { false }
    package var isAtEnd: Bool { isComplete && page.isSent }
    package var isMidFrame: Bool {
        page.sentBytes > 0 && !page.isSent && page.frameEnd(from: page.sentBytes) != page.sentBytes
    }

    package func close() {
        isClosed = true
        page = Page()
        runWaiting()
    }

    // MARK: Sending

    package func send(through writer: ConnectionWriter, limitBytes: Int) -> SendOutcome {
        if page.isSent, !isComplete {
            guard let last else { return .pending }
            guard after >= last || session.sid == nil else {
                readNext(through: last)
                return .pending
            }
            isComplete = true
            page = Page(history.rest())
        }
        guard !page.isSent else { return .atEnd }
        let (start, size) = (page.sentBytes, page.frames.count)
        let end = limitBytes < size - start ? page.frameEnd(from: start + limitBytes) : size
        let count = page.frames.withUnsafeBytes { writer.write(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
        page.sentBytes += count
        if page.isSent { return .turnEnded }
        return page.sentBytes == end ? .frameEnded : .blocked
    }

    package func reachedEnd() {
        guard isComplete, !isClosed else { return }
        // The writer is at work during this call.
        registry.services.timers.soon { [weak self] in self?.finish() }
    }

    private func finish() {
        guard !isClosed else { return }
        let next = history.lastSeq + 1
        _ = connection.removeSubscription(subId)
        finished(next)
    }

    // MARK: Pages

    private func readNext(through last: Int64) {
        guard !isReading, let sid = session.sid else { return }
        isReading = true
        registry.log.read(.timeline(sid: sid, after: after, maxBytes: Subscription.pageBytes)) { [weak self] answer in
            self?.arrived(answer, through: last)
        }
    }

    private func arrived(_ answer: Answer, through last: Int64) {
        isReading = false
        guard !isClosed else { return }
        guard case .timeline(let found) = answer else { return connection.closeAfterFailure() }
        let items = found.items.prefix { $0.n <= last }
        after = items.last?.n ?? last
        page = Page(history.lines(for: Array(items)))
        connection.writer.pageArrived(for: self)
    }

    // MARK: Order among other messages

    /// Returns false until the whole history was sent: a message that must follow an update follows all of it.
    package func isPast(_ number: Int64) -> Bool { isClosed }

    package func whenPast(_ number: Int64, _ action: @escaping @LoopActor () -> Void) {
        waiting.append(action)
        if isClosed { runWaiting() }
    }

    /// The history is never stopped, because all of it comes first.
    package func stop(after number: Int64) {}

    private func runWaiting() {
        let actions = waiting
        waiting = []
        for action in actions { registry.services.timers.soon { action() } }
    }
}
