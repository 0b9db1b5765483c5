import Access
import EventLoop
import SessionStreams
import Tinyvex

/// The bridges whose sessions this bridge shows, and to which it can forward commands.
@LoopActor package protocol OtherBridges: AnyObject {
    /// True if commands for the session can be forwarded to its bridge.
    func takesCommands(for session: Session) -> Bool

    /// Forwards a mutation or an action to the session's bridge, which decides whether it is allowed.
    ///
    /// - Parameter call: names the session by id, agent and journal.
    func forward(
        _ call: CallRequest, _ kind: FunctionDescription.Kind, for session: Session,
        then finish: @escaping CompletionHandler)

    /// The open requests of the bridges' agents.
    func pending(_ list: PendingList) -> [PendingAtOtherBridge]
}

package enum PendingList: String, CaseIterable, Sendable {
    case permissions = "permissions:pending"
    case elicitations = "elicitations:pending"
}

/// A row of `permissions:pending` or `elicitations:pending` of another bridge.
package struct PendingAtOtherBridge: Sendable {
    package let sessionId: String
    package let agent: String
    package let journal: String
    /// The time of the request, in milliseconds since 1970.
    package let time: Int64
    /// A number that no other row with this time has, for its place in the list.
    package let number: Int64
    /// The row as JSON text, with the name of its bridge as `bridge`.
    package let json: [UInt8]

    package init(sessionId: String, agent: String, journal: String, time: Int64, number: Int64, json: [UInt8]) {
        self.sessionId = sessionId
        self.agent = agent
        self.journal = journal
        self.time = time
        self.number = number
        self.json = json
    }
}
