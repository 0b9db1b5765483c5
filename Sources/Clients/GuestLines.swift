import EventLoop
import SessionStreams

/// A queue of the lines that agents send to one client, other than updates. Each line keeps its position among the
/// updates.
///
/// Updates are stored before they are sent, so a line that is not an update must wait for the updates before it. A
/// prompt's answer that overtook the last updates of its turn would end the turn too early for the client. Updates that
/// follow the line wait for it.
@LoopActor final class GuestLines {
    /// Past this limit the client does not read, or requests more than it reads: 64 MiB, the longest line of an agent.
    static let limitBytes = 64 << 20

    private final class Line {
        let text: [UInt8]
        let session: Session?
        /// The number of bytes that the session had received for the log when the agent wrote the line.
        let mark: Int
        /// The number of the update before this line, once it is known.
        var place: Int64?
        var isWaiting = true

        @LoopActor init(_ text: [UInt8], behind session: Session?) {
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
    private unowned let connection: TinyvexConnection

    init(_ connection: TinyvexConnection) { self.connection = connection }

    /// Adds a line to the queue. Returns false if the queue is over its limit; the caller must then close the
    /// connection.
    func add(_ text: [UInt8], behind session: Session?) -> Bool {
        let line = Line(text, behind: session)
        waiting.append(line)
        if let session { bySession[ObjectIdentifier(session), default: FIFOQueue()].append(line) }
        waitingBytes += text.count
        session?.place { [weak self] number in
            line.place = number
            self?.placed(line)
        }
        pump()
        return waitingBytes <= Self.limitBytes
    }

    /// Performs `action` after all lines have been sent.
    func whenSent(_ action: @escaping @LoopActor () -> Void) {
        last = action
        pump()
    }

    var isEmpty: Bool { waiting.isEmpty && last == nil }

    /// Makes a reader stop at the position of the next line of its session.
    func stop(_ reader: Subscription) {
        let next = bySession[ObjectIdentifier(reader.session)]?.first
        reader.stop(behind: next?.place ?? .max)
    }

    private func placed(_ line: Line) {
        guard line.isWaiting else { return }
        stopReader(of: line.session)
        pump()
    }

    private func stopReader(of session: Session?) {
        if let session, let reader = connection.reader(of: session) { stop(reader) }
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
        guard let place = line.place, let reader = connection.reader(of: session), !reader.isPast(place) else {
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
