import EventLoop

/// One direction of a conversation: bytes from a source to a sink as they come, with a look at them on the way.
///
/// Nothing is kept but what the sink did not take of the last chunk; until it has, the source is left unread. So the
/// one who writes too fast is slowed down by the one who reads, as if the two were joined directly.
@LoopActor final class Conduit: PollHandler {
    /// What became of it. Each is told at most once.
    enum Event {
        /// The source has ended, all of it was written, and the sink is closed.
        case finished
        /// Nobody reads the sink any more; the source is read on.
        case sinkFailed
    }

    private var source: ByteStream?
    private var sink: ByteStream?
    private var sourceWatch: Watch?
    private var sinkWatch: Watch?
    /// What the sink has not taken yet: one read chunk at most.
    private var backlog: [UInt8] = []
    private var sourceHasEnded = false
    private var isHeld = false
    /// Once the source's writer has gone: how much of what it left is still to be read.
    private var owedBytes: Int?
    private(set) var isFinished = false
    /// Bytes the sink has taken: stands still when nobody reads.
    private(set) var passedBytes = 0
    private let tap: @LoopActor (UnsafeRawBufferPointer) -> Void
    private let report: @LoopActor (Event) -> Void

    /// - Parameter tap: sees each chunk after the sink has been offered it; the bytes are gone when it returns.
    init(
        from source: consuming ByteStream, to sink: consuming ByteStream?,
        tap: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void, report: @escaping @LoopActor (Event) -> Void
    ) {
        self.source = consume source
        self.sink = consume sink
        self.tap = tap
        self.report = report
    }

    func start() throws(SystemError) {
        if let fd = source?.fd { sourceWatch = try EventLoop.main.watch(fd, .readable, self) }
        if let fd = sink?.fd { sinkWatch = try EventLoop.main.watch(fd, .hangup, self) }
    }

    // MARK: From outside

    /// Leaves the source unread, or reads it again.
    func hold(_ isHeld: Bool) {
        guard self.isHeld != isHeld else { return }
        self.isHeld = isHeld
        updateInterest()
        drain()
    }

    /// The source's writer has gone: what lies in the pipe now is the last, even if someone else holds its other end
    /// open and goes on writing.
    func finishWhenEmpty() {
        guard owedBytes == nil else { return }
        owedBytes = source?.waitingBytes ?? 0
        drain()
    }

    /// Stops reading; what was read is still written, then the sink is closed.
    func endSource() {
        guard !sourceHasEnded else { return }
        sourceHasEnded = true
        sourceWatch?.cancel()
        source = nil
        if backlog.isEmpty { finish() }
    }

    /// Closes the sink at once, written or not; the source is read on.
    func dropSink() {
        closeSink()
        drain()
    }

    private func closeSink() {
        sinkWatch?.cancel()
        sink = nil
        backlog = []
        updateInterest()
        if sourceHasEnded { finish() }
    }

    // MARK: The flow

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        if watch === sourceWatch { readOnce() } else { sinkIsReady(readiness) }
        drain()
    }

    private var canRead: Bool { !sourceHasEnded && !isHeld && backlog.isEmpty }

    /// Reads what is owed, as far as the sink takes it. No event would tell of it: the writer may have gone while
    /// nothing was left.
    private func drain() {
        while canRead, let owed = owedBytes {
            if owed == 0 { endSource() } else { readOnce() }
        }
    }

    private func readOnce() {
        guard canRead else { return }
        let room = EventLoop.main.readChunk
        let limit = min(room.count, owedBytes ?? room.count)
        guard let outcome = source?.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<limit])) else { return }
        switch outcome {
        case .bytes(let count):
            if let owed = owedBytes { owedBytes = owed - count }
            let chunk = UnsafeRawBufferPointer(rebasing: room[..<count])
            pass(chunk)
            tap(chunk)
        case .wouldBlock: if owedBytes != nil { owedBytes = 0 }
        case .endOfStream, .failed: endSource()
        }
    }

    private func pass(_ chunk: UnsafeRawBufferPointer) {
        let written = write(chunk)
        guard sink != nil, written < chunk.count else { return }
        backlog = Array(chunk[written...])
        updateInterest()
    }

    private func sinkIsReady(_ readiness: Readiness) {
        if backlog.isEmpty {
            // Only a hang-up is reported now: whoever read has gone.
            if !readiness.isDisjoint(with: .hangup) { sinkFailed() }
            return
        }
        let written = backlog.withUnsafeBytes { write($0) }
        guard sink != nil else { return }
        backlog.removeFirst(written)
        guard backlog.isEmpty else { return }
        backlog = []
        if sourceHasEnded { finish() } else { updateInterest() }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        var written = 0
        while written < bytes.count {
            switch sink?.write(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
            case .wrote(let count):
                written += count
                passedBytes += count
            case .wouldBlock, nil: return written
            case .failed:
                sinkFailed()
                return written
            }
        }
        return written
    }

    /// Nothing is read from here: the chunk that is being passed has still to be tapped.
    private func sinkFailed() {
        guard sink != nil else { return }
        closeSink()
        report(.sinkFailed)
    }

    private func finish() {
        sinkWatch?.cancel()
        sink = nil
        guard !isFinished else { return }
        isFinished = true
        report(.finished)
    }

    private func updateInterest() {
        sourceWatch?.wait(for: canRead ? .readable : [])
        sinkWatch?.wait(for: backlog.isEmpty ? .hangup : .writable)
    }
}
