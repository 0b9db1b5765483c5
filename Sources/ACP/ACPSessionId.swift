/// Identifies a session. The agent chooses the id, and only the agent interprets it. Schema: `SessionId`.
public struct ACPSessionId: ACP.Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ACP {
    /// The schema's name for `ACPSessionId`.
    public typealias SessionId = ACPSessionId
}
