import Access
import EventLoop
import JSONScan
import LiveQueries
import SessionRecords
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

    /// The name of the other bridge that the params name; nil for this one.
    ///
    /// - Parameter ownName: The name of this bridge, which is used unless another one has it, too.
    func bridge(_ params: Parameters, ownName: String) throws(Rejection) -> String? {
        guard let name = try params.optionalString("bridge", limitBytes: Self.nameLimitBytes), !name.isEmpty else {
            return nil
        }
        return name == ownName && !places.contains { $0.name == name } ? nil : name
    }

    /// More than a machine's name, or an address.
    private static let nameLimitBytes = 2_048

    var places: [BridgePlace] { others?.places ?? [] }

    /// Forwards an action that names another bridge.
    ///
    /// - Parameter sent: called after the call was forwarded.
    func send(
        _ call: CallRequest, _ arguments: Parameters, to bridge: String, for identity: Identity,
        sent: @LoopActor () -> Void, then finish: @escaping CompletionHandler
    ) throws(Rejection) {
        let others = try others(for: identity.tenant)
        audit.record(.called(function: call.name, nil, bridge: bridge), by: identity)
        let text = JSONWriter.object { writer in
            for (name, value) in arguments.members where name != "bridge" {
                writer.member(name, raw: value.rawText)
            }
        }
        let call = BridgeCall(bridge: bridge, name: call.name, arguments: text, requestId: call.requestId)
        others.forward(call) { outcome in finish(outcome.map { FunctionResponse(result: $0) }) }
        sent()
    }

    /// Gets the profiles of another bridge's agents.
    func profiles(
        of bridge: String, tenant: String?, then finish: @escaping @LoopActor (QueryOutcome) -> Void
    ) throws(Rejection) {
        try others(for: tenant).profiles(of: bridge, then: finish)
    }

    /// A session that begins at another bridge belongs to the tenant of this bridge's token there, or to none, and not to
    /// that of the client.
    private func others(for tenant: String?) throws(Rejection) -> any OtherBridges {
        guard tenant == nil else {
            throw Rejection(
                .readOnly, "a client of a tenant can begin sessions at its own bridge only; connect to that bridge",
                rpcCode: .invalidRequest)
        }
        guard let others else {
            throw .invalidParams("bridge: this bridge shows no others; start it with `--peer`, or leave `bridge` out")
        }
        return others
    }

    /// Gets the open requests at other bridges, of one tenant or of all.
    func pending(_ lists: [PendingList], tenant: String?, then finish: @escaping @LoopActor ([PendingRow]) -> Void) {
        guard let others else { return finish([]) }
        others.pending(lists, tenant: tenant, then: finish)
    }

    /// See ``OtherBridges/knownRecord(of:then:)``.
    func knownRecord(of sid: Int64, then finish: @escaping @LoopActor ([SessionRecord]) -> Void) {
        guard let others else { return finish([]) }
        others.knownRecord(of: sid, then: finish)
    }

    /// See ``OtherBridges/usage(starts:then:)``. A tenant gets none, because the sums do not have their tenant.
    func usage(
        starts: [Int64], tenant: String?, then finish: @escaping @LoopActor ([UsageOfOthers]) -> Void
    ) {
        guard let others, tenant == nil else { return finish([]) }
        others.usage(starts: starts, then: finish)
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
