import JSONScan
import TinyvexClient
import TinyvexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A client of one bridge without an open connection, for widgets, background fetches and scripts. Each call is one
/// HTTP request.
///
///     let client = TinyvexHTTPClient(endpoint: url, authToken: token)
///     let rows = try await client.query("sessions:list", params: ["live": true], as: [SessionRow].self)
///
/// A lost query, mutation or idempotent action is sent again; the bridge runs a mutation only once. After 429, and after
/// 503 with `Retry-After`, a call throws `TinyvexError.transport(.busy(retryAfter:))` at once, and
/// `TinyvexError.retryAfter` is the time to wait.
///
/// Sessions' streams, and agents of the program's own, need a `TinyvexClient`.
public final class TinyvexHTTPClient: Sendable {
    let caller: HTTPCaller
    private let tokens: TokenKeeper

    /// - Parameter endpoint: See ``HTTPConfiguration/init(endpoint:)``. An invalid endpoint fails at its first use.
    public convenience init(endpoint: URL, authToken: String? = nil) {
        self.init(configuration: HTTPConfiguration(endpoint: endpoint), authToken: authToken)
    }

    /// - Parameters:
    ///   - configuration: The endpoint, limits and times.
    ///   - authToken: See ``setAuthToken(_:)``.
    ///   - transport: In tests, ``InProcessHTTPTransport`` replaces the bridge.
    public convenience init(
        configuration: HTTPConfiguration, authToken: String? = nil,
        transport: any HTTPTransport = URLSessionHTTPTransport()
    ) {
        self.init(configuration, authToken: authToken, transport, HTTPTime())
    }

    init(
        _ configuration: HTTPConfiguration, authToken: String?, _ transport: any HTTPTransport, _ time: HTTPTime
    ) {
        tokens = TokenKeeper(authToken)
        caller = HTTPCaller(configuration, tokens, transport, time)
    }

    // MARK: Tokens

    /// Sets the token for all later requests. It is only kept in memory.
    public func setAuthToken(_ token: String?) { tokens.setToken(token) }

    /// Sets the function that supplies a new token when the bridge rejects the current one. It is called once for all
    /// calls that fail together. If it returns nil, or if the bridge rejects the new token too, the calls fail with
    /// `TinyvexError.unauthorized`.
    public func setAuthTokenSource(_ source: (@Sendable () async -> String?)?) { tokens.setSource(source) }

    // MARK: Calls

    /// Returns the current value of a query.
    ///
    /// - Parameters:
    ///   - name: The value's name in the protocol.
    ///   - params: Any value that encodes to a JSON object.
    ///   - type: The type of the value.
    /// - Throws: `.server` if the bridge refuses the query, with the protocol's code or else the HTTP status; `.unauthorized` if
    ///   the token is missing or wrong; `.decoding` if the value does not fit the type; `.encoding` if the params cannot be sent;
    ///   `.tooLarge` for a response above `responseLimitBytes`; `.transport` if no attempt got an answer, or at once if the bridge
    ///   is busy or the endpoint is not valid; `.cancelled`.
    public nonisolated(nonsending) func query<Value: Decodable>(
        _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        try await caller.value(of: name, params: params)
    }

    /// Changes data that the bridge stores. The bridge runs the mutation once, even if its answer was lost and the
    /// client sends it again: both have one `requestId`.
    ///
    /// - Parameters:
    ///   - name: The mutation's name in the protocol.
    ///   - args: Any value that encodes to a JSON object.
    ///   - type: The type of the mutation's value.
    /// - Throws: `.outcomeUnknown` if no answer arrived in all attempts; otherwise as ``query(_:params:as:)``. After `.decoding`,
    ///   the bridge has run the mutation.
    public nonisolated(nonsending) func mutation<Value: Decodable>(
        _ name: String, args: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        try await caller.mutate(name, args: args)
    }

    /// Runs ``mutation(_:args:as:)`` and ignores the result.
    ///
    /// - Throws: As ``mutation(_:args:as:)``, except `.decoding`.
    public nonisolated(nonsending) func mutation(
        _ name: String, args: any Encodable = EmptyObject()
    ) async throws(TinyvexError) {
        _ = try await caller.mutation(name, args)
    }

