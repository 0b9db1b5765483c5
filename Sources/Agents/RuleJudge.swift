import ACPRouting
import Access
import EventLoop
import JSONRPC
import JSONScan
import PermissionRules
import SessionStreams

/// Answers the permission requests of one agent by the rules of the bridge.
///
/// A request is compared with the rules once while the agent has a client, and once while it has none.
@LoopActor final class RuleJudge {
    private let rules: PermissionRules
    private let agent: String
    private var judged: Set<Key> = []

    private struct Key: Hashable {
        let request: PermissionClock.Key
        let isUnattended: Bool
    }

    init(_ rules: PermissionRules, agent: String) {
        self.rules = rules
        self.agent = agent
    }

    /// False if ``answer(in:)`` has nothing to do.
    var hasRules: Bool { !rules.isEmpty }

    /// Answers the requests to which a rule applies. They are not more than the agent's pending requests, which the
    /// router limits.
    func answer(in sessions: AgentSessions) {
        guard hasRules else { return }
        let pending = sessions.router.pendingPermissions
        guard !pending.isEmpty else { return judged = [] }
        let isUnattended = sessions.router.isUnattended
        let keys = pending.map { Key(request: .init(id: $0.id, since: $0.since), isUnattended: isUnattended) }
        let known = judged
        let requests = Set(keys.map(\.request))
        judged = known.filter { requests.contains($0.request) }.union(keys)
        for (key, request) in zip(keys, pending) where !known.contains(key) {
            decide(request, isUnattended, in: sessions)
        }
    }

    private func decide(_ request: AgentRequest, _ isUnattended: Bool, in sessions: AgentSessions) {
        guard let id = request.session else { return }
        let facts = RuledRequest(agent: agent, folder: sessions.sessions[id]?.cwd, params: request.params)
        guard let decision = rules.decide(facts, isUnattended: isUnattended) else { return }
        let result = JSONWriter.object { writer in
            writer.memberObject("outcome") { writer in
                writer.member("outcome", "selected")
                writer.member("optionId", decision.option)
            }
        }
        let name = "rule \(decision.rule)"
        do throws(PermissionFault) {
            try sessions.withRouter { (router) throws(PermissionFault) in
                try router.answerPermission(id, request.id, Reply(result: result), by: name)
            }
        } catch {
            // The option's id is too long, or the request was answered meanwhile. A person answers it as without rules.
            return
        }
        sessions.recordAnswer(
            of: name, to: String(decoding: request.id.rawText, as: UTF8.self), choice: decision.option, in: id)
    }
}
