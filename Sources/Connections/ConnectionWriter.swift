import Coalescing
import EventLoop
import Posix
import WebSocket

/// Everything that waits to be sent on one connection, and the order in which it is sent.
///
/// Control messages (answers, errors, pongs) go before streams, but never into the middle of a frame. Streams take
/// turns, one chunk at a time. The writer does not hold a stream's bytes: each stream is a cursor.
@LoopActor package final class ConnectionWriter {
    private let stream: ConnectionOutput
    /// Set if compression was negotiated.
    private var deflater: FrameDeflater?
    /// Asked for each write.
    private let isCompressed: Bool
    private let turns: FairScheduler
    private var control = ControlQueue()
    private var queue = StreamQueue()
    // These four properties that are not checked at run time are used for each update. They are only read and replaced, so
    // two uses cannot overlap.
    @exclusivity(unchecked) private var current: (any OutgoingStream)?
    /// The current stream was ended in the middle of a frame, which must be completed first.
    private var isEndingCurrent = false
    /// The socket is full and must be watched for room.
    @exclusivity(unchecked) private(set) var isBlocked: Bool
    private var reports: Reports
    @exclusivity(unchecked) package private(set) var hasFailed = false
    @exclusivity(unchecked) private var writtenBytes = 0
    private var isFinishing = false
    /// True while the writer waits for its next turn of the loop.
    var isWaitingForTurn = false
    /// Limits the bytes under way if the data of one of the streams must never be outdated; nil otherwise.
    /// Used for each write. Its functions call nothing outside of it, so two uses cannot overlap.
    @exclusivity(unchecked) private var pace: ReadingPace?

    /// The state that the owner of the socket must know, and the call by which it learns of changes.
    private struct Reports {
        var last = (isBlocked: false, isOverLimit: false)
        let interestChanged: @LoopActor () -> Void
    }

    package init(
        output stream: consuming ConnectionOutput, deflate: PermessageDeflate.Direction?, turns: FairScheduler,
        interestChanged: @escaping @LoopActor () -> Void
    ) {
        isBlocked = stream.holdsBytes
        deflater = deflate.flatMap { FrameDeflater($0, memoryLevel: Compression.memoryLevel) }
        isCompressed = deflater != nil
        self.stream = stream
        self.turns = turns
        reports = Reports(interestChanged: interestChanged)
    }

    package var fd: Int32 { stream.fd }
    /// True if large pieces can be sent without copies: see ``OutgoingBytes``.
    package var takesReferences: Bool { !isCompressed && stream.takesReferences }

    /// Bytes that the peer has sent and that have not been read yet.
    package var waitingBytes: Int { stream.waitingBytes }
    package var isEmpty: Bool { control.isEmpty && queue.isEmpty && current == nil }
    /// Control messages that wait to be sent, in bytes.
    var waitingControlBytes: Int { control.waitingCount }
    /// True if so many control messages wait that the connection must not be read.
    package var isOverControlLimit: Bool { control.isOverLimit }

    /// Reads from the peer. TLS can produce output of its own in response to the data that it reads.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        defer { noteHeldBytes() }
        return stream.read(into: buffer)
    }

    // MARK: Filling

    package func sendControl(_ frame: [UInt8]) {
        control.append(frame)
        pump()
    }

    /// Sends a ping that asks the peer for a sign of life.
    package func sendPing() { sendControl(Frame.ping(pace?.latestMark ?? [])) }

    /// Limits the streams to the pace at which the peer reads them, or removes that limit.
    package func setPaced(_ isPaced: Bool) {
        guard isPaced != (pace != nil) else { return }
        pace = isPaced ? ReadingPace() : nil
        markReading(after: 0)
        pump()
    }

    /// Call when the peer has answered a ping.
    package func pongArrived(_ payload: [UInt8]) {
        guard pace != nil else { return }
        pace?.markCameBack(payload, at: now)
        // The bytes under way can exceed the new window, with no mark sent after them.
        markReading(after: 0)
        pump()
    }

    package func enqueue(_ stream: any OutgoingStream) {
        if current !== stream, !stream.isQueued, !stream.isClosed { queue.append(stream) }
        pump()
    }

    /// Queues a stream after its page has arrived. The page can be evicted before this stream's next turn, so part of
    /// it is sent now, out of turn.
    package func pageArrived(for stream: any OutgoingStream) {
        turns.grant()
        enqueue(stream)
    }

    /// Ends a stream. A stream in the middle of a frame completes the frame first, because nothing else can follow an
    /// incomplete frame.
    package func end(_ stream: any OutgoingStream) {
        queue.remove(stream)
        if current === stream, stream.isMidFrame {
            isEndingCurrent = true
        } else {
            if current === stream { current = nil }
            stream.close()
        }
        pump()
    }

    /// Call after the connection is gone. Closes the current stream, even if the stream only had to complete its frame,
    /// and empties the queue.
    package func abandon() {
        current?.close()
        current = nil
        queue = StreamQueue()
    }

    /// Sends whole frames of `stream` without the queue, if nothing else waits. Returns false if the frames were not
    /// sent completely. If a write was attempted, `stream` is then the current stream.
    ///
    /// - Parameter sent: called with the number of bytes that the socket has taken, if any, before the next send.
    package func sendAtOnce(
        _ frames: OutgoingBytes, for stream: any OutgoingStream, sent: @LoopActor (Int) -> Void
    ) -> Bool {
        guard isEmpty, !isBlocked, !hasFailed, turns.hasTime, frames.count <= allowanceBytes else { return false }
        let count = write(frames)
        if count > 0 { sent(count) }
        if count < frames.count { current = stream }
        if pace != nil { markReading(after: count) }
        reportInterest()
        return count == frames.count
    }

    /// Shuts down this side of the connection after all waiting data has been sent.
    package func finishWriting() {
        isFinishing = true
        pump()
    }

    // MARK: Emptying

    /// Call when the socket accepts bytes again.
    package func becameWritable() {
        switch stream.flush() {
        case .wrote:
            isBlocked = false
            if isCompressed { writeDeflated() }
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

    /// Continues sending. ``FairScheduler`` calls it when this writer's turn of the loop has come.
    func resume() { pump() }

    private func pump() {
        while !isBlocked, !hasFailed {
            if control.hasBegun || (!control.isEmpty && current?.isMidFrame != true) {
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

    /// Call this last: the callback can send more.
    private func reportInterest() {
        let now = (isBlocked: isBlocked, isOverLimit: isOverControlLimit)
        guard now != reports.last else { return }
        reports.last = now
        reports.interestChanged()
    }

    private func takeNext() -> (any OutgoingStream)? {
        guard let next = queue.popFirst() else { return nil }
        current = next
        return next
    }

    private func sendControl() {
        let sent = control.withWaitingBytes { write($0) }
        control.sent(sent)
    }

    /// Returns false if nothing more can be sent now.
    private func send(from stream: any OutgoingStream) -> Bool {
        // A waiting control message is sent at the start of the next frame.
        let limit = !control.isEmpty || isEndingCurrent ? 0 : allowanceBytes
        if limit == 0, pace != nil, !stream.isMidFrame { return false }
        guard turns.hasTime else {
            turns.wait(self)
            return false
        }
        let before = writtenBytes
        let outcome = stream.send(through: self, limitBytes: limit)
        if pace != nil { markReading(after: writtenBytes - before) }
        return handle(outcome, of: stream)
    }

    private func handle(_ outcome: SendOutcome, of stream: any OutgoingStream) -> Bool {
        switch outcome {
        case .pending:
            if stream.isMidFrame { return false }
            current = nil  // others can continue; the stream queues again when its page arrives
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

    /// Puts the stream at the end of the queue, so that other streams go first.
    private func requeue(_ stream: any OutgoingStream) {
        current = nil
        queue.append(stream)
    }

    private var allowanceBytes: Int { pace?.allowanceBytes ?? .max }

    /// The time for marks, measured from any fixed moment.
    private var now: Duration { .nanoseconds(turns.services.time.now.nanoseconds) }

    /// Counts `count` more bytes of streams as sent. If a mark is due, sends it as a ping; the pong shows that the
    /// reader has come this far.
    private func markReading(after count: Int) {
        pace?.sent(count)
        guard let mark = pace?.mark(at: now) else { return }
        control.append(Frame.ping(mark))
        if current == nil, !isBlocked { sendControl() }
    }

    @discardableResult
    private func finishEnding(_ stream: any OutgoingStream) -> Bool {
        isEndingCurrent = false
        current = nil
        stream.close()
        return true
    }

    /// Returns how many bytes were taken. Fewer than offered means that the socket is full or has failed.
    package func write(_ outgoing: OutgoingBytes) -> Int {
        let taken = isCompressed ? deflate(outgoing.bytes) : writeToSocket(outgoing)
        writtenBytes += taken
        return taken
    }

    package func write(_ bytes: UnsafeRawBufferPointer) -> Int { write(OutgoingBytes(bytes)) }

    private func writeToSocket(_ outgoing: OutgoingBytes) -> Int {
        var sent = 0
        defer { if stream.holdsBytes { isBlocked = true } }
        while sent < outgoing.count {
            let rest = outgoing.dropFirst(sent)
            switch stream.write(rest) {
            case .wrote(let count):
                sent += count
                turns.wrote(count, isCopied: !rest.isSentByReference || !takesReferences)
            case .wouldBlock:
                isBlocked = true
                return sent
            case .failed:
                hasFailed = true  // the loop also reports the hang-up, which closes the connection
                return sent
            }
        }
        return sent
    }

    // MARK: Compression

    /// Bytes that are compressed at once. The limit keeps the compressed data that waits for room small.
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
        // Move the output out of the deflater during the write, because writing is another access to the deflater.
        guard var output = deflater?.output, !output.isEmpty else { return }
        deflater?.output = []
        let sent = output.withUnsafeBytes { writeToSocket(OutgoingBytes($0)) }
        output.removeFirst(sent)
        deflater?.output = output
    }
}
