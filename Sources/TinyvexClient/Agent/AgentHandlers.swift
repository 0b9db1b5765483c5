import JSONCoding
import JSONRPC
import JSONScan
import Synchronization
import TinyvexSync

/// Hands what the agent asks and tells to those who serve it.
final class AgentHandlers: Sendable {
    typealias Answer = @Sendable (RawJSON?) async throws -> RawJSON
    typealias Hear = @Sendable (RawJSON?) async -> Void

    private struct State {
        var answers: [String: Answer] = [:]
        var hearers: [String: Hear] = [:]
        var running: [RequestID: Task<Void, Never>] = [:]
        var isServing = false
    }

    private let state = Mutex(State())
    private weak let client: SyncClient?

    init(_ client: SyncClient) { self.client = client }

    func serve(_ method: String, _ answer: @escaping Answer) {
        state.withLock { $0.answers[method] = answer }
        begin()
    }

    func listen(_ method: String, _ hear: @escaping Hear) {
        state.withLock { $0.hearers[method] = hear }
        begin()
    }

    /// Nobody is asked before somebody serves: until then the client itself declines.
    private func begin() {
        let isFirst = state.withLock { state in
            defer { state.isServing = true }
            return !state.isServing
        }
        if isFirst { client?.serveAgent { [weak self] in await self?.handle($0, $1) } }
    }

    private func handle(_ event: AgentEvent, _ replies: AgentReplies) async {
        switch event {
        case .lost: cancelAll()
        case .message(let message):
            guard let id = message.id else { return await hear(message) }
            answer(id, message, replies)
        }
    }

    // MARK: Notifications

    private func hear(_ message: AgentMessage) async {
        if message.method == "$/cancel_request" { cancel(message.params) }
        let hear = state.withLock { $0.hearers[message.method] }
        await hear?(message.params.map { RawJSON($0) })
    }

    private func cancel(_ params: JSONValue?) {
        guard let id = params?["requestId"].flatMap({ RequestID($0) }) else { return }
        state.withLock { $0.running[id] }?.cancel()
    }

    private func cancelAll() {
        let running = state.withLock { state in
            defer { state.running = [:] }
            return state.running
        }
        for task in running.values { task.cancel() }
    }

    // MARK: Requests

    private func answer(_ id: RequestID, _ message: AgentMessage, _ replies: AgentReplies) {
        guard let answer = state.withLock({ $0.answers[message.method] }) else {
            let reason = "this client does not serve \(message.method)"
            return replies.send(.answer(to: message, error: .methodNotFound, message: reason))
        }
        state.withLock { state in
            state.running[id] = Task { [weak self] in
                replies.send(await Self.reply(to: message, by: answer))
                self?.state.withLock { state in state.running[id] = nil }
            }
        }
    }

    private static func reply(to message: AgentMessage, by answer: Answer) async -> Call? {
        do {
            let result = try await answer(message.params.map { RawJSON($0) })
            return .answer(to: message, result: Array(result.text))
        } catch let error as AgentRequestError {
            return .answer(to: message, error: ErrorCode(rawValue: error.code), message: error.message)
        } catch TinyvexError.decoding(let fault) {
            return .answer(to: message, error: .invalidParams, message: fault.description)
        } catch is CancellationError {
            return .answer(to: message, error: .requestCancelled, message: "the request was cancelled")
        } catch {
            // What it says may be meant for nobody but this program.
            return .answer(to: message, error: .internalError, message: "the client could not do it")
        }
    }
}

extension ModelCoding {
    /// The params of an agent's message; none are an empty object.
    static func agentValue<Value: Decodable>(
        _ type: Value.Type, from params: RawJSON?
    ) throws(TinyvexError) -> Value {
        try value(type, from: params?.text ?? Array("{}".utf8)[...])
    }
}
