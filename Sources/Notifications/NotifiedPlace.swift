import FieldLimits

/// Names the session of a notification. Several sessions can have the same agent name and id at once, also those of two
/// tenants. So a session is named by its incarnation, as soon as the log has given it one.
package struct NotifiedPlace: Hashable, Sendable {
    private let agent: String
    private let sessionId: String
    /// The tenant of the session; nil for a session of the bridge's own users.
    private let tenant: String?
    /// The name of the session's incarnation in the log: `9f03c2aa-17`. Nil before the log has answered the claim.
    private let incarnation: String?

    package init(agent: String, sessionId: String, tenant: String? = nil, incarnation: String? = nil) {
        self.agent = agent.prefix(scalars: FieldLimit.agentCharacters)
        self.sessionId = sessionId
        self.tenant = tenant
        self.incarnation = incarnation
    }

    /// True if both name the same session. If an incarnation is not known, the other names decide.
    func isSame(as other: NotifiedPlace) -> Bool {
        guard agent == other.agent, sessionId == other.sessionId else { return false }
        if let incarnation, let others = other.incarnation { return incarnation == others }
        return tenant == other.tenant
    }

    /// The place as it was before the log had answered the claim.
    var unclaimed: NotifiedPlace { NotifiedPlace(agent: agent, sessionId: sessionId, tenant: tenant) }
}

extension Dictionary where Key == NotifiedPlace {
    /// The value of a session, also if it was set before the log had answered the session's claim.
    func value(of place: NotifiedPlace) -> Value? { self[place] ?? self[place.unclaimed] }

    mutating func take(_ place: NotifiedPlace) -> Value? {
        let unclaimed = removeValue(forKey: place.unclaimed)
        return removeValue(forKey: place) ?? unclaimed
    }
}
