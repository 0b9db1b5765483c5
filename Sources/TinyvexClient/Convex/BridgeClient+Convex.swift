import TinyvexSync

// The same things under the names that Convex's clients have for them.
extension BridgeClient {
    /// As `subscribe(_:params:as:)`.
    ///
    ///     client.subscribe(to: "sessions:list", with: ["live": true], yielding: [SessionRow].self)
    public func subscribe<Value: Decodable>(
        to name: String, with args: [String: (any Encodable)?]? = nil, yielding type: Value.Type = Value.self
    ) -> ValueSubscription<Value> {
        subscribe(name, params: NamedArguments(args), as: type)
    }

    /// As ``mutation(_:args:as:)``.
    @_disfavoredOverload
    public nonisolated(nonsending) func mutation<Value: Decodable>(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) -> Value {
        try await mutation(name, args: NamedArguments(args), as: Value.self)
    }

    /// As ``mutation(_:args:)``.
    @_disfavoredOverload
    public nonisolated(nonsending) func mutation(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) {
        try await mutation(name, args: NamedArguments(args))
    }

    /// As ``action(_:args:as:isIdempotent:)``.
    @_disfavoredOverload
    public nonisolated(nonsending) func action<Value: Decodable>(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) -> Value {
        try await action(name, args: NamedArguments(args), as: Value.self)
    }

    /// As ``action(_:args:isIdempotent:)``.
    @_disfavoredOverload
    public nonisolated(nonsending) func action(
        _ name: String, with args: [String: (any Encodable)?]? = nil
    ) async throws(TinyvexError) {
        try await action(name, args: NamedArguments(args))
    }
}

/// Arguments by name; nil is written as `null`.
struct NamedArguments: Encodable {
    private let arguments: [String: (any Encodable)?]

    init(_ arguments: [String: (any Encodable)?]?) { self.arguments = arguments ?? [:] }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, argument) in arguments {
            if let argument {
                try container.encode(argument, forKey: Name(stringValue: name))
            } else {
                try container.encodeNil(forKey: Name(stringValue: name))
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
