import Access
import SessionRecords
import Tinyvex

/// A call for a session of another bridge.
package struct ForwardedCall: Sendable {
    package let kind: FunctionDescription.Kind
    package let name: String
    /// A JSON object that names the session by its id, its agent and its journal.
    package let arguments: [UInt8]
    package let requestId: String?
    package let sessionId: String
    package let agent: String
    /// The session's place among those of this bridge.
    package let sid: Int64
    /// The session's bridge.
    package let home: SessionHome
    package let identity: Identity

    /// True for a function that the bridge of a session performs for clients of other bridges. Links to sessions and
    /// stored files belong to one bridge, and viewers of a page are known only to the page's own one.
    package static func isForwardable(_ kind: FunctionDescription.Kind, _ name: String) -> Bool {
        switch kind {
        case .query: false
        case .mutation: MutationName(rawValue: name).map(mutations.contains) ?? false
        case .action: ActionName(rawValue: name).map(actions.contains) ?? false
        }
    }

    private static let mutations: Set<MutationName> = [
        .sessionsSetTitle, .sessionsSetTags, .sessionsArchive, .sessionsDelete, .permissionsAnswer, .elicitationsAnswer,
    ]
    private static let actions: Set<ActionName> = [
        .sessionsResume, .sessionsPrompt, .sessionsCancel, .sessionsClose, .sessionsUnqueue, .agentsStop,
    ]
}
