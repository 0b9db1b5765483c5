import EventLoop
import Posix

/// Reads one descriptor in chunks unless it is held. Unread bytes stay in the pipe, so the writer slows down as if the
/// final reader were connected to it directly.
@LoopActor package final class PipeReader: PollHandler {
    /// A reason not to read.
    package struct Hold: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The destination has not taken the last chunk yet.
        package static let sinkIsFull = Hold(rawValue: 1)
        /// Too many bytes wait for storage.
        package static let logIsBehind = Hold(rawValue: 2)
        /// Another program is about to continue reading.
        package static let isHandedOver = Hold(rawValue: 4)
        /// Other agents' updates go first (``FloodLimit``).
        package static let isFlooding = Hold(rawValue: 8)
    }

    /// Used for each read. Its functions call nothing outside of it, so two uses cannot overlap.
    @exclusivity(unchecked) private var stream: ByteStream?
    private var watch: Watch?
    private var holds: Hold = []
    /// The number of bytes still to read after the writer has gone; nil before that.
    private var owedBytes: Int?
    package private(set) var hasEnded = false
    private let poller: any Poller
    private let receive: @LoopActor (UnsafeRawBufferPointer) -> Void
    private let ended: @LoopActor () -> Void

    /// - Parameters:
    ///   - receive: Receives each chunk. The bytes are valid only during the call.
    ///   - ended: Called once, after the last chunk or after `close()`.
    package init(
        _ stream: consuming ByteStream, loop: LoopServices = .main,
        receive: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void,
        ended: @escaping @LoopActor () -> Void
    ) {
        self.stream = consume stream
        poller = loop.poller
        self.receive = receive
        self.ended = ended
    }

    /// Continues with a descriptor that was handed over. Nil means that it was closed.
    package init(
        _ state: Int32?, loop: LoopServices = .main,
        receive: @escaping @LoopActor (UnsafeRawBufferPointer) -> Void,
        ended: @escaping @LoopActor () -> Void
    ) {
        poller = loop.poller
        self.receive = receive
        self.ended = ended
        if let state { stream = ByteStream(Descriptor(owning: state)) } else { hasEnded = true }
    }

    /// The number of unread bytes in the pipe.
    package var waitingBytes: Int { stream?.waitingBytes ?? 0 }

    /// The state for the hand-over to another program. It is only the descriptor.
    package var state: Int32? { stream?.fd }

    package func start() throws(SystemError) {
        guard let fd = stream?.fd else { return }
        watch = try poller.watch(fd, holds.isEmpty ? .readable : [], self)
    }

    package func isHeld(_ reason: Hold) -> Bool { holds.contains(reason) }

    package func hold(_ reason: Hold, _ isHeld: Bool) {
        let before = holds
        if isHeld { holds.insert(reason) } else { holds.remove(reason) }
        guard holds.isEmpty != before.isEmpty else { return }
        watch?.wait(for: holds.isEmpty ? .readable : [])
        drain()
    }

    /// Call when the writer has gone. Only the bytes that are in the pipe now will be read, even if another process
    /// holds the pipe's other end open and continues to write.
    package func finishWhenEmpty() {
        guard owedBytes == nil else { return }
        owedBytes = stream?.waitingBytes ?? 0
        drain()
    }

    /// Stops reading for good.
    package func close() {
        guard !hasEnded else { return }
        hasEnded = true
        watch?.cancel()
        stream = nil
        ended()
    }

    /// Stops reading and returns the descriptor, which the caller then owns. Nil if the stream has ended. `ended` is not
    /// called.
    package func release() -> Int32? {
        guard !hasEnded else { return nil }
        hasEnded = true
        watch?.cancel()
        watch = nil
        return stream.take()?.release()
    }

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        readOnce()
        drain()
    }

    /// Reads the remaining bytes as far as the destination takes them. No event would report them, because the pipe may
    /// already be empty when the writer ends.
    private func drain() {
        while holds.isEmpty, !hasEnded, let owed = owedBytes {
            if owed == 0 { close() } else { readOnce() }
        }
    }

    private func readOnce() {
        guard holds.isEmpty, !hasEnded else { return }
        let room = poller.readChunk
        let limit = min(room.count, owedBytes ?? room.count)
        guard let outcome = stream?.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<limit])) else { return }
        switch outcome {
        case .bytes(let count):
            if let owed = owedBytes { owedBytes = owed - count }
            receive(UnsafeRawBufferPointer(rebasing: room[..<count]))
        case .wouldBlock: if owedBytes != nil { owedBytes = 0 }
        case .endOfStream, .failed: close()
        }
    }
}
