import EventLoop

/// Reads one descriptor, chunk by chunk, while nobody holds it. What is not read stays with the writer, who is slowed
/// down by that as if the reader at the far end were joined to it directly.
@LoopActor final class Inlet: PollHandler {
    /// Why it is left unread.
    struct Hold: OptionSet, Sendable {
        let rawValue: UInt8
        /// What was read last has not been taken yet.
        static let sinkIsFull = Hold(rawValue: 1)
        /// Too much waits to be stored.
        static let logIsBehind = Hold(rawValue: 2)
        /// Another program is about to read on.
        static let isHandedOver = Hold(rawValue: 4)
    }

    private var stream: ByteStream?
    private var watch: Watch?
    private var holds: Hold = []
    /// Once the writer has gone: how much of what it left is still to be read.
    private var owedBytes: Int?
    private(set) var hasEnded = false
    private let take: @LoopActor (UnsafeRawBufferPointer) -> Void
    private let ended: @LoopActor () -> Void

    /// - Parameters:
    ///   - take: given each chunk; its bytes are gone when it returns.
    ///   - ended: called once, after the last chunk, or when it was closed.
    init(
        _ stream: consuming ByteStream, take: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void,
        ended: @escaping @LoopActor () -> Void
    ) {
        self.stream = consume stream
        self.take = take
        self.ended = ended
    }

    /// As it was handed over: a descriptor; nil was closed.
    init(
        _ state: Int32?, take: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void,
        ended: @escaping @LoopActor () -> Void
    ) {
        self.take = take
        self.ended = ended
        if let state { stream = ByteStream(Descriptor(owning: state)) } else { hasEnded = true }
    }

    /// What lies there unread.
    var waitingBytes: Int { stream?.waitingBytes ?? 0 }

    /// To go on in another program: there is nothing but the descriptor.
    var state: Int32? { stream?.fd }

    func start() throws(SystemError) {
        guard let fd = stream?.fd else { return }
        watch = try EventLoop.main.watch(fd, holds.isEmpty ? .readable : [], self)
    }

    func isHeld(_ reason: Hold) -> Bool { holds.contains(reason) }

    func hold(_ reason: Hold, _ isHeld: Bool) {
        let before = holds
        if isHeld { holds.insert(reason) } else { holds.remove(reason) }
        guard holds.isEmpty != before.isEmpty else { return }
        watch?.wait(for: holds.isEmpty ? .readable : [])
        drain()
    }

    /// The writer has gone: what lies in the pipe now is the last, even if someone else holds its other end open and
    /// goes on writing.
    func finishWhenEmpty() {
        guard owedBytes == nil else { return }
        owedBytes = stream?.waitingBytes ?? 0
        drain()
    }

    /// Reads no more.
    func close() {
        guard !hasEnded else { return }
        hasEnded = true
        watch?.cancel()
        stream = nil
        ended()
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        readOnce()
        drain()
    }

    /// Reads what is owed, as far as it is taken. No event would tell of it: the writer may have gone while nothing was
    /// left.
    private func drain() {
        while holds.isEmpty, !hasEnded, let owed = owedBytes {
            if owed == 0 { close() } else { readOnce() }
        }
    }

    private func readOnce() {
        guard holds.isEmpty, !hasEnded else { return }
        let room = EventLoop.main.readChunk
        let limit = min(room.count, owedBytes ?? room.count)
        guard let outcome = stream?.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<limit])) else { return }
        switch outcome {
        case .bytes(let count):
            if let owed = owedBytes { owedBytes = owed - count }
            take(UnsafeRawBufferPointer(rebasing: room[..<count]))
        case .wouldBlock: if owedBytes != nil { owedBytes = 0 }
        case .endOfStream, .failed: close()
        }
    }
}
