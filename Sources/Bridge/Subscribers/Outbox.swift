import Coalescing
import EventLoop
import WebSocket

/// Everything that waits to be sent on one connection, and the order of it.
///
/// Control messages (answers, errors, pongs) go before streams, but never into the middle of a frame. Streams take
/// turns by the chunk. A stream's bytes are not held here: each is a cursor.
@LoopActor final class Outbox {
    /// Past it the client is sending requests faster than it reads the answers, and is not read from until it has.
    static let controlLimitBytes = 256 << 10
    /// What was sent is given back in pieces of this size.
    private static let controlCompactionBytes = 64 << 10

    private let stream: ByteStream
    /// Where compression was agreed on.
    private var deflater: FrameDeflater?
    private let turns: SendingTurns
    private let interestChanged: @LoopActor () -> Void
    private var control: [UInt8] = []
    private var controlSent = 0
    private var queue = StreamQueue()
    private var current: (any OutgoingStream)?
    /// The current stream was given up in the middle of a frame, which must be finished first.
    private var isEndingCurrent = false
    /// The socket is full: it is to be watched for room.
    private(set) var isBlocked: Bool
    private var reported = (isBlocked: false, isOverLimit: false)
    private(set) var hasFailed = false
    private var writtenBytes = 0
    private var isFinishing = false
    /// For its next turn of the loop.
    var isWaitingForTurn = false
    /// Where one of the streams is never to be old, how much may be under way.
    private var pace: ReadingPace?

    init(
        stream: consuming ByteStream, deflate: PermessageDeflate.Direction?, turns: SendingTurns,
        interestChanged: @escaping @LoopActor () -> Void
    ) {
        isBlocked = stream.holdsBytes
        deflater = deflate.flatMap { FrameDeflater($0, memoryLevel: Compression.memoryLevel) }
        self.stream = stream
        self.turns = turns
        self.interestChanged = interestChanged
    }

    var fd: Int32 { stream.fd }
    /// What the peer has sent and nobody has read.
    var waitingBytes: Int { stream.waitingBytes }
    var isEmpty: Bool { control.isEmpty && queue.isEmpty && current == nil }
    var isOverControlLimit: Bool { control.count - controlSent > Self.controlLimitBytes }

