import EventLoop
import HTTP1
import Posix
import Synchronization
import TinyvexTransport
import WebSocket

/// The shared state of a connection's thread and its users.
final class ConnectionMailbox: Sendable {
    typealias Waiter<Value> = CheckedContinuation<Result<Value, TransportFailure>, Never>

    /// The bytes that can still be unsent when `send` returns: enough for any burst of requests.
    static let outboxLimitBytes = 256 << 10

    struct State {
        fileprivate(set) var isOpen = false
        /// The header of the answer that opened the connection.
        fileprivate(set) var answer = Headers()
        fileprivate(set) var ending: TransportFailure?
        /// The code with which the users want to close the connection.
        fileprivate(set) var closeCode: CloseCode?
        /// Bounded by ``MessageBatch/sizeHintBytes`` plus the bytes of one read: a thread that finds it full stops
        /// reading.
        fileprivate var inbox = MessageBatch()
        fileprivate var isReadingPaused = false
        /// Whole frames. Bounded by ``ConnectionMailbox/outboxLimitBytes`` plus the bytes of one `send`.
        fileprivate var outbox: [UInt8] = []
        /// The bytes in the outbox, plus the bytes that the thread has taken and not sent yet.
        fileprivate var unsentBytes = 0
        fileprivate var lastHeard = ContinuousClock.now
        fileprivate var opening: Waiter<Void>?
        fileprivate var receiving: Waiter<MessageBatch>?
        fileprivate var sending: Waiter<Void>?
        fileprivate var closing: Waiter<Void>?
    }

    private let state = Mutex(State())
    let wakeUp: WakeUp

    init() throws(SystemError) { wakeUp = try WakeUp() }
}

// MARK: The users' side

extension ConnectionMailbox {
    var lastHeard: ContinuousClock.Instant { state.withLock { $0.lastHeard } }
    var answer: Headers { state.withLock { $0.answer } }

    func waitUntilOpen() async throws(TransportFailure) {
        try await wait(at: \.opening) { $0.isOpen ? .success(()) : $0.ending.map { .failure($0) } }
    }

    func receive() async throws(TransportFailure) -> MessageBatch {
        try await wait(at: \.receiving) { [wakeUp] state in
            guard !state.inbox.isEmpty else { return state.ending.map { .failure($0) } }
            if state.isReadingPaused { wakeUp.signal() }
            return .success(state.takeInbox())
        }
    }

    /// - Parameter frames: must be whole frames.
    func send(_ frames: [UInt8]) async throws(TransportFailure) {
        try await wait(at: \.sending) { state in
            if let failure = state.reasonNotToSend { return .failure(failure) }
            return state.hasRoom ? .success(()) : nil
        }
        state.withLock { state in
            state.outbox.append(contentsOf: frames)
            state.unsentBytes += frames.count
        }
        wakeUp.signal()
        // The connection can end just after the frames were sent, so check for room before the failure.
        try await wait(at: \.sending) { state in
            state.hasRoom ? .success(()) : state.reasonNotToSend.map { .failure($0) }
        }
    }

    /// Makes the thread end the connection, or the attempt at one.
    func leave(code: CloseCode = .normalClosure) {
        state.withLock { $0.closeCode = $0.closeCode ?? code }
        wakeUp.signal()
    }

    func waitForEnd() async {
        _ = try? await wait(at: \.closing) { $0.ending == nil ? nil : .success(()) }
    }

    /// Returns the `outcome` if there is one at once. Otherwise waits until the thread resumes the waiter at `place`.
    private func wait<Value: Sendable>(
        at place: WritableKeyPath<State, Waiter<Value>?> & Sendable,
        unless outcome: @Sendable (inout State) -> Result<Value, TransportFailure>?
    ) async throws(TransportFailure) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let outcome = state.withLock { state in
                    let outcome = outcome(&state) ?? (Task.isCancelled ? .failure(.cancelled) : nil)
                    if outcome == nil { state[keyPath: place] = waiter }
                    return outcome
                }
                if let outcome { waiter.resume(returning: outcome) }
            }
        } onCancel: {
            takeWaiter(place)?.resume(returning: .failure(.cancelled))
        }
        return try result.get()
    }

    private func takeWaiter<Value>(_ place: WritableKeyPath<State, Waiter<Value>?>) -> Waiter<Value>? {
        state.withLock { state in
            defer { state[keyPath: place] = nil }
            return state[keyPath: place]
        }
    }
}

// MARK: The thread's side

extension ConnectionMailbox {
    /// The users' requests to the thread.
    struct Orders {
        /// Whole frames to send.
        var frames: [UInt8] = []
        /// The users have room for more bytes.
        var mayRead: Bool
        /// The users want the connection closed with this code.
        var closeCode: CloseCode?
    }

    var isLeft: Bool { state.withLock { $0.closeCode != nil } }

    func takeOrders(frames takesFrames: Bool) -> Orders {
        state.withLock { state in
            let isFull = state.inbox.bytes.count >= MessageBatch.sizeHintBytes
            state.isReadingPaused = isFull
            var orders = Orders(mayRead: !isFull, closeCode: state.closeCode)
            if takesFrames { swap(&orders.frames, &state.outbox) }
            return orders
        }
    }

    func opened(_ answer: Headers) {
        let waiter = state.withLock { state in
            state.isOpen = true
            state.answer = answer
            return state.takeWaiter(\.opening)
        }
        waiter?.resume(returning: .success(()))
    }

    /// Handles received bytes, which may or may not have completed messages.
    func deliver(_ batch: MessageBatch) {
        let waiter = state.withLock { state -> (Waiter<MessageBatch>, MessageBatch)? in
            state.lastHeard = .now
            // No user will receive these messages.
            guard state.closeCode == nil else { return nil }
            state.inbox.append(batch)
            guard !state.inbox.isEmpty, let waiter = state.takeWaiter(\.receiving) else { return nil }
            return (waiter, state.takeInbox())
        }
        if let (waiter, batch) = waiter { waiter.resume(returning: .success(batch)) }
    }

    /// The thread has sent this many bytes of the users' frames.
    func sent(byteCount: Int) {
        let waiter = state.withLock { state in
            state.unsentBytes -= byteCount
            return state.hasRoom ? state.takeWaiter(\.sending) : nil
        }
        waiter?.resume(returning: .success(()))
    }

    /// The last call of the thread, which then ends.
    func ended(_ failure: TransportFailure) {
        let (opening, receiving, sending, closing) = state.withLock { state in
            state.ending = failure
            state.outbox = []
            return (
                state.takeWaiter(\.opening), state.takeWaiter(\.receiving), state.takeWaiter(\.sending),
                state.takeWaiter(\.closing)
            )
        }
        opening?.resume(returning: .failure(failure))
        receiving?.resume(returning: .failure(failure))
        sending?.resume(returning: .failure(failure))
        closing?.resume(returning: .success(()))
    }
}

extension ConnectionMailbox.State {
    fileprivate var hasRoom: Bool { unsentBytes <= ConnectionMailbox.outboxLimitBytes }

    fileprivate var reasonNotToSend: TransportFailure? {
        ending ?? closeCode.map { .closed(code: $0.rawValue, reason: "") }
    }

    fileprivate mutating func takeInbox() -> MessageBatch {
        defer { inbox = MessageBatch() }
        return inbox
    }

    fileprivate mutating func takeWaiter<Value>(
        _ place: WritableKeyPath<Self, ConnectionMailbox.Waiter<Value>?>
    ) -> ConnectionMailbox.Waiter<Value>? {
        defer { self[keyPath: place] = nil }
        return self[keyPath: place]
    }
}
