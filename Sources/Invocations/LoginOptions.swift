/// Options of `acpbridge login`.
package struct LoginOptions: Equatable, Sendable {
    /// The name of an agent's profile; nil means `ACPBRIDGE_AGENT`.
    package var agent: String?
    /// The id or the name of one of the agent's ways to log in; nil asks.
    package var method: String?

    package init(agent: String? = nil, method: String? = nil) {
        self.agent = agent
        self.method = method
    }
}
