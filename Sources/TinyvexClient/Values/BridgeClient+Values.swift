import Tinyvex
import TinyvexSync

extension BridgeClient {
    /// A named value: `sessions:list`, `agents:list`, `permissions:pending`.
    ///
    ///     for try await page in client.subscribe("sessions:list", params: ["live": true], as: [SessionRow].self) { … }
    ///
    /// A list comes in whichever form the bridge has it, bare or as `{"data":[…]}`. A session's ordered streams can be
    /// asked for by their name too, from their beginning; nothing of them is left out.
    ///
    /// - Parameter params: anything that is an object as JSON. Equal names and params share one subscription.
    public func subscribe<Value: Decodable>(
        _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) -> ValueSubscription<Value> {
        ValueSubscription(texts(of: name, params: params)())
    }

    /// As `subscribe(_:params:as:)`, as a stream of the standard library.
    @_disfavoredOverload
    public func subscribe<Value: Decodable & SendableMetatype>(
        _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) -> AsyncThrowingStream<Value, any Error> {
        let texts = PulledTexts(texts(of: name, params: params)())
        return AsyncThrowingStream {
            guard let text = try await texts.next() else { return nil }
            return try ModelCoding.value(type, from: text)
        }
    }

    /// Writes the params now; subscribes each time it is called.
    func texts(of name: String, params: any Encodable) -> @Sendable () -> ValueTexts {
        let text: [UInt8]
        do throws(TinyvexError) {
            text = try ModelCoding.object(params)
        } catch {
            return { .fault(error) }
        }
        let sync = engine.sync
        guard let stream = StreamName(rawValue: name) else { return { .values(sync.values(name, params: text)) } }
        return { .lines(sync.stream(stream, params: text, from: .after(0))) }
    }

    /// The value as it is now, once.
    public nonisolated(nonsending) func query<Value: Decodable>(
        _ name: String, params: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        var values = subscribe(name, params: params, as: type).makeAsyncIterator()
        guard let value = try await values.next(isolation: #isolation) else { throw .cancelled }
        return value
    }
}
