import JSONScan
import Synchronization
import TinyvexClient
import TinyvexTransport

/// The clock of a client, replaced in tests.
struct HTTPTime: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
}

/// Sends calls, with the current token.
final class HTTPCaller: Sendable {
    let configuration: HTTPConfiguration
    let time: HTTPTime
    private let transport: any HTTPTransport
    private let tokens: any TokenSupply

    init(
        _ configuration: HTTPConfiguration, _ tokens: any TokenSupply, _ transport: any HTTPTransport, _ time: HTTPTime
    ) {
        self.configuration = configuration
        self.tokens = tokens
        self.transport = transport
        self.time = time
    }

    /// - Parameter target: The path below the configuration's prefix, and a query.
    func request(
        _ method: String, _ target: String, body: [UInt8]? = nil, timeout: Duration? = nil
    ) throws(TinyvexError) -> HTTPRequest {
        switch configuration.endpoint {
        case .success(let endpoint):
            HTTPRequest(
                endpoint: endpoint, method: method, target: configuration.prefix + target, body: body,
                timeout: timeout ?? configuration.timeout, responseLimitBytes: configuration.responseLimitBytes)
        case .failure(let fault): throw .transport(.invalidEndpoint(reason: fault.description))
        }
    }

    /// - Parameter attemptsLimit: Nil for the limit of the configuration.
    nonisolated(nonsending) func call(
        _ request: HTTPRequest, _ repetition: CallMachine.Repetition, attemptsLimit: Int? = nil
    ) async throws(TinyvexError) -> CallMachine.Reply {
        var machine = CallMachine(
            repetition, attemptsLimit: attemptsLimit ?? configuration.attemptsLimit, backoff: backoff())
        var token = tokens.token
        var action = CallMachine.Action.send
        while true {
            switch action {
            case .send:
                token = tokens.token
                action = machine.received(await send(request, token))
            case .renewToken: action = machine.renewed(await tokens.renew(after: token))
            case .wait(let delay):
                try await sleep(for: delay)
                action = .send
            case .finish(let result): return try result.get()
            }
        }
    }

    // MARK: Files

    /// Sends a request whose answer is not a function's. It is sent again only after the token was renewed.
    nonisolated(nonsending) func sendOnce(_ request: HTTPRequest) async throws(TinyvexError) -> HTTPResponse {
        let token = tokens.token
        var result = await send(request, token)
        if Self.isRefusal(result), await tokens.renew(after: token) { result = await send(request, tokens.token) }
        return try Self.response(result, of: request)
    }

    /// Sends an upload. It is sent again only after the token was renewed.
    nonisolated(nonsending) func upload(
        _ request: HTTPRequest, _ body: UploadBody, contentType: String?,
        _ progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(TinyvexError) -> HTTPResponse {
        let token = tokens.token
        var request = request
        // URLSession can add a type of its own to a body without one.
        request.fields.append(.init("Content-Type", contentType ?? "application/octet-stream"))
        var result = await upload(request, body, token, progress)
        if Self.isRefusal(result), await tokens.renew(after: token) {
            result = await upload(request, body, tokens.token, progress)
        }
        return try Self.response(result, of: request)
    }

    private static func isRefusal(_ result: Result<HTTPResponse, TransportFailure>) -> Bool {
        if case .success(let response) = result { response.status == 401 } else { false }
    }

    private static func response(
        _ result: Result<HTTPResponse, TransportFailure>, of request: HTTPRequest
    ) throws(TinyvexError) -> HTTPResponse {
        switch result {
        case .success(let response) where response.status == 200: return response
        case .success(let response): throw failure(response)
        case .failure(.cancelled): throw .cancelled
        case .failure(.messageTooLarge(let limit, _)): throw .tooLarge(limitBytes: limit)
        case .failure(.lost) where request.method == "POST", .failure(.timedOut) where request.method == "POST":
            throw .outcomeUnknown
        case .failure(let failure): throw .transport(failure)
        }
    }

    private static func failure(_ response: HTTPResponse) -> TinyvexError {
        if response.status == 401 { return .unauthorized }
        let reason = (try? JSONValue(validating: response.body))?["error"]?.stringValue
        if let reason, response.status != 429 {
            return .server(code: String(response.status), message: reason, data: nil)
        }
        return .transport(
            TransportFailure(
                status: response.status, retryAfter: response.field("Retry-After"), reason: reason ?? ""))
    }

    nonisolated(nonsending) func sleep(for delay: Duration) async throws(TinyvexError) {
        do { try await time.sleep(delay) } catch { throw .cancelled }
    }

    func backoff() -> Backoff {
        Backoff(
            shortest: configuration.shortestDelay, longest: configuration.longestDelay,
            seed: .random(in: .min ... .max))
    }

    private nonisolated(nonsending) func send(
        _ request: HTTPRequest, _ token: String?
    ) async -> Result<HTTPResponse, TransportFailure> {
        var request = request
        request.authorize(token)
        if request.body != nil { request.fields.append(.init("Content-Type", "application/json")) }
        do throws(TransportFailure) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private nonisolated(nonsending) func upload(
        _ request: HTTPRequest, _ body: UploadBody, _ token: String?,
        _ progress: @escaping @Sendable (UploadProgress) -> Void
    ) async -> Result<HTTPResponse, TransportFailure> {
        var request = request
        request.authorize(token)
        do throws(TransportFailure) {
            return .success(try await transport.upload(request, body, progress: progress))
        } catch {
            return .failure(error)
        }
    }
}

extension HTTPRequest {
    fileprivate mutating func authorize(_ token: String?) {
        if let token { fields.append(.init("Authorization", "Bearer \(token)")) }
    }
}

/// The token of a caller's requests.
protocol TokenSupply: Sendable {
    var token: String? { get }
    /// Returns whether there is another token than the one that was refused.
    nonisolated(nonsending) func renew(after refused: String?) async -> Bool
}

/// The token of another client, which renews it.
struct SharedToken: TokenSupply {
    private let current: @Sendable () -> String?

    init(_ current: @escaping @Sendable () -> String?) { self.current = current }

    var token: String? { current() }

    nonisolated(nonsending) func renew(after refused: String?) async -> Bool { token != refused }
}

/// The client's token, and the source of new ones. One renewal runs at a time, for all calls that need it.
final class TokenKeeper: TokenSupply {
    private struct State {
        var token: String?
        var source: (@Sendable () async -> String?)?
        var renewal: Task<String?, Never>?
    }

    private let state: Mutex<State>

    init(_ token: String?) { state = Mutex(State(token: token)) }

    var token: String? { state.withLock { $0.token } }

    func setToken(_ token: String?) { state.withLock { $0.token = token } }

    func setSource(_ source: (@Sendable () async -> String?)?) { state.withLock { $0.source = source } }

    nonisolated(nonsending) func renew(after refused: String?) async -> Bool {
        let renewal: Task<String?, Never>? = state.withLock { state in
            if state.token != refused { return nil }
            if state.renewal == nil, let source = state.source { state.renewal = Task { await source() } }
            return state.renewal
        }
        guard let renewal else { return token != refused }
        let renewed = await renewal.value
        return state.withLock { state in
            if state.renewal == renewal {
                state.renewal = nil
                // The program can have set a token meanwhile.
                if state.token == refused, renewed != nil { state.token = renewed }
            }
            return state.token != refused
        }
    }
}
