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
    private let tokens: TokenKeeper

    init(_ configuration: HTTPConfiguration, _ tokens: TokenKeeper, _ transport: any HTTPTransport, _ time: HTTPTime) {
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

    /// Sends a request whose answer is not a function's. It is sent again only after the token was renewed.
    nonisolated(nonsending) func sendOnce(
        _ request: HTTPRequest, contentType: String? = nil
    ) async throws(TinyvexError) -> HTTPResponse {
        let token = tokens.token
        var result = await send(request, token, contentType: contentType)
        if case .success(let response) = result, response.status == 401, await tokens.renew(after: token) {
            result = await send(request, tokens.token, contentType: contentType)
        }
        switch result {
        case .success(let response) where response.status == 200: return response
        case .success(let response): throw Self.failure(response)
        case .failure(.cancelled): throw .cancelled
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
        _ request: HTTPRequest, _ token: String?, contentType: String? = nil
    ) async -> Result<HTTPResponse, TransportFailure> {
        var request = request
        if let token { request.fields.append(.init("Authorization", "Bearer \(token)")) }
        if request.body != nil { request.fields.append(.init("Content-Type", contentType ?? "application/json")) }
        do throws(TransportFailure) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }
}

/// The client's token, and the source of new ones. One renewal runs at a time, for all calls that need it.
final class TokenKeeper: Sendable {
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

    /// Returns whether there is another token than the one that was refused.
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
