import EventLoop
import JSONRPC
import JSONScan
import Posix
import TestSupport
import Testing

@testable import ACPRouting
@testable import Agents

/// How long an agent of ACP version 2 continues without its editor: the work in the foreground has no limit, background
/// work and an unknown state have one.
@Suite struct RestingWorkTests {
    init() { LoopThread.start }

    @LoopActor private final class Rig {
        let loop = ManualLoop()
        let lifetime: AgentLifetime
        var router: RequestRouter?
        private var actions: [AgentLifetime.Action] = []

        /// An agent that has answered `initialize` with version 2, lingers for 9 s, and rests for at most 100 s.
        init(_ policy: LingerPolicy = .linger(.seconds(9))) throws {
            router = RequestRouter(idPrefix: "b-")
            lifetime = AgentLifetime(
                LifetimeMachine(policy: policy), permissionLimit: PermissionLimit(), restLimit: .seconds(100),
                loop: loop.services)
            lifetime.router = { [unowned self] in router }
            lifetime.perform = { [unowned self] in perform($0) }
            editorWrites(#"{"id":0,"method":"initialize","params":{"protocolVersion":2}}"#)
            try agentWrites(#"{"id":0,"result":{"protocolVersion":2}}"#)
        }

        private func perform(_ action: AgentLifetime.Action) {
            guard action == .expire else { return actions.append(action) }
            _ = router?.expire(at: loop.services.time.dateMilliseconds)
            lifetime.reconsider()
        }

        func actions(after time: Duration) -> [AgentLifetime.Action] {
            loop.advance(by: time)
            defer { actions = [] }
            return actions
        }

        func editorWrites(_ line: String) {
            let line = Array(line.utf8)
            _ = router?.editorWrote(line.span, at: loop.services.time.dateMilliseconds)
            lifetime.editorWrote(hasRunningTurn: router?.hasRunningTurn == true)
        }

        func agentWrites(_ line: String) throws {
            let line = Array(line.utf8)
            let envelope = try scanEnvelope(line.span)
            let now = loop.services.time.dateMilliseconds
            if envelope.isSessionUpdate(in: line.span) {
                _ = router?.agentUpdated(line.span, envelope, at: now)
            } else {
                _ = router?.agentWrote(line.span, envelope, at: now)
            }
            if let router { lifetime.agentWrote(router.workSummary) }
        }

        func state(_ state: String, _ rest: String = "") throws {
            try agentWrites(
                #"{"method":"session/update","params":{"sessionId":"s","update":"#
                    + #"{"sessionUpdate":"state_update","state":"\#(state)"\#(rest)}}}"#)
        }

        func editorLeaves() {
            router?.editorGone()
            lifetime.editorGone()
        }
    }

    private static let server = #","background":[{"type":"terminal","terminalId":"t"}]"#

    @Test @LoopActor func anAgentAtWorkOutlivesItsEditorAfterItHasAcceptedThePrompt() throws {
        let rig = try Rig()
        rig.editorWrites(#"{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        try rig.state("running")
        try rig.agentWrites(#"{"id":1,"result":{"messageId":"u"}}"#)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(100_000)) == [])
        try rig.state("idle")
        #expect(rig.actions(after: .milliseconds(8_999)) == [])
        #expect(rig.actions(after: .milliseconds(1)) == [.end])
    }

    @Test @LoopActor func aTurnThatBeginsDuringTheLingerTimeKeepsTheAgent() throws {
        let rig = try Rig()
        try rig.state("running")
        rig.editorLeaves()
        try rig.state("idle")
        #expect(rig.actions(after: .seconds(8)) == [])
        try rig.state("running")
        #expect(rig.actions(after: .seconds(1000)) == [])
        try rig.state("idle")
        #expect(rig.actions(after: .seconds(9)) == [.end])
    }

    @Test(arguments: ["idle", "unknown"])
    @LoopActor func backgroundWorkKeepsAnAgentForItsTimeAndTheLingerTime(state: String) throws {
        let rig = try Rig()
        try rig.state(state, Self.server)
        rig.editorLeaves()
        #expect(rig.actions(after: .milliseconds(108_999)) == [])
        #expect(rig.actions(after: .milliseconds(1)) == [.end])
    }

    @Test @LoopActor func aTurnBeginsTheTimeOfBackgroundWorkAgain() throws {
        let rig = try Rig()
        try rig.state("idle", Self.server)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(99)) == [])
        try rig.state("running")
        #expect(rig.actions(after: .seconds(1000)) == [])
        try rig.state("idle")
        #expect(rig.actions(after: .milliseconds(108_999)) == [])
        #expect(rig.actions(after: .milliseconds(1)) == [.end])
    }

    @Test @LoopActor func aClientBeginsTheTimeOfBackgroundWorkAgain() throws {
        let rig = try Rig()
        try rig.state("idle", Self.server)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(105)) == [])
        rig.lifetime.clientsChanged(hasEditor: false, hasOthers: true)
        #expect(rig.actions(after: .seconds(1000)) == [])
        rig.lifetime.clientsChanged(hasEditor: false, hasOthers: false)
        #expect(rig.actions(after: .seconds(108)) == [])
        #expect(rig.actions(after: .seconds(1)) == [.end])
    }

    @Test @LoopActor func theLingerTimeBeginsWhenTheBackgroundWorkEnds() throws {
        let rig = try Rig()
        try rig.state("idle", Self.server)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(50)) == [])
        try rig.state("idle", #","background":[]"#)
        #expect(rig.actions(after: .seconds(8)) == [])
        #expect(rig.actions(after: .seconds(1)) == [.end])
    }

    @Test @LoopActor func theEndOfTheInputWaitsForBackgroundWork() throws {
        let rig = try Rig()
        try rig.state("idle", Self.server)
        rig.lifetime.editorEndedInput()
        #expect(rig.actions(after: .seconds(99)) == [])
        #expect(rig.actions(after: .seconds(1)).first == .closeInput)
    }

    @Test @LoopActor func withoutLingeringBackgroundWorkEndsWithTheEditor() throws {
        let rig = try Rig(.linger(.zero))
        try rig.state("running", Self.server)
        rig.editorLeaves()
        #expect(rig.actions(after: .zero) == [.end])
    }

    @Test @LoopActor func anAcceptedPromptWithoutATurnDoesNotKeepAnAgentForLong() throws {
        let rig = try Rig()
        rig.editorWrites(#"{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        try rig.agentWrites(#"{"id":1,"result":{"messageId":"u"}}"#)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(29)) == [])
        // The wait is over after 30 s, and the agent lingers for 9 s.
        #expect(rig.actions(after: .seconds(15)) == [.end])
    }

    @Test @LoopActor func anOpenQuestionKeepsAnAgent() throws {
        let rig = try Rig()
        try rig.agentWrites(
            #"{"id":1,"method":"session/request_permission","params":{"sessionId":"s","title":"?","options":[]}}"#)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(100_000)) == [])
    }

    @Test @LoopActor func noTimerRunsAfterTheAgentHasStopped() throws {
        let rig = try Rig()
        try rig.state("idle", Self.server)
        rig.editorWrites(#"{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}"#)
        try rig.agentWrites(#"{"id":1,"result":{"messageId":"u"}}"#)
        rig.editorLeaves()
        rig.lifetime.stop()
        rig.router = nil
        #expect(rig.actions(after: .seconds(1000)) == [])
    }
}
