import JSONScan
import TinyvexSync

extension BridgeClient {
    /// Changes what the bridge keeps: `permissions:answer`, `sessions:setTitle`.
    ///
    /// The bridge runs mutations one after another, in the order they were asked for, and each once: when the connection
    /// is lost before the answer, it is asked again under the same id and answers as it did.
    ///
    ///     let answer = try await client.mutation("sessions:setTitle", args: ["sessionId": "s1", "title": "x"], as: Row.self)
    ///
    /// - Parameter args: anything that is an object as JSON.
    public nonisolated(nonsending) func mutation<Value: Decodable>(
        _ name: String, args: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        let call = Call.mutation(name, args: try ModelCoding.object(args), requestId: RequestIdentifier.next())
        return try value(type, of: try await engine.sync.call(call))
    }

    /// As ``mutation(_:args:as:)``, for one whose result is of no interest.
    public nonisolated(nonsending) func mutation(
        _ name: String, args: any Encodable = EmptyObject()
    ) async throws(TinyvexError) {
        let call = Call.mutation(name, args: try ModelCoding.object(args), requestId: RequestIdentifier.next())
        _ = try await engine.sync.call(call)
    }

    /// Makes the bridge do something: `sessions:prompt`, `sessions:export`.
    ///
    /// - Parameter isIdempotent: doing it twice is as doing it once, so it is asked again when the connection is lost before
    ///   the answer. Nil: as the bridge's catalogue has it. Another fails then with `TinyvexError.outcomeUnknown`.
    public nonisolated(nonsending) func action<Value: Decodable>(
        _ name: String, args: any Encodable = EmptyObject(), as type: Value.Type = Value.self,
        isIdempotent: Bool? = nil
    ) async throws(TinyvexError) -> Value {
        try value(type, of: try await engine.sync.call(actionCall(name, args, isIdempotent)))
    }

    /// As ``action(_:args:as:isIdempotent:)``, for one whose result is of no interest.
    public nonisolated(nonsending) func action(
        _ name: String, args: any Encodable = EmptyObject(), isIdempotent: Bool? = nil
    ) async throws(TinyvexError) {
        _ = try await engine.sync.call(actionCall(name, args, isIdempotent))
    }

    private func actionCall(
        _ name: String, _ args: any Encodable, _ isIdempotent: Bool?
    ) throws(TinyvexError) -> Call {
        .action(
            name, args: try ModelCoding.object(args), requestId: RequestIdentifier.next(),
            isIdempotent: isIdempotent ?? KnownActions.isIdempotent(name))
    }

    private func value<Value: Decodable>(_ type: Value.Type, of answer: JSONValue) throws(TinyvexError) -> Value {
        try ModelCoding.value(type, from: answer["value"]?.rawText ?? Array("null".utf8)[...])
    }
}

/// No params at all.
public struct EmptyObject: Codable, Hashable, Sendable {
    public init() {}
}
