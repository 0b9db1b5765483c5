import Synchronization
import TinyvexTransport

/// One direction of an in-process connection: texts in order, up to a limit in bytes.
final class MessageChannel: Sendable {
    private struct State {
        var batch = MessageBatch()
        var end: TransportFailure?
        /// Counts changes, so that no task waits for a change that has already happened.
        var changes = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func change() -> [CheckedContinuation<Void, Never>] {
            changes += 1
            defer { waiting = [] }
            return waiting
        }
    }

    /// A writer waits while more bytes than this wait for the reader.
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

    /// Texts that are already in the channel can still be received, unless they are discarded.
    func end(_ failure: TransportFailure, discarding: Bool = false) {
        change { state in
            if state.end == nil { state.end = failure }
            if discarding { state.batch = MessageBatch() }
        }
    }

    /// Retries after each change until there is an outcome.
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
