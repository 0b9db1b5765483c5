/// The state of one `URLSessionWebSocketTask`. Events of the task, its delegate, its timers and its user come in, calls
/// go out. Pure: it has no clock and calls nothing.
///
/// A task that fails calls several functions in no fixed order: the pending receive, the pending send, the delegate's
/// close and its completion. The first of the last two decides; a failed receive or send alone waits for them for
/// ``endingTime``.
package struct WebSocketTaskMachine: Sendable {
    package enum Event: Sendable, Equatable {
        // The task and its delegate.
        case opened
        case receivedText([UInt8])
        case receivedBinary([UInt8])
        case sent(byteCount: Int)
        /// A receive or a send has failed.
        case failed(TaskError)
        /// The peer's close frame. `code` is nil if it had none.
        case closed(code: UInt16?, reason: String)
        /// The last event of each task.
        case completed(TaskError?, HandshakeAnswer?)
        case timeUp(Timer)
        // The user.
        case read
        case readCancelled
        case write([[UInt8]])
        case close(code: UInt16)
        /// No user holds the connection any longer, or the attempt to connect was cancelled.
        case released
    }

    package enum Action: Sendable, Equatable {
        /// Nil: the connection is open.
        case finishConnecting(TransportFailure?)
        /// Request one message from the task.
        case receive
        /// Pass one text to the task.
        case send([UInt8])
        case finishReading(MessageBatch)
        case failReading(TransportFailure)
        /// Nil: the texts were passed on, or the connection has room for them.
        case finishWriting(TransportFailure?)
        case finishClosing
        case sendClose(code: UInt16)
        case cancelTask
        case start(Timer)
    }

    package enum Timer: Sendable, Equatable {
        /// The time for the attempt to connect; see ``ConnectionRequest/timeout``.
        case connecting
        /// ``WebSocketTaskMachine/endingTime``.
        case ending
    }

    /// The time that a closed or failed task has to report its end.
    package static let endingTime = Duration.seconds(2)
    /// Texts that the task has not sent yet. Above this limit, `send` waits.
    package static let sendLimitBytes = 256 << 10

    private enum State: Sendable {
        case connecting
        case open
        /// The task has failed or was closed here, and has not reported its end.
        case ending(TransportFailure)
        case ended(TransportFailure)
    }

    private let messageLimitBytes: Int
    private var state = State.connecting
    /// Messages for the next read. No message is requested from the task once they have
    /// ``MessageBatch/sizeHintBytes``, so they are at most that size plus one message. The task itself reads ahead.
    private var received = MessageBatch()
    /// The task has a pending receive; it accepts several, but one keeps the order.
    private var isReceiving = false
    private var isReading = false
    /// Texts of the current write that were not passed to the task. The task has at most ``sendLimitBytes`` plus one text.
    private var unsent: ArraySlice<[UInt8]> = []
    private var unconfirmedBytes = 0
    private var isWriting = false
    private var isClosing = false

    package init(messageLimitBytes: Int) { self.messageLimitBytes = messageLimitBytes }

    /// The calls that start the attempt to connect. The owner resumes the task itself.
    package static let firstActions: [Action] = [.start(.connecting)]

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .opened: opened()
        case .receivedText(let text): received { $0.append(text) }
        case .receivedBinary(let binary): received { $0.keep(binary: binary) }
        case .sent(let byteCount): sent(byteCount)
        case .failed(let error): failed(error)
        case .closed(let code, let reason): end(.closed(code: code, reason: reason))
        case .completed(let error, let answer): completed(error, answer)
        case .timeUp(let timer): timeUp(timer)
        case .read: read()
        case .readCancelled: readCancelled()
        case .write(let texts): write(texts)
        case .close(let code): close(code)
        case .released: released()
        }
    }

    // MARK: Opening

    private mutating func opened() -> [Action] {
        guard case .connecting = state else { return [] }
        state = .open
        isReceiving = true
        return [.finishConnecting(nil), .receive]
    }

    private mutating func timeUp(_ timer: Timer) -> [Action] {
        switch (timer, state) {
        case (.connecting, .connecting): [.cancelTask] + end(.timedOut)
        case (.ending, .ending(let failure)): [.cancelTask] + end(failure)
        default: []
        }
    }

    // MARK: Reading

    private mutating func received(_ add: (inout MessageBatch) -> Void) -> [Action] {
        isReceiving = false
        guard case .open = state else { return [] }
        add(&received)
        return deliver() + receiveMore()
    }

    private mutating func receiveMore() -> [Action] {
        guard case .open = state, !isReceiving, received.bytes.count < MessageBatch.sizeHintBytes else { return [] }
        isReceiving = true
        return [.receive]
    }

    private mutating func read() -> [Action] {
        isReading = true
        return deliver() + receiveMore()
    }

    private mutating func readCancelled() -> [Action] {
        guard isReading else { return [] }
        isReading = false
        return [.failReading(.cancelled)]
    }

    /// Passes on what was received; the end comes after the last whole message.
    private mutating func deliver() -> [Action] {
        guard isReading else { return [] }
        if !received.isEmpty {
            isReading = false
            defer { received = MessageBatch() }
            return [.finishReading(received)]
        }
        guard case .ended(let failure) = state else { return [] }
        isReading = false
        return [.failReading(failure)]
    }

    // MARK: Writing

    private mutating func write(_ texts: [[UInt8]]) -> [Action] {
        switch state {
        case .connecting, .open:
            isWriting = true
            unsent = texts[...]
            return sendMore()
        case .ending(let failure), .ended(let failure): return [.finishWriting(failure)]
        }
    }

    private mutating func sent(_ byteCount: Int) -> [Action] {
        unconfirmedBytes -= byteCount
        return sendMore()
    }

    private mutating func sendMore() -> [Action] {
        guard case .open = state, isWriting else { return [] }
        var actions: [Action] = []
        while unconfirmedBytes < Self.sendLimitBytes, let text = unsent.popFirst() {
            unconfirmedBytes += text.count
            actions.append(.send(text))
        }
        guard unsent.isEmpty, unconfirmedBytes < Self.sendLimitBytes else { return actions }
        isWriting = false
        return actions + [.finishWriting(nil)]
    }

    // MARK: The end

    private mutating func close(_ code: UInt16) -> [Action] {
        switch state {
        case .connecting:
            isClosing = true
            return [.cancelTask] + end(.closed(code: code, reason: ""))
        case .open:
            isClosing = true
            state = .ending(.closed(code: code, reason: ""))
            return [.sendClose(code: code), .start(.ending)] + failWriting()
        case .ending:
            isClosing = true
            return []
        case .ended: return [.finishClosing]
        }
    }

    private mutating func failed(_ error: TaskError) -> [Action] {
        guard case .open = state else { return [] }
        let failure = error.failureOfConnection(messageLimitBytes: messageLimitBytes)
        state = .ending(failure)
        return [.start(.ending)] + failWriting()
    }

    private mutating func completed(_ error: TaskError?, _ answer: HandshakeAnswer?) -> [Action] {
        switch state {
        case .connecting:
            // Foundation reports an answer other than 101 as a bad server response.
            if let answer, answer.status != 101 {
                return end(TransportFailure(status: answer.status, retryAfter: answer.retryAfter, reason: ""))
            }
            return end(error?.failureToConnect() ?? .unreachable(reason: "the connection ended unanswered"))
        case .open:
            let failure = error?.failureOfConnection(messageLimitBytes: messageLimitBytes)
            return end(failure ?? .lost(reason: "the connection ended without a close frame"))
        case .ending(let failure): return end(failure)
        case .ended: return []
        }
    }

    private mutating func released() -> [Action] {
        guard case .ended = state else { return [.cancelTask] + end(.cancelled) }
        return []
    }

    private mutating func end(_ failure: TransportFailure) -> [Action] {
        let wasConnecting = if case .connecting = state { true } else { false }
        if case .ended = state { return [] }
        state = .ended(failure)
        var actions: [Action] = wasConnecting ? [.finishConnecting(failure)] : []
        actions += deliver() + failWriting()
        if isClosing { actions.append(.finishClosing) }
        isClosing = false
        return actions
    }

    private mutating func failWriting() -> [Action] {
        guard isWriting, let failure = endingFailure else { return [] }
        isWriting = false
        unsent = []
        return [.finishWriting(failure)]
    }

    private var endingFailure: TransportFailure? {
        switch state {
        case .connecting, .open: nil
        case .ending(let failure), .ended(let failure): failure
        }
    }
}
