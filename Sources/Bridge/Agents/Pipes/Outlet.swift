import EventLoop

/// Writes to one descriptor, and keeps what it does not take. The one who writes stops at the first byte kept, so that
/// this is one read chunk and a few lines of the bridge's own at most.
@LoopActor final class Outlet: PollHandler {
    enum Event {
        /// All that was kept has been taken.
        case hasRoom
        /// Nobody reads any more; what was kept is gone.
        case failed
        /// All was written, and the descriptor is closed.
        case closed
    }

    private var stream: ByteStream?
    private var watch: Watch?
    private var backlog: [UInt8] = []
    private var isClosing = false
    /// Bytes that were taken: stands still when nobody reads.
    private(set) var passedBytes = 0
    private let report: @LoopActor (Event) -> Void

    init(_ stream: consuming ByteStream, report: @escaping @LoopActor (Event) -> Void) {
        self.stream = consume stream
        self.report = report
    }

    /// As it was handed over; nil was closed.
    init(_ state: State?, report: @escaping @LoopActor (Event) -> Void) {
        self.report = report
        guard let state else { return }
        stream = ByteStream(Descriptor(owning: state.fd))
        backlog = state.backlog
        isClosing = state.isClosing
    }

    /// To go on in another program.
    struct State: Codable {
        var fd: Int32
        var backlog: [UInt8]
        var isClosing: Bool
    }

    var state: State? {
        guard let fd = stream?.fd else { return nil }
        return State(fd: fd, backlog: backlog, isClosing: isClosing)
    }

    var isOpen: Bool { stream != nil }
    var isEmpty: Bool { backlog.isEmpty }

    func start() throws(SystemError) {
        guard let fd = stream?.fd else { return }
        watch = try EventLoop.main.watch(fd, backlog.isEmpty ? .hangup : .writable, self)
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        guard stream != nil, !isClosing else { return }
        guard backlog.isEmpty else { return backlog.append(contentsOf: bytes) }
        let written = offer(bytes)
        guard stream != nil, written < bytes.count else { return }
        backlog = Array(bytes[written...])
        watch?.wait(for: .writable)
    }

    /// Closes when all has been taken.
    func closeWhenEmpty() {
        isClosing = true
        if backlog.isEmpty { close(.closed) }
    }

    /// Closes at once, written or not.
    func drop() { close(.closed) }

    private func close(_ event: Event) {
        guard stream != nil else { return }
        watch?.cancel()
        stream = nil
        backlog = []
        report(event)
    }

    /// Told when the loop comes back to it: whoever writes is in the middle of something.
    private func fail() {
        guard stream != nil else { return }
        watch?.cancel()
        stream = nil
        backlog = []
        EventLoop.main.schedule(after: .zero) { [self] in report(.failed) }
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        guard !backlog.isEmpty else {
            // Only a hang-up is reported now: whoever read has gone.
            if !readiness.isDisjoint(with: .hangup) { close(.failed) }
            return
        }
        let written = backlog.withUnsafeBytes { offer($0) }
        guard stream != nil else { return }
        backlog.removeFirst(written)
        guard backlog.isEmpty else { return }
        backlog = []
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
