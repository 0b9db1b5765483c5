import JSONRPC

extension ACP {
    /// An opaque id: a string that only its creator interprets. Other peers compare it and send it back.
    public protocol Identifier: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral,
        CustomStringConvertible
    where RawValue == String {
        init(rawValue: String)
    }
}

extension ACP.Identifier {
    public init(_ string: some StringProtocol) { self.init(rawValue: String(string)) }

    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The raw string.
    public var description: String { rawValue }
}

/// Identifies a session. The agent chooses the id, and only the agent interprets it. Schema: `SessionId`.
public struct ACPSessionId: ACP.Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ACP {
    /// The schema's name for `ACPSessionId`.
    public typealias SessionId = ACPSessionId

    /// The id of a JSON-RPC request: `null`, a number or a string. The three are never equal to each other. Schema:
    /// `RequestId`.
    public typealias RequestId = RequestID
}