    /// TLS may have something to say to what it reads.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        defer { noteHeldBytes() }
        return stream.read(into: buffer)
    }

    // MARK: Filling

    func sendControl(_ frame: [UInt8]) {
        control.append(contentsOf: frame)
        pump()
    }

    /// Sends streams no faster than they are read, or again as fast as the socket takes them.
    func setPaced(_ isPaced: Bool) {
        guard isPaced != (pace != nil) else { return }
        pace = isPaced ? ReadingPace() : nil
        markReading(behind: 0)
        pump()
    }

    /// The peer answered a ping.
    func pongArrived(_ payload: [UInt8]) {
        guard pace != nil else { return }
        pace?.markCameBack(payload, at: .nanoseconds(Instant.now.nanoseconds))
        // What is under way may be more than the window is now, and no mark behind it.
        markReading(behind: 0)
        pump()
    }

    func enqueue(_ stream: any OutgoingStream) {
        if current !== stream, !stream.isQueued, !stream.isClosed { queue.append(stream) }
        pump()
    }

    /// What it waited for is here, and may not be for long: some of it is sent, whoever's turn it is.
    func pageArrived(for stream: any OutgoingStream) {
        turns.grant()
        enqueue(stream)
    }

    /// Sends no more of a stream. One that is in the middle of a frame finishes it, for nothing else could follow.
    func end(_ stream: any OutgoingStream) {
        queue.remove(stream)
        if current === stream, stream.isMidFrame {
            isEndingCurrent = true
        } else {
            if current === stream { current = nil }
            stream.close()
        }
        pump()
    }

    /// The connection has gone: a stream that was only to finish its frame ends too.
    func abandon() {
        current?.close()
        current = nil
        queue = StreamQueue()
    }

    /// Sends a chunk without going through the queue, when nothing else waits. False when it could not be sent whole;
    /// the subscription's cursor then tells how far it got.
    func sendAtOnce(_ chunk: FrameChunk, for subscription: Subscription) -> Bool {
        guard isEmpty, !isBlocked, !hasFailed, turns.hasTime, chunk.byteCount <= allowanceBytes else { return false }
        let sent = write(chunk.bytes(from: 0, to: chunk.byteCount))
        if sent > 0 { subscription.sent(sent, of: chunk) }
        if sent < chunk.byteCount { current = subscription }
        if pace != nil { markReading(behind: sent) }
        reportInterest()
        return sent == chunk.byteCount
    }

    /// Shuts our side down once all that waits has been sent.
    func finishWriting() {
        isFinishing = true
        pump()
    }

    // MARK: Emptying

    /// The socket takes bytes again.
    func becameWritable() {
        switch stream.flush() {
        case .wrote:
            isBlocked = false
            if deflater != nil { writeDeflated() }
        case .wouldBlock: break
        case .failed: hasFailed = true
        }
        pump()
    }

    private func noteHeldBytes() {
        guard stream.holdsBytes, !isBlocked else { return }
        isBlocked = true
        reportInterest()
    }

    /// Its turn of the loop has come.
    func goOn() { pump() }

    private func pump() {
        while !isBlocked, !hasFailed {
            if controlSent > 0 || (!control.isEmpty && current?.isMidFrame != true) {
                sendControl()
            } else if let current = current ?? takeNext() {
                guard send(from: current) else { break }
            } else {
                if isFinishing { finish() }
                break
            }
        }
        reportInterest()
    }

    private func finish() {
        stream.finishWriting()
        isBlocked = stream.holdsBytes
    }

    /// Last of all: the one who is told may send more.
    private func reportInterest() {
        let now = (isBlocked: isBlocked, isOverLimit: isOverControlLimit)
        guard now != reported else { return }
        reported = now
        interestChanged()
    }

    private func takeNext() -> (any OutgoingStream)? {
        guard let next = queue.popFirst() else { return nil }
        current = next
        return next
    }

    private func sendControl() {
        let sent = control.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[controlSent...])) }
        controlSent += sent
        if controlSent == control.count {
            control = []
            controlSent = 0
        } else if controlSent > Self.controlCompactionBytes {
            control.removeFirst(controlSent)
            controlSent = 0
        }
    }

    /// False when nothing more can be sent now.
    private func send(from stream: any OutgoingStream) -> Bool {
        // A waiting control message gets in at the next frame's start.
        let limit = !control.isEmpty || isEndingCurrent ? 0 : allowanceBytes
        if limit == 0, pace != nil, !stream.isMidFrame { return false }
        guard turns.hasTime else {
            turns.wait(self)
            return false
        }
        let before = writtenBytes
        let outcome = stream.send(through: self, limitBytes: limit)
        if pace != nil { markReading(behind: writtenBytes - before) }
        return take(outcome, of: stream)
    }

    private func take(_ outcome: SendOutcome, of stream: any OutgoingStream) -> Bool {
        switch outcome {
        case .pending:
            if stream.isMidFrame { return false }
            current = nil  // others may go on; it queues again when its page comes
        case .unfinished:
            requeue(stream)
            turns.wait(self)
            return false
        case .atEnd:
            current = nil
            stream.reachedEnd()
        case .blocked: break
        case .frameEnded:
            if isEndingCurrent { finishEnding(stream) }
        case .turnEnded:
            if isEndingCurrent { return finishEnding(stream) }
            requeue(stream)
            guard turns.othersWait else { return true }
            turns.wait(self)
            return false
        }
        return true
    }

    /// Others go first.
    private func requeue(_ stream: any OutgoingStream) {
        current = nil
        queue.append(stream)
    }

    private var allowanceBytes: Int { pace?.allowanceBytes ?? .max }

    /// So much more was sent of streams: has the reader tell when it has come this far.
    private func markReading(behind count: Int) {
        pace?.sent(count)
        guard let mark = pace?.mark(at: .nanoseconds(Instant.now.nanoseconds)) else { return }
        control.append(contentsOf: Frame.ping(mark))
        if current == nil, !isBlocked { sendControl() }
    }

    @discardableResult
    private func finishEnding(_ stream: any OutgoingStream) -> Bool {
        isEndingCurrent = false
        current = nil
        stream.close()
        return true
    }

    /// Returns how many bytes were taken; fewer than offered means that the socket is full, or gone.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = deflater == nil ? writeToSocket(bytes) : deflate(bytes)
        writtenBytes += taken
        return taken
    }

    private func writeToSocket(_ bytes: UnsafeRawBufferPointer) -> Int {
        var sent = 0
        defer { if stream.holdsBytes { isBlocked = true } }
        while sent < bytes.count {
            switch stream.write(UnsafeRawBufferPointer(rebasing: bytes[sent...])) {
            case .wrote(let count):
                sent += count
                turns.wrote(count)
            case .wouldBlock:
                isBlocked = true
                return sent
            case .failed:
                hasFailed = true  // the loop reports the hang-up too, and that closes the connection
                return sent
            }
        }
        return sent
    }

    // MARK: Compression

    /// What is taken at once: so what is compressed and waits for room is never much more.
    private static let deflatedPieceBytes = 16 << 10

    private func deflate(_ bytes: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while taken < bytes.count, !isBlocked, !hasFailed {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[taken...].prefix(Self.deflatedPieceBytes))
            do throws(ProtocolViolation) {
                try deflater?.append(piece)
            } catch {
                hasFailed = true
            }
            turns.compressed(piece.count)
            taken += piece.count
            writeDeflated()
        }
        return taken
    }

    private func writeDeflated() {
        // Out of the deflater meanwhile: writing is another access to it.
        guard var output = deflater?.output, !output.isEmpty else { return }
        deflater?.output = []
        let sent = output.withUnsafeBytes { writeToSocket($0) }
        output.removeFirst(sent)
        deflater?.output = output
    }
}
