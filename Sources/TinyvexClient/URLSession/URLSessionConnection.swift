#if !os(Linux) || TINYVEX_PORTABLE
    import Foundation
    import Synchronization
    import TinyvexTransport

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// An open connection over URLSession, as its users see it. It closes when it is released.
    final class URLSessionConnection: TransportConnection {
        private let owner: WebSocketTaskOwner

        init(_ urlRequest: URLRequest, _ request: ConnectionRequest, configuration: URLSessionConfiguration) {
            owner = WebSocketTaskOwner(urlRequest, request, configuration: configuration)
        }

        deinit { owner.handle(.released) }

        func open() async throws(TransportFailure) {
            try await withTaskCancellationHandler { () async -> Result<Void, TransportFailure> in
                await owner.open()
            } onCancel: { [owner] in
                owner.handle(.released)
            }.get()
        }

        var lastHeard: ContinuousClock.Instant { owner.lastHeard }

        func receive() async throws(TransportFailure) -> MessageBatch {
            try await withTaskCancellationHandler { () async -> Result<MessageBatch, TransportFailure> in
                await owner.read()
            } onCancel: { [owner] in
                owner.handle(.readCancelled)
            }.get()
        }

        func send(_ texts: [[UInt8]]) async throws(TransportFailure) { try await owner.write(texts).get() }

        func close(code: UInt16) async { await owner.close(code) }
    }

    /// Owns a WebSocket task: passes its events and those of its user to a ``WebSocketTaskMachine``, and makes the calls
    /// that the machine returns, in order.
    private final class WebSocketTaskOwner: NSObject, URLSessionWebSocketDelegate, Sendable {
        private typealias Machine = WebSocketTaskMachine

        private struct Content {
            var machine: Machine
            /// Calls that were not made yet. One thread at a time makes them.
            var actions: ArraySlice<Machine.Action> = []
            var isPerforming = false
            /// The result of the attempt to connect, if it came before its waiter.
            var connected: Result<Void, TransportFailure>?
            var connecting: CheckedContinuation<Result<Void, TransportFailure>, Never>?
            var reading: CheckedContinuation<Result<MessageBatch, TransportFailure>, Never>?
            var writing: CheckedContinuation<Result<Void, TransportFailure>, Never>?
            var closing: [CheckedContinuation<Void, Never>] = []
            var lastHeard = ContinuousClock.now
        }

        private struct Task {
            let session: URLSession
            let task: URLSessionWebSocketTask
        }

        private let content: Mutex<Content>
        private let task = Mutex<Task?>(nil)
        private let timeout: Duration

        init(_ urlRequest: URLRequest, _ request: ConnectionRequest, configuration: URLSessionConfiguration) {
            content = Mutex(Content(machine: Machine(messageLimitBytes: request.messageLimitBytes)))
            timeout = request.timeout
            super.init()
            // The session keeps its delegate until it is invalidated, which the last event of the task does.
            let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            let task = session.webSocketTask(with: urlRequest)
            task.maximumMessageSize = request.messageLimitBytes
            self.task.withLock { $0 = Task(session: session, task: task) }
        }

        var lastHeard: ContinuousClock.Instant { content.withLock { $0.lastHeard } }

        // MARK: The user's calls

        func open() async -> Result<Void, TransportFailure> {
            await withCheckedContinuation { continuation in
                let early = content.withLock { content in
                    if content.connected == nil { content.connecting = continuation }
                    content.actions += Machine.firstActions
                    return content.connected
                }
                // A task that was cancelled before has already ended.
                if let early { return continuation.resume(returning: early) }
                task.withLock { $0 }?.task.resume()
                performAll()
            }
        }

        func read() async -> Result<MessageBatch, TransportFailure> {
            await withCheckedContinuation { continuation in
                content.withLock { $0.reading = continuation }
                handle(.read)
                // The cancellation can have come before the read.
                if _Concurrency.Task.isCancelled { handle(.readCancelled) }
            }
        }

        func write(_ texts: [[UInt8]]) async -> Result<Void, TransportFailure> {
            await withCheckedContinuation { continuation in
                content.withLock { $0.writing = continuation }
                handle(.write(texts))
            }
        }

        func close(_ code: UInt16) async {
            await withCheckedContinuation { continuation in
                content.withLock { $0.closing.append(continuation) }
                handle(.close(code: code))
            }
        }

        func handle(_ event: WebSocketTaskMachine.Event) {
            content.withLock { $0.actions += $0.machine.handle(event) }
            performAll()
        }

        // MARK: Calls

        /// Makes the calls in order. A call can cause an event on this or another thread; its calls come last.
        private func performAll() {
            let isOther = content.withLock { content in
                defer { content.isPerforming = true }
                return content.isPerforming
            }
            if isOther { return }
            while let action = nextAction() { perform(action) }
        }

        private func nextAction() -> Machine.Action? {
            content.withLock { content in
                let action = content.actions.popFirst()
                if action == nil { content.isPerforming = false }
                return action
            }
        }

        private func perform(_ action: Machine.Action) {
            switch action {
            case .finishConnecting(let failure):
                content.withLock { $0.connected = Self.result(failure) }
                resume(\.connecting, Self.result(failure))
            case .finishReading(let batch): resume(\.reading, .success(batch))
            case .failReading(let failure): resume(\.reading, .failure(failure))
            case .finishWriting(let failure): resume(\.writing, Self.result(failure))
            case .finishClosing:
                let closing = content.withLock { content in
                    defer { content.closing = [] }
                    return content.closing
                }
                for continuation in closing { continuation.resume() }
            case .start(let timer): start(timer)
            case .receive, .send, .sendClose, .cancelTask:
                if let task = task.withLock({ $0 })?.task { perform(action, on: task) }
            }
        }

        private func perform(_ action: Machine.Action, on task: URLSessionWebSocketTask) {
            switch action {
            case .receive: task.receive { [self] in received($0) }
            case .send(let text):
                task.send(.string(String(decoding: text, as: UTF8.self))) { [self] error in
                    handle(error.map { .failed(TaskError($0)) } ?? .sent(byteCount: text.count))
                }
            case .sendClose(let code):
                task.cancel(with: URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .normalClosure, reason: nil)
            case .cancelTask: task.cancel()
            default: break
            }
        }

        private func resume<Value: Sendable>(
            _ waiting: WritableKeyPath<Content, CheckedContinuation<Value, Never>?>, _ value: Value
        ) {
            let continuation = content.withLock { content in
                defer { content[keyPath: waiting] = nil }
                return content[keyPath: waiting]
            }
            continuation?.resume(returning: value)
        }

        private static func result(_ failure: TransportFailure?) -> Result<Void, TransportFailure> {
            failure.map { .failure($0) } ?? .success(())
        }

        private func start(_ timer: Machine.Timer) {
            let time = timer == .connecting ? timeout : Machine.endingTime
            _Concurrency.Task { [weak self] in
                try? await _Concurrency.Task.sleep(for: time)
                self?.handle(.timeUp(timer))
            }
        }

        // MARK: The task's events

        private func received(_ result: Result<URLSessionWebSocketTask.Message, any Error>) {
            content.withLock { $0.lastHeard = .now }
            switch result {
            case .success(.string(let text)): handle(.receivedText(Array(text.utf8)))
            case .success(.data(let data)): handle(.receivedBinary(Array(data)))
            case .success: handle(.receivedBinary([]))
            case .failure(let error): handle(.failed(TaskError(error)))
            }
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
        ) {
            // Foundation on Linux also calls this for an answer that refuses the connection. Its completion follows.
            if let answer = webSocketTask.response as? HTTPURLResponse, answer.statusCode != 101 { return }
            handle(.opened)
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            // `.invalid` and `.noStatusReceived` mean that the frame had no code.
            let code =
                closeCode == .invalid || closeCode == .noStatusReceived ? nil : UInt16(exactly: closeCode.rawValue)
            handle(.closed(code: code, reason: String(decoding: reason ?? Data(), as: UTF8.self)))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let answer = (task.response as? HTTPURLResponse).map {
                HandshakeAnswer(status: $0.statusCode, retryAfter: $0.value(forHTTPHeaderField: "Retry-After"))
            }
            handle(.completed(error.map { TaskError($0) }, answer))
            self.task.withLock { $0 = nil }
            session.finishTasksAndInvalidate()
        }
    }

    extension TaskError {
        fileprivate init(_ error: any Error) {
            let error = error as NSError
            self.init(domain: error.domain, code: error.code, reason: error.localizedDescription)
        }
    }
#endif
