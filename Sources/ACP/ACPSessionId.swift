/// Names a session. Chosen by the agent; its own to read. Schema: `SessionId`.
public struct ACPSessionId: ACP.Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ACP {
    /// As the schema spells it.
    public typealias SessionId = ACPSessionId
}
