import JSONScan
import TinyvexClient
import TinyvexTransport

/// Calls of the bridge's functions.
extension HTTPCaller {
    nonisolated(nonsending) func value<Value: Decodable>(
        of name: String, params: any Encodable, as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        let body = Self.body(name, try ModelCoding.object(params))
        return try Self.value(type, of: try await call(request("POST", "/api/query", body: body), .reads))
    }

    nonisolated(nonsending) func mutate<Value: Decodable>(
        _ name: String, args: any Encodable, as type: Value.Type = Value.self
    ) async throws(TinyvexError) -> Value {
        try Self.value(type, of: try await mutation(name, args))
    }

    nonisolated(nonsending) func mutation(
        _ name: String, _ args: any Encodable
    ) async throws(TinyvexError) -> CallMachine.Reply {
        let body = Self.body(name, try ModelCoding.object(args), requestId: RequestIdentifier.next())
        return try await call(request("POST", "/api/mutation", body: body), .repeats)
    }

    // MARK: Bodies

    static func body(_ name: String, _ args: [UInt8], requestId: String? = nil) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("path", name)
            writer.member("args", raw: args)
            writer.member("format", "json")
            writer.member("requestId", ifPresent: requestId)
        }
    }

    static func value<Value: Decodable>(
        _ type: Value.Type, of reply: CallMachine.Reply
    ) throws(TinyvexError) -> Value {
        guard case .value(let text, _) = reply else {
            throw .transport(.refused(status: 304, reason: "the value was not requested conditionally"))
        }
        return try ModelCoding.value(type, from: text[...])
    }
}
