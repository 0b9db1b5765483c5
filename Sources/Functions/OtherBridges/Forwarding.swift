import Access
import EventLoop
import JSONScan
import SessionStreams
import Tinyvex

/// Recognises calls for sessions of other bridges, and forwards them.
@LoopActor final class Forwarding {
    /// Nil if this bridge shows no others.
    weak var others: (any OtherBridges)?
    private let registry: SessionRegistry
    private let audit: AuditLog

    init(_ registry: SessionRegistry, _ audit: AuditLog) {
        self.registry = registry
        self.audit = audit
    }

    /// Forwards the call if its session is at another bridge, and calls `finish` with the outcome. Otherwise calls `here`,
    /// at once on a bridge that shows no others. A forwarded call is not queued, because its answer can take seconds, and
    /// its bridge knows repetitions.
    ///
    /// - Parameters:
    ///   - arguments: the call's arguments as this identity can use them.
    ///   - sent: called after the call was forwarded.
    func route(
        _ kind: FunctionDescription.Kind, _ call: CallRequest, _ arguments: Parameters, for identity: Identity,
        sent: @escaping @LoopActor () -> Void = {}, here: @escaping @LoopActor () -> Void,
        then finish: @escaping CompletionHandler
    ) {
        guard let others, others.forwards(kind, call.name), arguments.value("pid") == nil,
            let reference = try? SessionReference(arguments)
        else { return here() }
        registry.find(reference, of: identity.tenant) { [self] found in
            guard case .success(let session) = found, let home = session.home, let sid = session.sid,
                let others = self.others, others.takesCalls(for: session)
            else { return here() }
            let name = AuditEvent.SessionName(agent: session.agent, sessionId: session.id)
            audit.record(.called(function: call.name, name), by: identity)
            let call = ForwardedCall(
                kind: kind, name: call.name, arguments: Self.arguments(arguments, of: session),
                requestId: call.requestId, sessionId: session.id, agent: session.agent, sid: sid, home: home,
                identity: identity)
            others.forward(call) { outcome in finish(outcome.map { FunctionResponse(result: $0) }) }
            sent()
        }
    }

    /// Gets the open requests at other bridges, of one tenant or of all.
    func pending(_ list: PendingList, tenant: String?, then finish: @escaping @LoopActor ([PendingRow]) -> Void) {
        guard let others else { return finish([]) }
        others.pending(list, tenant: tenant, then: finish)
    }

    private static func arguments(_ arguments: Parameters, of session: Session) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("sessionId", session.id)
            writer.member("agent", session.agent)
            writer.member("journal", session.journal)
            for (name, value) in arguments.members where !SessionReference.memberNames.contains(name) {
                writer.member(name, raw: value.rawText)
            }
        }
    }
}
