import EventLoop
import HTTP1
import Synchronization
import WebSocket

/// What a connection's thread and its users leave for each other.
final class ConnectionMailbox: Sendable {
    typealias Waiter<Value> = CheckedContinuation<Result<Value, TransportFailure>, Never>

    /// What `send` may leave behind: enough for any burst of requests.
    static let outboxLimitBytes = 256 << 10

    struct State {
        fileprivate(set) var isOpen = false
        /// The header of the answer that opened it.
        fileprivate(set) var answer = Headers()
        fileprivate(set) var ending: TransportFailure?
        /// With which code the users want to end it.
        fileprivate(set) var closeCode: CloseCode?
        /// Bounded by ``MessageBatch/sizeHintBytes`` and what one read adds: a thread that finds it full reads no more.
        fileprivate var inbox = MessageBatch()
        fileprivate var isReadingPaused = false
        /// Whole frames. Bounded by ``ConnectionMailbox/outboxLimitBytes`` and what one `send` is given.
        fileprivate var outbox: [UInt8] = []
        /// The outbox, and what the thread has taken from it and not sent.
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

    /// - Parameter frames: whole ones.
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
        // It may have been sent, and then the connection have ended.
        try await wait(at: \.sending) { state in
            state.hasRoom ? .success(()) : state.reasonNotToSend.map { .failure($0) }
        }
    }

    /// Has the thread end the connection, or the attempt at one.
    func leave(code: CloseCode = .normalClosure) {
        state.withLock { $0.closeCode = $0.closeCode ?? code }
        wakeUp.signal()
    }

    func waitForEnd() async {
        _ = try? await wait(at: \.closing) { $0.ending == nil ? nil : .success(()) }
    }

    /// Waits for the thread to call the waiter at `place`, unless `outcome` is there at once.
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
            take(place)?.resume(returning: .failure(.cancelled))
        }
        return try result.get()
    }

    private func take<Value>(_ place: WritableKeyPath<State, Waiter<Value>?>) -> Waiter<Value>? {
        state.withLock { state in
            defer { state[keyPath: place] = nil }
            return state[keyPath: place]
        }
    }
}

// MARK: The thread's side

extension ConnectionMailbox {
    /// What the users want done.
    struct Orders {
        /// Whole frames to send.
        var frames: [UInt8] = []
        /// The users have room for what is read.
        var mayRead: Bool
        /// They want the connection closed with this code.
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
            return state.take(\.opening)
        }
        waiter?.resume(returning: .success(()))
    }

    /// Bytes came, and perhaps made messages.
    func deliver(_ batch: MessageBatch) {
        let waiter = state.withLock { state -> (Waiter<MessageBatch>, MessageBatch)? in
            state.lastHeard = .now
            // Nobody will ask for it any more.
            guard state.closeCode == nil else { return nil }
            state.inbox.append(batch)
            guard !state.inbox.isEmpty, let waiter = state.take(\.receiving) else { return nil }
            return (waiter, state.takeInbox())
        }
        if let (waiter, batch) = waiter { waiter.resume(returning: .success(batch)) }
    }

    /// So many bytes of what was ordered have gone.
    func sent(byteCount: Int) {
        let waiter = state.withLock { state in
            state.unsentBytes -= byteCount
            return state.hasRoom ? state.take(\.sending) : nil
        }
        waiter?.resume(returning: .success(()))
    }

    /// The last call: the thread ends.
    func ended(_ failure: TransportFailure) {
        let (opening, receiving, sending, closing) = state.withLock { state in
            state.ending = failure
            state.outbox = []
            return (state.take(\.opening), state.take(\.receiving), state.take(\.sending), state.take(\.closing))
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

    fileprivate mutating func take<Value>(
        _ place: WritableKeyPath<Self, ConnectionMailbox.Waiter<Value>?>
    ) -> ConnectionMailbox.Waiter<Value>? {
        defer { self[keyPath: place] = nil }
        return self[keyPath: place]
    }
}
