/// A version of ACP that this agent speaks. One connection speaks one version.
enum ProtocolVersion: Int, Sendable {
    case one = 1
    case two = 2

    /// The version of the response to `initialize`: the requested one if the agent supports it. A newer version is
    /// answered with the newest one of the agent, as ACP requires, and an older one with the oldest.
    static func negotiated(requested: Int64, forced: ProtocolVersion?) -> ProtocolVersion {
        forced ?? (requested >= 2 ? .two : .one)
    }
}
