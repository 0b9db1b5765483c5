import EventLoop

/// What agents say to one client beside their updates, in order, each line behind the updates that came before it.
///
/// Updates are stored before they are sent, so a line that is not one has to wait for them: an answer to a prompt that
/// overtook the end of its turn would be read as that end.
@LoopActor final class GuestLines {
    /// Past it the client does not read, or asks for more than it takes: 64 MiB, the longest line of an agent's.
    static let limitBytes = 64 << 20

    private struct Line {
        let text: [UInt8]
        let session: Session?
        /// Where the session's updates stood when the agent wrote the line.
        let mark: Int
    }

    private var waiting: [Line] = []
    private var waitingBytes = 0
    /// Someone will call `pump` when the first line may go.
    private var isExpected = false
    /// What is to be done when no line waits.
    private var last: (@LoopActor () -> Void)?
    private unowned let connection: TinyvexConnection

    init(_ connection: TinyvexConnection) { self.connection = connection }

    /// False when there is too much: the connection is to be given up.
    func add(_ text: [UInt8], behind session: Session?) -> Bool {
        waiting.append(Line(text: text, session: session, mark: session?.receivedBytes ?? 0))
        waitingBytes += text.count
        pump()
        return waitingBytes <= Self.limitBytes
    }

    /// Does it behind all lines.
    func whenSent(_ action: @escaping @LoopActor () -> Void) {
        last = action
        pump()
    }

    var isEmpty: Bool { waiting.isEmpty && last == nil }

    private func pump() {
        while !isExpected, let line = waiting.first, mayGo(line) {
            waiting.removeFirst()
            waitingBytes -= line.text.count
            connection.send(line.text)
        }
        guard waiting.isEmpty, let last else { return }
        self.last = nil
        last()
    }

    private func mayGo(_ line: Line) -> Bool {
        guard let session = line.session else { return true }
        guard session.hasPublished(through: line.mark) else {
            expect { session.whenPublished(through: line.mark, $0) }
            return false
        }
        guard let reader = connection.reader(of: session), !reader.isAtEnd, !reader.isClosed else { return true }
        expect { reader.whenPast(session.head, $0) }
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
