import SessionRecords
import Synchronization

/// The replies that the caller has not collected yet. The caller bounds their number by its requests in flight.
final class ReplyBox: Sendable {
    private struct State {
        var replies: [LogReply] = []
        var isAnnounced = false
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func add(_ replies: [LogReply]) {
        guard !replies.isEmpty else { return }
        let mustWake = state.withLock { state in
            state.replies += replies
            defer { state.isAnnounced = true }
            return !state.isAnnounced
        }
        if mustWake { wake() }
    }

    func drain() -> [LogReply] {
        state.withLock { state in
            var taken: [LogReply] = []
            swap(&taken, &state.replies)
            state.isAnnounced = false
            return taken
        }
    }
}
