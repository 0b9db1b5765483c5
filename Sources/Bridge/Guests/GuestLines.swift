import EventLoop

/// What agents say to one client beside their updates, in order, each line where it stood among the updates.
///
/// Updates are stored before they are sent, so a line that is not one has to wait for those before it: an answer to a
/// prompt that overtook the end of its turn would be read as that end. Those behind it wait for the line.
@LoopActor final class GuestLines {
    /// Past it the client does not read, or asks for more than it takes: 64 MiB, the longest line of an agent's.
    static let limitBytes = 64 << 20

    private final class Line {
        let text: [UInt8]
        let session: Session?
        /// Where all that the session has for the log stood when the agent wrote the line.
        let mark: Int
        /// The number of the update before it, once that is known.
        var place: Int64?
        var isWaiting = true

        @LoopActor init(_ text: [UInt8], behind session: Session?) {
            self.text = text
            self.session = session
            mark = session?.receivedBytes ?? 0
        }
    }

    private var waiting = FIFOQueue<Line>()
    /// Those behind updates of each session. An agent may write thousands before one of its updates is stored.
    private var bySession: [ObjectIdentifier: FIFOQueue<Line>] = [:]
    private var waitingBytes = 0
    /// Someone will call `pump` when the first line may go.
    private var isExpected = false
    /// What is to be done when no line waits.
    private var last: (@LoopActor () -> Void)?
    private unowned let connection: TinyvexConnection

    init(_ connection: TinyvexConnection) { self.connection = connection }

    /// False when there is too much: the connection is to be given up.
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

    /// Does it behind all lines.
    func whenSent(_ action: @escaping @LoopActor () -> Void) {
        last = action
        pump()
    }

    var isEmpty: Bool { waiting.isEmpty && last == nil }

    /// Has a reader stop where the next line of its session stands.
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
        // The first of all is the first of its session.
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
