import Synchronization

/// One direction of a connection within a process: texts in order, as many as fit.
final class MessageChannel: Sendable {
    private struct State {
        var batch = MessageBatch()
        var end: TransportFailure?
        /// Counts changes, so that nobody waits for one that has been.
        var changes = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func change() -> [CheckedContinuation<Void, Never>] {
            changes += 1
            defer { waiting = [] }
            return waiting
        }
    }

    /// While more than this waits for the reader, a writer waits.
    private let limitBytes: Int
    private let state = Mutex(State())

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    func send(_ text: [UInt8]) async throws(TransportFailure) {
        try await attempt { state -> Result<Void, TransportFailure>? in
            if let end = state.end { return .failure(end) }
            guard state.batch.bytes.count <= self.limitBytes else { return nil }
            state.batch.append(text)
            return .success(())
        }
    }

    func receive() async throws(TransportFailure) -> MessageBatch {
        try await attempt { state -> Result<MessageBatch, TransportFailure>? in
            if state.batch.isEmpty { return state.end.map { .failure($0) } }
            defer { state.batch = MessageBatch() }
            return .success(state.batch)
        }
    }

    /// What is in can still be received, unless it is discarded.
    func end(_ failure: TransportFailure, discarding: Bool = false) {
        change { state in
            if state.end == nil { state.end = failure }
            if discarding { state.batch = MessageBatch() }
        }
    }

    /// Tries until there is an outcome, again after each change.
    private func attempt<Value: Sendable>(
        _ step: (inout State) -> Result<Value, TransportFailure>?
    ) async throws(TransportFailure) -> Value {
        while true {
            let (outcome, changes) = state.withLock { (step(&$0), $0.changes) }
            if let outcome {
                change { _ in }
                return try outcome.get()
            }
            if Task.isCancelled { throw .cancelled }
            await waitForChange(after: changes)
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            return state.change()
        }
        for waiter in waiting { waiter.resume() }
    }

    private func waitForChange(after changes: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasChanged = state.withLock { state in
                    guard state.changes == changes, !Task.isCancelled else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if hasChanged { continuation.resume() }
            }
        } onCancel: {
            change { _ in }
        }
    }
}