    /// Makes the bridge perform an action.
    ///
    /// - Parameters:
    ///   - name: The action's name in the protocol.
    ///   - args: Any value that encodes to a JSON object.
    ///   - type: The type of the action's value.
    ///   - isIdempotent: Repeating the action has no further effect, so the client sends it again if its answer was
    ///     lost. Any other action fails with `.outcomeUnknown` in that case. Nil uses the value in the bridge's
    ///     catalogue.
    ///   - timeout: The time without any data after which the answer counts as lost. `sessions:prompt` answers when
    ///     the turn has ended. Nil uses the configuration's.
    /// - Throws: `.outcomeUnknown` if the answer was lost; otherwise as ``query(_:params:as:)``.
    public nonisolated(nonsending) func action<Value: Decodable>(
        _ name: String, args: any Encodable = EmptyObject(), as type: Value.Type = Value.self,
        isIdempotent: Bool? = nil, timeout: Duration? = nil
    ) async throws(TinyvexError) -> Value {
        try HTTPCaller.value(type, of: try await act(name, args, isIdempotent, timeout))
    }

    /// Runs ``action(_:args:as:isIdempotent:timeout:)`` and ignores the result.
    ///
    /// - Throws: As ``action(_:args:as:isIdempotent:timeout:)``, except `.decoding`.
    public nonisolated(nonsending) func action(
        _ name: String, args: any Encodable = EmptyObject(), isIdempotent: Bool? = nil, timeout: Duration? = nil
    ) async throws(TinyvexError) {
        _ = try await act(name, args, isIdempotent, timeout)
    }

    private nonisolated(nonsending) func act(
        _ name: String, _ args: any Encodable, _ isIdempotent: Bool?, _ timeout: Duration?
    ) async throws(TinyvexError) -> CallMachine.Reply {
        let body = HTTPCaller.body(name, try ModelCoding.object(args))
        let request = try caller.request("POST", "/api/action", body: body, timeout: timeout)
        return try await caller.call(request, isIdempotent ?? KnownActions.isIdempotent(name) ? .repeats : .harms)
    }

    // MARK: Polling

    /// Requests a value repeatedly, and returns it and each change.
    ///
    ///     for try await status in client.poll("sessions:list", every: .seconds(5), as: [SessionRow].self) { … }
    ///
    /// - Parameters:
    ///   - name: The value's name in the protocol.
    ///   - params: Any value that encodes to a JSON object.
    ///   - interval: The time between an answer and the next request, at least 100 ms. The bridge allows 600 requests
    ///     per minute from one address.
    ///   - longestInterval: Each unchanged answer doubles the interval, up to this one; a change restores it. Nil keeps
    ///     the interval.
    ///   - type: The type of the value.
    /// - Returns: A sequence, which throws the errors. ``PolledValues`` names them.
    public func poll<Value: Decodable>(
        _ name: String, params: any Encodable = EmptyObject(), every interval: Duration,
        upTo longestInterval: Duration? = nil, as type: Value.Type = Value.self
    ) -> PolledValues<Value> {
        let machine = PollMachine(
            interval: interval, longestInterval: longestInterval ?? interval,
            failuresLimit: caller.configuration.pollFailuresLimit, backoff: caller.backoff())
        do throws(TinyvexError) {
            let request = try pollRequest(name, try ModelCoding.object(params))
            return PolledValues(poll: Poll(caller, .success(request), machine))
        } catch {
            return PolledValues(poll: Poll(caller, .failure(error), machine))
        }
    }

    /// Half of the bridge's limit for a request's head.
    private static let targetLimitBytes = 8 << 10

    /// A GET, which has conditional answers; a POST if the params are too long for a URL.
    private func pollRequest(_ name: String, _ params: [UInt8]) throws(TinyvexError) -> HTTPRequest {
        let target = "/api/query?path=\(percentEncoded(Array(name.utf8)))&args=\(percentEncoded(params))"
        guard target.utf8.count <= Self.targetLimitBytes else {
            return try caller.request("POST", "/api/query", body: HTTPCaller.body(name, params))
        }
        return try caller.request("GET", target)
    }
}

/// Encodes all bytes that RFC 3986 does not call unreserved.
func percentEncoded(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            text.append(byte)
        default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: text, as: UTF8.self)
}
