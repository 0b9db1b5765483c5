import Access
import EventLoop
import JSONScan
import SessionStreams
import Tinyvex

/// Forwards mutations and actions to the bridge that has the session.
@LoopActor final class CommandForwarding {
    /// Nil if commands are not forwarded.
    weak var others: (any OtherBridges)?
    private let registry: SessionRegistry
    private let audit: AuditLog

    init(_ registry: SessionRegistry, _ audit: AuditLog) {
        self.registry = registry
        self.audit = audit
    }

    /// Calls `here` if this bridge must answer the call itself.
    ///
    /// - Parameter arguments: the call's arguments as this identity can use them.
    func forward(
        _ call: CallRequest, _ kind: FunctionDescription.Kind, _ arguments: Parameters, _ identity: Identity,
        _ finish: @escaping CompletionHandler, or here: @escaping @LoopActor () -> Void
    ) {
        guard others != nil, let reference = try? SessionReference(arguments) else { return here() }
        registry.find(reference, of: identity.tenant) { [self] found in
            guard let session = try? found.get(), let others, others.takesCommands(for: session) else { return here() }
            let name = AuditEvent.SessionName(agent: session.agent, sessionId: session.id)
            audit.record(.called(function: call.name, name), by: identity)
            let call = CallRequest(requestId: call.requestId, name: call.name, arguments: arguments.naming(session))
            others.forward(call, kind, for: session, then: finish)
        }
    }

    /// The open requests at other bridges. A tenant sees none, because the rows do not have their tenant.
    func pending(_ list: PendingList, tenant: String?) -> [PendingAtOtherBridge] {
        tenant == nil ? others?.pending(list) ?? [] : []
    }
}

extension ActionName {
    /// The action concerns a session's agent, so it is forwarded to the session's bridge.
    var isForwarded: Bool {
        switch self {
        case .sessionsPrompt, .sessionsCancel, .sessionsView, .agentsStop: true
        default: false
        }
    }
}

extension Parameters {
    /// The same params, with all names of this session's incarnation.
    @LoopActor fileprivate func naming(_ session: Session) -> Parameters {
        let names: Set = ["sessionId", "session_id", "agent", "journal"]
        let text = JSONWriter.object { writer in
            writer.member("sessionId", session.id)
            writer.member("agent", session.agent)
            writer.member("journal", session.journal)
            for (name, value) in members where !names.contains(name) { writer.member(name, raw: value.rawText) }
        }
        // The text is not deeper than the one that was received.
        return (try? JSONValue(validating: text)).map { Parameters($0) } ?? self
    }
}
