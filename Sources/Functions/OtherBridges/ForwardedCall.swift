import Access
import EventLoop
import JSONScan
import SessionRecords
import SessionStreams
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
    private static let actions: Set<ActionName> = [.sessionsPrompt, .sessionsCancel, .agentsStop]
}

/// Recognises calls for sessions of other bridges.
@LoopActor struct Forwarding {
    let registry: SessionRegistry
    /// Nil on a bridge that is starting.
    let forward: (@LoopActor (ForwardedCall, @escaping @LoopActor (QueryOutcome) -> Void) -> Void)?

    /// Forwards the call if its session is at another bridge, and calls `finish` with the outcome. Otherwise calls `here`,
    /// at once on a bridge that shows no others.
    func route(
        _ kind: FunctionDescription.Kind, _ call: CallRequest, _ arguments: Parameters, for identity: Identity,
        here: @escaping @LoopActor () -> Void, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) {
        guard registry.log.own !== registry.log, ForwardedCall.isForwardable(kind, call.name),
            arguments.value("pid") == nil, let reference = try? SessionReference(arguments), let forward
        else { return here() }
        registry.find(reference, of: identity.tenant) { found in
            guard case .success(let session) = found, let home = session.home, let sid = session.sid else {
                return here()
            }
            forward(
                ForwardedCall(
                    kind: kind, name: call.name, arguments: Self.arguments(arguments, of: session),
                    requestId: call.requestId, sessionId: session.id, agent: session.agent, sid: sid, home: home,
                    identity: identity),
                finish)
        }
    }

    /// The members that name a session or an agent, in any spelling.
    private static let names: Set<String> = ["sessionId", "session_id", "agent", "journal", "pid", "requests"]

    private static func arguments(_ arguments: Parameters, of session: Session) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", session.id)
            writer.member("agent", session.agent)
            writer.member("journal", session.journal)
            for (name, value) in arguments.members where !names.contains(name) {
                writer.member(name, raw: value.rawText)
            }
        }
    }
}
