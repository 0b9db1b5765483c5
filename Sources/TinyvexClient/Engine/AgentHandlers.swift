import ACPMethods
import JSONCoding
import JSONRPC
import JSONScan
import Synchronization
import TinyvexMachine
import TinyvexSync

/// Passes the agent's requests and notifications to the handlers that the program registered.
///
/// Requests are handled at once, each in a task. Notifications are handled one after another, and no request waits for them:
/// a handler of a notification can wait for an answer of the agent, and the agent can ask first.
final class AgentHandlers: Sendable {
    typealias RequestHandler = @Sendable (RawJSON?) async throws -> RawJSON
    typealias NotificationHandler = @Sendable (RawJSON?) async -> Void

    private struct State {
        var requestHandlers: [String: RequestHandler] = [:]
        var notificationHandlers: [String: NotificationHandler] = [:]
        var running: [RequestID: (serial: Int, task: Task<Void, Never>)] = [:]
        /// The number of requests so far. After a lost connection, the bridge sends a request again under the same id.
        var requestCount = 0
        var isServing = false
    }

    private let state = Mutex(State())
    private let client: WeakReference<SyncClient>
    /// The notifications that wait for the handler of an earlier one. Further ones are dropped while it is full.
    private let notifications = Mailbox(AgentQueue())

    init(_ client: SyncClient) { self.client = WeakReference(client) }

    deinit { notifications.finish() }

    func serve(_ method: String, _ handler: @escaping RequestHandler) {
        state.withLock { $0.requestHandlers[method] = handler }
        begin()
    }

    func listen(_ method: String, _ handler: @escaping NotificationHandler) {
        state.withLock { $0.notificationHandlers[method] = handler }
        begin()
    }

    /// Starts to receive the agent's messages with the first handler. Until then, the client itself refuses
    /// requests.
    private func begin() {
        let isFirst = state.withLock { state in
            defer { state.isServing = true }
            return !state.isServing
        }
        guard isFirst else { return }
        client.object?.serveAgent { [weak self] in self?.handle($0, $1) }
        Task { [weak self, notifications] in
            while let taken = (try? await notifications.next())?.taken {
                for case .message(let message) in taken { await self?.notify(message) }
            }
        }
    }

    private func handle(_ event: AgentEvent, _ replies: AgentReplies) {
        switch event {
        case .lost: cancelAll()
        case .message(let message):
            if let id = message.id { return answer(id, message, replies) }
            if message.method == ACPMethod.cancelRequest.name { cancel(message.params) }
            if handler(of: message) != nil, !notifications.hasBeenFull { _ = notifications.add(event) }
        }
    }

    // MARK: Notifications

    private func handler(of notification: AgentMessage) -> NotificationHandler? {
        state.withLock { $0.notificationHandlers[notification.method] }
    }

    private func notify(_ message: AgentMessage) async {
        await handler(of: message)?(message.params.map { RawJSON($0) })
    }

    private func cancel(_ params: JSONValue?) {
        guard let id = params?["requestId"].flatMap({ RequestID($0) }) else { return }
        state.withLock { $0.running[id] }?.task.cancel()
    }

    private func cancelAll() {
        let running = state.withLock { state in
            defer { state.running = [:] }
            return state.running
        }
        for request in running.values { request.task.cancel() }
    }

    // MARK: Requests

    private func answer(_ id: RequestID, _ message: AgentMessage, _ replies: AgentReplies) {
        guard let handler = state.withLock({ $0.requestHandlers[message.method] }) else {
            let reason = "this client does not serve \(message.method)"
            return replies.send(.answer(to: message, error: .methodNotFound, message: reason))
        }
        state.withLock { state in
            state.requestCount += 1
            let serial = state.requestCount
            let task = Task { [weak self] in
                replies.send(await Self.reply(to: message, by: handler))
                self?.state.withLock { state in if state.running[id]?.serial == serial { state.running[id] = nil } }
            }
            state.running[id] = (serial, task)
        }
    }

    private static func reply(to message: AgentMessage, by handler: RequestHandler) async -> Call? {
        do {
            let result = try await handler(message.params.map { RawJSON($0) })
            return .answer(to: message, result: Array(result.text))
        } catch let error as AgentRequestError {
            return .answer(to: message, error: ErrorCode(rawValue: error.code), message: error.message)
        } catch TinyvexError.decoding(let fault) {
            return .answer(to: message, error: .invalidParams, message: fault.description)
        } catch is CancellationError {
            if let dismissal = dismissal(of: message.method) { return .answer(to: message, result: dismissal) }
            return .answer(to: message, error: .requestCancelled, message: "the request was cancelled")
        } catch {
            // The error's description can contain private data of this program.
            return .answer(to: message, error: .internalError, message: "the client failed to handle the request")
        }
    }

    /// The answer to a question that the agent has withdrawn: ACP has a result for it, which agents expect instead of an
    /// error.
    private static func dismissal(of method: String) -> [UInt8]? {
        switch method {
        case ACPMethod.sessionRequestPermission.name: Array(#"{"outcome":{"outcome":"cancelled"}}"#.utf8)
        case ACPMethod.elicitationCreate.name: Array(#"{"action":"cancel"}"#.utf8)
        default: nil
        }
    }
}

/// An error response to a request from the agent.
public struct AgentRequestError: Error, Sendable {
    /// The code, as defined by JSON-RPC or ACP. The default is -32603, an internal error.
    public let code: Int
    /// One sentence, for the agent and for people.
    public let message: String

    public init(code: Int = -32603, message: String) {
        self.code = code
        self.message = message
    }
}
