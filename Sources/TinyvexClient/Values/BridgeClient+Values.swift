import Tinyvex
import TinyvexSync

extension BridgeClient {
    /// Subscribes to a named value: `sessions:list`, `agents:list`, `permissions:pending`.
    ///
    ///     for try await page in client.subscribe("sessions:list", params: ["live": true], as: [SessionRow].self) { … }
    ///
    /// A list can have either form that bridges use: an array, or `{"data":[…]}`. The names of a session's ordered
    /// streams are also accepted; such a stream starts at its beginning and drops nothing.
    ///
    /// - Parameters:
    ///   - name: The value's name in the protocol.
    ///   - params: Any value that encodes to a JSON object. Subscriptions with equal names and params are shared.
    ///   - type: The type of the value.
    /// - Returns: A sequence, which throws the errors. ``ValueSubscription`` names them.
    public func subscribe<Value: Decodable>(
        _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) -> ValueSubscription<Value> {
        ValueSubscription(texts(of: name, params: params)())
    }

    /// `subscribe(_:params:as:)` as a stream of the standard library.
    @_disfavoredOverload
    public func subscribe<Value: Decodable>(
        _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) -> AsyncThrowingStream<Value, any Error> {
        ValueDecoding(type).stream(of: PulledTexts(texts(of: name, params: params)()))
    }

    /// Encodes the params now. The returned function subscribes with each call.
    ///
    /// - Parameter isShared: false if the first value must be one that the bridge has sent after the subscription.
    func texts(of name: String, params: any Encodable, isShared: Bool = true) -> @Sendable () -> ValueTexts {
        let text: [UInt8]
        do throws(TinyvexError) {
            text = try ModelCoding.object(params)
        } catch {
            return { .fault(error) }
        }
        let sync = engine.sync
        guard let stream = StreamName(rawValue: name) else {
            return { .values(sync.values(name, params: text, isShared: isShared)) }
        }
        return { .lines(sync.stream(stream, params: text, from: .after(0))) }
    }

    /// Returns the current value. It includes the effect of every mutation that was answered before this call.
    ///
    /// Each query is a subscription of its own until the value arrives; a bridge permits 1,000 at once on a connection.
    ///
    /// - Parameters:
    ///   - name: The value's name in the protocol.
    ///   - params: Any value that encodes to a JSON object.
    ///   - type: The type of the value.
    /// - Throws: `.server` if the bridge refuses the query, with its code (``TinyvexErrorCode``); `.unauthorized` if the token
    ///   is missing or wrong; `.decoding` if the value does not fit the type; `.encoding` if the params cannot be sent; `.tooLarge` for
    ///   a value above the configuration's limit; `.transport` after its `attemptsLimit`; `.cancelled` and `.closed`.
    public nonisolated(nonsending) func query<Value: Decodable>(
        _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        var values = ValueSubscription<Value>(texts(of: name, params: params, isShared: false)()).makeAsyncIterator()
        guard let value = try await values.next(isolation: #isolation) else { throw .cancelled }
        return value
    }
}

/// Decodes the values of a stream. The stream's reader decodes one at a time, so the type's conformance need not be sendable;
/// the compiler cannot see that. `Value` has no constraint here, because a closure would capture the conformance with it.
private struct ValueDecoding<Value>: @unchecked Sendable {
    private let decode: (ArraySlice<UInt8>) throws(TinyvexError) -> Value

    init(_ type: Value.Type) where Value: Decodable {
        decode = { text throws(TinyvexError) in try ModelCoding.value(type, from: text) }
    }

    func stream(of texts: PulledTexts) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(unfolding: {
            guard let text = try await texts.next() else { return nil }
            return try decode(text)
        })
    }
}
