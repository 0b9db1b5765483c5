// The client's methods under their names in Convex's clients.
extension BridgeClient {
    /// `subscribe(_:params:as:)` under its name in Convex.
    ///
    ///     client.subscribe(to: "sessions:list", with: ["live": true], yielding: [SessionRow].self)
    public func subscribe<Value: Decodable>(
        to name: String, with args: [String: (any Encodable)?]? = nil, yielding type: Value.Type = Value.self
    ) -> ValueSubscription<Value> {
        subscribe(name, params: NamedArguments(args), as: type)
    }

    /// ``mutation(_:args:as:)`` with its arguments as a dictionary.
    @_disfavoredOverload
    public nonisolated(nonsending) func mutation<Value: Decodable>(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) -> Value {
        try await mutation(name, args: NamedArguments(args), as: Value.self)
    }

    /// ``mutation(_:args:)`` with its arguments as a dictionary.
    @_disfavoredOverload
    public nonisolated(nonsending) func mutation(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) {
        try await mutation(name, args: NamedArguments(args))
    }

    /// ``action(_:args:as:isIdempotent:)`` with its arguments as a dictionary.
    @_disfavoredOverload
    public nonisolated(nonsending) func action<Value: Decodable>(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) -> Value {
        try await action(name, args: NamedArguments(args), as: Value.self)
    }

    /// ``action(_:args:isIdempotent:)`` with its arguments as a dictionary.
    @_disfavoredOverload
    public nonisolated(nonsending) func action(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) {
        try await action(name, args: NamedArguments(args))
    }
}

/// Arguments by name; nil is encoded as `null`.
package struct NamedArguments: Encodable {
    private let arguments: [String: (any Encodable)?]

    package init(_ arguments: [String: (any Encodable)?]?) { self.arguments = arguments ?? [:] }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        for (name, argument) in arguments {
            if let argument {
                try container.encode(argument, forKey: MemberName(stringValue: name))
            } else {
                try container.encodeNil(forKey: MemberName(stringValue: name))
            }
        }
    }
}
