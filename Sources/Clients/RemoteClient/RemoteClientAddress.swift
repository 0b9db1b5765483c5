import Agents
import HTTP1

/// The agent or session that a client's URL names: `/acp?agent=codex`, `/acp?session=sess_1`,
/// `/acp?session=sess_1&journal=9f03c2aa-17-2`.
package struct RemoteClientAddress: Sendable, Equatable, Codable {
    /// The profile of the agent to start, or of the kept agent to take over.
    var agent: String?
    /// A running session to join.
    var session: String?
    /// The incarnation of that session. Nil for any, and in the state of an older bridge.
    private(set) var journal: String?
    /// The agent to start if the client names none. Nil in the state of an older bridge.
    private(set) var onlyAgent: String?
    /// True if the client takes the standard error of its own agent, as messages. Nil in the state of an older bridge.
    package var takesErrors: Bool?
    /// The launch request of a stdio shim on this machine.
    var launch: LaunchRequest?

    init(launch: LaunchRequest? = nil) { self.launch = launch }

    /// The agent of the client, unless its `initialize` names another.
    var namedAgent: String? { agent ?? onlyAgent }

    /// The address, with this agent for a client that names neither an agent nor a session.
    func naming(_ only: () -> String?) -> RemoteClientAddress {
        var address = self
        if agent == nil, session == nil, launch == nil { address.onlyAgent = only() }
        return address
    }

    /// - Parameter query: a URL's query without its question mark. Unknown parameters are ignored.
    package init(query: String?) {
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let value = PercentEncoding.decode(pair[1]), !value.isEmpty else { continue }
            switch pair[0] {
            case "agent": agent = value
            case "session": session = value
            case "journal": journal = value
            default: break
            }
        }
    }
}
