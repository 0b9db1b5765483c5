import AgentProcess
import JSONScan
import PermissionRules
import SessionRecords
import TestSupport
import Testing

@testable import ACPRouting
@testable import Access
@testable import Agents
@testable import EventLoop
@testable import SessionStreams

@Suite(.serialized) struct RuleJudgeTests {
    init() { LoopThread.start }

    private static let permission =
        #"{"jsonrpc":"2.0","id":5,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{},"#
        + #""options":[{"optionId":"y","name":"No","kind":"allow_once"}]}}"# + "\n"

    @LoopActor private final class Parts {
        let rig: AgentRig
        let sessions: AgentSessions
        let judge: RuleJudge
        private(set) var answers: [String] = []

        init(_ rules: [PermissionRule]) throws {
            rig = try AgentRig()
            let record = AgentRecord.Agent(pid: 4711, startTicks: 0, pipes: [])
            let identity = AgentIdentity(name: "a", tenant: nil, command: [], record: record, startedAt: 0)
            sessions = AgentSessions(of: identity, registry: rig.registry, time: rig.time)
            judge = RuleJudge(PermissionRules(rules), agent: "a")
            sessions.deliver = { [unowned self] delivery in
                if case .toAgent(let line) = delivery { answers.append(String(decoding: line, as: UTF8.self)) }
            }
        }

        func end() async {
            sessions.end(.exited(code: 0))
            await rig.close()
        }

        func asks() {
            Array(permission.utf8).withUnsafeBytes { sessions.agentWrote($0) }
            judge.answer(in: sessions)
        }
    }

    @Test @LoopActor func aRequestWithAnEditorWaitsForItUntilTheEditorHasGone() async throws {
        let parts = try Parts([PermissionRule(.allow)])
        parts.asks()
        #expect(parts.answers.isEmpty)
        parts.sessions.editorGone()
        parts.judge.answer(in: parts.sessions)
        #expect(parts.answers.count == 1)
        #expect(parts.answers.first?.contains(#""optionId":"y""#) == true)
        #expect(parts.sessions.router.pendingPermissions.isEmpty)
        parts.judge.answer(in: parts.sessions)
        #expect(parts.answers.count == 1)
        await parts.end()
    }

    @Test @LoopActor func aRequestThatNoRuleAnswersStaysPending() async throws {
        let parts = try Parts([PermissionRule(.reject, when: .always)])
        parts.asks()
        #expect(parts.answers.isEmpty)
        #expect(parts.sessions.router.pendingPermissions.count == 1)
        await parts.end()
    }

    @Test @LoopActor func aReusedIdIsARequestOfItsOwn() async throws {
        let parts = try Parts([PermissionRule(.allow, when: .always)])
        parts.asks()
        parts.rig.time.pass(.seconds(1))
        parts.asks()
        #expect(parts.answers.count == 2)
        await parts.end()
    }
}
