import EventLoop

/// How many pages of the log are on their way at once, so that a thousand readers who fall behind together do not ask
/// for a thousand pages of memory. The others wait their turn.
@LoopActor final class PageReads {
    static let limit = 16

    private var inFlight = 0
    private var waiting: [@LoopActor () -> Void] = []

    /// Runs `read` now or when there is room. Each must be followed by one `finished`.
    func begin(_ read: @escaping @LoopActor () -> Void) {
        guard inFlight < Self.limit else { return waiting.append(read) }
        inFlight += 1
        read()
    }

    func finished() {
        inFlight -= 1
        guard !waiting.isEmpty else { return }
        inFlight += 1
        waiting.removeFirst()()
    }
}
