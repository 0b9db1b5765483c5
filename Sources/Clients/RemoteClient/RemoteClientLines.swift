import EventLoop

/// The session of a line, reduced to the position of the line among the session's updates.
@LoopActor protocol LineSession: AnyObject {
    /// The position after all updates received so far, in bytes.
    var receivedBytes: Int { get }
    /// Returns true if everything received up to `mark` is stored and being sent.
    func hasPublished(through mark: Int) -> Bool
    /// Calls `action` when everything received up to `mark` is stored and being sent.
    func whenPublished(through mark: Int, _ action: @escaping @LoopActor () -> Void)
    /// Calls `action` with the number of the newest update received so far, before a later update is sent.
    func place(_ action: @escaping @LoopActor (Int64) -> Void)
}

/// The client's reader of a session's updates.
@LoopActor protocol UpdateReader: AnyObject {
    /// Returns true if the update with this number has been sent, or never will be.
    func isPast(_ number: Int64) -> Bool
    /// Calls `action` when the update with this number has been sent, or never will be.
    func whenPast(_ number: Int64, _ action: @escaping @LoopActor () -> Void)
    /// Sends nothing after this number until the next call sets another one.
    func stop(after number: Int64)
}

/// The connection on which the lines are sent.
@LoopActor protocol LineConnection: AnyObject {
    func send(_ message: [UInt8])
    /// Returns the client's reader of the session's updates; nil if the client does not read them.
    func updateReader(of session: any LineSession) -> (any UpdateReader)?
    /// Closes because the client requests more data than it reads.
    func closeSlowClient()
}

/// A queue of the lines that agents send to one client, other than updates. Each line keeps its position among the
/// updates.
///
/// Updates are stored before they are sent, so a line that is not an update must wait for the updates before it. A
/// prompt's answer that overtook the last updates of its turn would end the turn too early for the client. Updates that
/// follow the line wait for it.
@LoopActor final class RemoteClientLines {
    /// Past this limit the client does not read, or requests more than it reads: 64 MiB, the longest line of an agent.
    static let limitBytes = 64 << 20

    private final class Line {
        let text: [UInt8]
        let session: (any LineSession)?
        /// The number of bytes that the session had received for the log when the agent wrote the line.
        let mark: Int
        /// The number of the update before this line, once it is known.
        var place: Int64?
        var isWaiting = true

        @LoopActor init(_ text: [UInt8], after session: (any LineSession)?) {
            self.text = text
            self.session = session
            mark = session?.receivedBytes ?? 0
        }
    }

    private var waiting = FIFOQueue<Line>()
    /// The lines that follow updates, by session. An agent can write thousands before one of its updates is stored.
    private var bySession: [ObjectIdentifier: FIFOQueue<Line>] = [:]
    private var waitingBytes = 0
    /// True if a callback is registered that calls `pump` when the first line can be sent.
    private var isExpected = false
    /// The action to perform when the queue is empty.
    private var last: (@LoopActor () -> Void)?
    private unowned let connection: any LineConnection

    init(_ connection: any LineConnection) { self.connection = connection }

    /// Sends a line after the updates of `session` that came before it. Closes the connection if the queue is over its
    /// limit.
    func send(_ text: [UInt8], after session: (any LineSession)?) {
        let line = Line(text, after: session)
        waiting.append(line)
        if let session { bySession[ObjectIdentifier(session), default: FIFOQueue()].append(line) }
        waitingBytes += text.count
        session?.place { [weak self] number in
            line.place = number
            self?.placed(line)
        }
        pump()
        if waitingBytes > Self.limitBytes { connection.closeSlowClient() }
    }

    /// Performs `action` after all lines have been sent.
    func whenSent(_ action: @escaping @LoopActor () -> Void) {
        last = action
        pump()
    }

    var isEmpty: Bool { waiting.isEmpty && last == nil }

    /// Makes the session's reader stop at the position of the session's next line.
    func stop(_ reader: any UpdateReader, of session: any LineSession) {
        let next = bySession[ObjectIdentifier(session)]?.first
        reader.stop(after: next?.place ?? .max)
    }

    private func placed(_ line: Line) {
        guard line.isWaiting else { return }
        stopReader(of: line.session)
        pump()
    }

    private func stopReader(of session: (any LineSession)?) {
        if let session, let reader = connection.updateReader(of: session) { stop(reader, of: session) }
    }

    private func pump() {
        while !isExpected, let line = waiting.first, mayGo(line) {
            removeFirst()
            connection.send(line.text)
            stopReader(of: line.session)
        }
        guard waiting.isEmpty, let last else { return }
        self.last = nil
        last()
    }

    private func removeFirst() {
        guard let line = waiting.popFirst() else { return }
        line.isWaiting = false
        waitingBytes -= line.text.count
        guard let session = line.session else { return }
        // The first line of the queue is also the first line of its session.
        _ = bySession[ObjectIdentifier(session)]?.popFirst()
        if bySession[ObjectIdentifier(session)]?.isEmpty == true { bySession[ObjectIdentifier(session)] = nil }
    }

    private func mayGo(_ line: Line) -> Bool {
        guard let session = line.session else { return true }
        guard session.hasPublished(through: line.mark) else {
            expect { session.whenPublished(through: line.mark, $0) }
            return false
        }
        guard let place = line.place, let reader = connection.updateReader(of: session), !reader.isPast(place) else {
            return true
        }
        expect { reader.whenPast(place, $0) }
        return false
    }

    private func expect(_ arrange: (@escaping @LoopActor () -> Void) -> Void) {
        isExpected = true
        arrange { [weak self] in
            self?.isExpected = false
            self?.pump()
        }
    }
}
