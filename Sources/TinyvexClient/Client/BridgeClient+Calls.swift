import JSONScan
import TinyvexMachine
import TinyvexSync

extension BridgeClient {
    /// Changes data that the bridge stores: `permissions:answer`, `sessions:setTitle`.
    ///
    /// The bridge runs mutations one at a time, in the order of the calls, and each only once. If the connection is
    /// lost before the answer, the client sends the mutation again under the same id. The bridge then returns the
    /// original answer without running the mutation again.
    ///
    ///     let answer = try await client.mutation("sessions:setTitle", args: ["sessionId": "s1", "title": "x"], as: Row.self)
    ///
    /// Cancelling the task ends only the wait: a mutation that was sent is not withdrawn.
    ///
    /// - Parameters:
    ///   - name: The mutation's name in the protocol.
    ///   - args: Any value that encodes to a JSON object.
    ///   - type: The type of the mutation's value.
    /// - Throws: `.server` if the bridge refuses the mutation, with its code (``TinyvexErrorCode``); `.unauthorized` if the token
    ///   is missing or wrong; `.encoding`, `.overloaded` or `.tooLarge` if it cannot be sent; `.decoding` if the bridge ran it and the
    ///   value does not fit the type; `.transport` after the configuration's `attemptsLimit`; `.cancelled` and `.closed`.
    public nonisolated(nonsending) func mutation<Value: Decodable>(
        _ name: String, args: any Encodable = EmptyObject(), as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        let call = Call.mutation(name, args: try ModelCoding.object(args), requestId: RequestIdentifier.next())
        return try value(type, of: try await engine.sync.call(call))
    }

    /// Runs ``mutation(_:args:as:)`` and ignores the result.
    ///
    /// - Throws: As ``mutation(_:args:as:)``, except `.decoding`.
    public nonisolated(nonsending) func mutation(
        _ name: String, args: any Encodable = EmptyObject()
    ) async throws(TinyvexError) {
        let call = Call.mutation(name, args: try ModelCoding.object(args), requestId: RequestIdentifier.next())
        _ = try await engine.sync.call(call)
    }

    /// Makes the bridge perform an action: `sessions:prompt`, `sessions:export`.
    ///
    /// Some actions take long: `sessions:prompt` returns when the turn has ended. Cancelling the task ends only the wait.
    ///
    /// - Parameters:
    ///   - name: The action's name in the protocol.
    ///   - args: Any value that encodes to a JSON object.
    ///   - type: The type of the action's value.
    ///   - isIdempotent: Repeating the action has no further effect, so the client sends it again if the
    ///     connection is lost before the answer. An action that is not idempotent fails with
    ///     `TinyvexError.outcomeUnknown` in that case. Nil uses the value in the bridge's catalogue.
    /// - Throws: `.outcomeUnknown` if the connection was lost before the answer; otherwise as ``mutation(_:args:as:)``.
    public nonisolated(nonsending) func action<Value: Decodable>(
        _ name: String, args: any Encodable = EmptyObject(), as type: Value.Type = Value.self,
        isIdempotent: Bool? = nil
    ) async throws(TinyvexError) -> Value {
        try value(type, of: try await engine.sync.call(actionCall(name, args, isIdempotent)))
    }

    /// Runs ``action(_:args:as:isIdempotent:)`` and ignores the result.
    ///
    /// - Throws: As ``action(_:args:as:isIdempotent:)``, except `.decoding`.
    public nonisolated(nonsending) func action(
        _ name: String, args: any Encodable = EmptyObject(), isIdempotent: Bool? = nil
    ) async throws(TinyvexError) {
        _ = try await engine.sync.call(actionCall(name, args, isIdempotent))
    }

    private func actionCall(
        _ name: String, _ args: any Encodable, _ isIdempotent: Bool?
    ) throws(TinyvexError) -> Call {
        .action(
            name, args: try ModelCoding.object(args), isIdempotent: isIdempotent ?? KnownActions.isIdempotent(name))
    }

    private func value<Value: Decodable>(_ type: Value.Type, of answer: JSONValue) throws(TinyvexError) -> Value {
        try ModelCoding.value(type, from: answer["value"]?.rawText ?? Array("null".utf8)[...])
    }
}

/// Params without members.
public struct EmptyObject: Codable, Hashable, Sendable {
    public init() {}
}
