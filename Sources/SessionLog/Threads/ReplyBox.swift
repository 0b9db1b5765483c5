import Synchronization

/// The replies that the caller has not collected yet. As many as it has requests in flight, so the caller bounds it.
final class ReplyBox: Sendable {
    private struct State {
        var replies: [Reply] = []
        var isAnnounced = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func add(_ replies: [Reply]) {
        guard !replies.isEmpty else { return }
        let mustWake = state.withLock { state in
            state.replies += replies
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if mustWake { wake() }
    }

    func take() -> [Reply] {
        state.withLock { state in
            var taken: [Reply] = []
            swap(&taken, &state.replies)
            state.isAnnounced = false
            return taken
        }
    }
}
