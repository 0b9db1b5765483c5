import EventLoop
import Posix

/// Writes to one descriptor and keeps the bytes that the descriptor does not take. The caller limits them: see ``keptBytes``.
@LoopActor package final class PipeWriter: PollHandler {
    package enum Event {
        /// All kept bytes have been written.
        case hasRoom
        /// The reader has gone, and the kept bytes are lost.
        case failed
        /// All bytes were written, and the descriptor is closed.
        case closed
    }

    /// Used for each write. Its functions call nothing outside of it, so two uses cannot overlap.
    @exclusivity(unchecked) private var stream: ByteStream?
    private var watch: Watch?
    private var backlog = UnwrittenBytes()
    private var isClosing = false
    /// The number of bytes written. It does not grow while the reader does not read.
    package private(set) var passedBytes = 0
    private let loop: LoopServices
    private let report: @LoopActor (Event) -> Void

    package init(
        _ stream: consuming ByteStream, loop: LoopServices = .main, report: @escaping @LoopActor (Event) -> Void
    ) {
        self.stream = consume stream
        self.loop = loop
        self.report = report
    }

    /// Continues with a state that was handed over. Nil means that it was closed.
    package init(_ state: State?, loop: LoopServices = .main, report: @escaping @LoopActor (Event) -> Void) {
        self.loop = loop
        self.report = report
        guard let state else { return }
        stream = ByteStream(Descriptor(owning: state.fd))
        backlog = UnwrittenBytes(state.backlog)
        isClosing = state.isClosing
    }

    /// The state for the hand-over to another program.
    package struct State: Codable {
        package var fd: Int32
        var backlog: [UInt8]
        var isClosing: Bool

        package init(fd: Int32, backlog: [UInt8], isClosing: Bool) {
            self.fd = fd
            self.backlog = backlog
            self.isClosing = isClosing
        }
    }

    package var state: State? {
        guard let fd = stream?.fd else { return nil }
        return State(fd: fd, backlog: backlog.array, isClosing: isClosing)
    }

    /// The bytes that wait until the descriptor takes them.
    package var keptBytes: Int { backlog.count }

    package var isOpen: Bool { stream != nil }
    package var isEmpty: Bool { backlog.isEmpty }

    package func start() throws(SystemError) {
        guard let fd = stream?.fd else { return }
        watch = try loop.poller.watch(fd, backlog.isEmpty ? .hangup : .writable, self)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) {
        guard stream != nil, !isClosing else { return }
        guard backlog.isEmpty else { return backlog.append(contentsOf: bytes) }
        let written = offer(bytes)
        guard stream != nil, written < bytes.count else { return }
        backlog.append(contentsOf: bytes[written...])
        watch?.wait(for: .writable)
    }

    /// Closes the descriptor when all kept bytes are written.
    package func closeWhenEmpty() {
        isClosing = true
        if backlog.isEmpty { close(.closed) }
    }

    /// Closes the descriptor at once and discards the kept bytes.
    package func drop() { close(.closed) }

    /// Stops writing and returns the descriptor with the kept bytes, which the caller then owns. Nil if the stream is
    /// closed. No event is reported.
    package func release() -> State? {
        guard let state else { return nil }
        watch?.cancel()
        watch = nil
        backlog.removeAll()
        _ = stream.take()?.release()
        return state
    }

    private func close(_ event: Event) {
        guard stream != nil else { return }
        watch?.cancel()
        stream = nil
        backlog.removeAll()
        report(event)
    }

    /// Reports the failure in a later turn of the loop, because the caller of `write` is in the middle of its own work.
    private func fail() {
        guard stream != nil else { return }
        watch?.cancel()
        stream = nil
        backlog.removeAll()
        loop.timers.soon { [self] in report(.failed) }
    }

    package func pollReady(_ watch: Watch, _ readiness: Readiness) {
        guard !backlog.isEmpty else {
            // Only a hang-up can be reported here: the reader has gone.
            if !readiness.isDisjoint(with: .hangup) { close(.failed) }
            return
        }
        let written = backlog.withUnsafeBytes { offer($0) }
        guard stream != nil else { return }
        backlog.removeFirst(written)
        guard backlog.isEmpty else { return }
        if isClosing { return close(.closed) }
        watch.wait(for: .hangup)
        report(.hasRoom)
    }

    private func offer(_ bytes: UnsafeRawBufferPointer) -> Int {
        var written = 0
        while written < bytes.count {
            switch stream?.write(UnsafeRawBufferPointer(rebasing: bytes[written...])) {
            case .wrote(let count):
                written += count
                passedBytes += count
            case .wouldBlock, nil: return written
            case .failed:
                fail()
                return written
            }
        }
        return written
    }
}
