import EventLoop
import JSONRPC
import JSONScan
import Posix
import TestSupport
import Testing

@testable import ACPRouting
@testable import Agents

/// Transcripts of an agent's lifetime: events and times go in, actions come out.
@Suite struct AgentLifetimeTests {
    init() { LoopThread.start }

    @LoopActor private final class Rig {
        let loop = ManualLoop()
        let lifetime: AgentLifetime
        var router: RequestRouter?
        private var actions: [AgentLifetime.Action] = []

        init(_ policy: LingerPolicy, permissionLimit: Duration? = nil, hasEditor: Bool = true) {
            router = RequestRouter(idPrefix: "b-", hasEditor: hasEditor)
            lifetime = AgentLifetime(
                LifetimeMachine(policy: policy), permissionLimit: PermissionLimit(own: permissionLimit),
                loop: loop.services)
            lifetime.router = { [unowned self] in router }
            lifetime.perform = { [unowned self] in actions.append($0) }
        }

        /// Returns the actions since the last call.
        func takeActions() -> [AgentLifetime.Action] {
            defer { actions = [] }
            return actions
        }

        func actions(after time: Duration) -> [AgentLifetime.Action] {
            loop.advance(by: time)
            return takeActions()
        }

        func editorWrites(_ line: String) {
            let line = Array(line.utf8)
            _ = router?.editorWrote(line.span)
            lifetime.editorWrote(hasRunningTurn: router?.hasRunningTurn == true)
        }

        func agentWrites(_ line: String, at now: Int64 = 0) throws {
            let line = Array(line.utf8)
            _ = try router?.agentWrote(line.span, scanEnvelope(line.span), at: now)
            if let router { lifetime.agentWrote(router.workSummary) }
        }

        func editorLeaves() {
            router?.editorGone()
            lifetime.editorGone()
        }
    }

    private static let prompt = #"{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}"#
    private static let list = #"{"id":1,"method":"session/list","params":{}}"#
    private static let answer = #"{"id":1,"result":{"stopReason":"end_turn"}}"#
    private static let permission =
        #"{"id":5,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}"#
    private static let read = #"{"id":6,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}}"#

    @Test @LoopActor func anEditorOfAKeptAgentIsDetachedWhenItHasItsAnswersAndItsOutput() throws {
        let rig = Rig(.keep)
        rig.editorWrites(Self.list)
        rig.lifetime.editorEndedInput()
        #expect(rig.takeActions() == [])
        try rig.agentWrites(Self.answer)
        #expect(rig.takeActions() == [.detachEditor])
        rig.lifetime.editorTookOutput()
        #expect(rig.takeActions() == [.detachEditor], "the owner can wait for the output")
    }

    @Test @LoopActor func anIdleAgentEndsWithItsEditor() {
        let rig = Rig(.linger(.seconds(9)))
        rig.editorLeaves()
        #expect(rig.takeActions() == [.end])
    }

    @Test @LoopActor func anAgentLingersAfterTheTurnIfItsEditorLeft() throws {
        let rig = Rig(.linger(.seconds(9)))
        rig.editorWrites(Self.prompt)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(1000)) == [])
        try rig.agentWrites(Self.answer)
        #expect(rig.actions(after: .milliseconds(8_999)) == [])
        #expect(rig.actions(after: .milliseconds(1)) == [.end])
    }

    @Test @LoopActor func anEditorWithoutInputThatCannotAnswerCountsAsGone() throws {
        let rig = Rig(.linger(.seconds(9)))
        rig.editorWrites(Self.prompt)
        rig.lifetime.editorEndedInput()
        #expect(rig.actions(after: .seconds(1000)) == [])
        try rig.agentWrites(Self.permission)
        #expect(rig.actions(after: .milliseconds(29_999)) == [])
        #expect(rig.actions(after: .milliseconds(1)) == [.detachEditor])
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(1000)) == [])
    }

    @Test @LoopActor func anEditorWithoutInputStaysIfTheQuestionBeforeItsEndIsAnsweredInTime() throws {
        let rig = Rig(.linger(.seconds(9)))
        rig.editorWrites(Self.prompt)
        try rig.agentWrites(Self.permission)
        rig.lifetime.editorEndedInput()
        #expect(rig.actions(after: .seconds(29)) == [])
        // Another client answers, and the agent continues.
        _ = rig.router?.answerAllCancelled(in: "s", by: "uid 0", client: nil)
        try rig.agentWrites(#"{"method":"session/update","params":{"sessionId":"s"}}"#)
        #expect(rig.actions(after: .seconds(1000)) == [])
        try rig.agentWrites(Self.permission)
        #expect(rig.actions(after: .seconds(29)) == [])
        #expect(rig.actions(after: .seconds(1)) == [.detachEditor])
    }

    @Test @LoopActor func withoutLingeringAnEditorWithoutInputEndsItsAgentAtOnce() throws {
        let rig = Rig(.linger(.zero))
        rig.editorWrites(Self.prompt)
        try rig.agentWrites(Self.permission)
        rig.lifetime.editorEndedInput()
        #expect(rig.takeActions() == [.closeInput])
    }

    @Test @LoopActor func aClientThatArrivesInTimeKeepsTheAgentRunning() throws {
        let rig = Rig(.linger(.seconds(9)))
        rig.editorWrites(Self.prompt)
        rig.editorLeaves()
        try rig.agentWrites(Self.answer)
        #expect(rig.actions(after: .seconds(5)) == [])
        rig.lifetime.clientsChanged(hasEditor: false, hasOthers: true)
        #expect(rig.actions(after: .seconds(1000)) == [])
        rig.lifetime.clientsChanged(hasEditor: false, hasOthers: false)
        #expect(rig.actions(after: .seconds(9)) == [.end])
    }

    @Test @LoopActor func aSilentAgentEndsAfterTheEndOfItsInput() throws {
        let rig = Rig(.standard)
        rig.lifetime.editorEndedInput()
        #expect(rig.takeActions() == [.closeInput])
        #expect(rig.actions(after: .seconds(6)) == [])
        try rig.agentWrites(#"{"method":"x"}"#)
        #expect(rig.takeActions() == [.closeInput])
        #expect(rig.actions(after: .milliseconds(9_999)) == [])
        #expect(rig.actions(after: .milliseconds(1)) == [.end])
    }

    @Test @LoopActor func aSilentAgentIsNotEndedBeforeItsAnswer() {
        let rig = Rig(.linger(.zero))
        rig.editorWrites(#"{"id":1,"method":"x"}"#)
        rig.lifetime.editorEndedInput()
        #expect(rig.takeActions() == [.closeInput])
        #expect(rig.actions(after: .seconds(1000)) == [])
    }

    @Test @LoopActor func aPermissionIsCancelledIfNoClientArrivesInTime() throws {
        let rig = Rig(.keep, permissionLimit: .seconds(60), hasEditor: false)
        rig.editorLeaves()
        try rig.agentWrites(Self.permission, at: 100)
        #expect(rig.actions(after: .seconds(59)) == [])
        let key = PermissionClock.Key(id: RequestID(5), since: 100)
        #expect(rig.actions(after: .seconds(1)) == [.cancelPermission(key)])
    }

    @Test @LoopActor func aPermissionDoesNotExpireWhileAClientIsPrimary() throws {
        let rig = Rig(.keep, permissionLimit: .seconds(60), hasEditor: false)
        rig.editorLeaves()
        try rig.agentWrites(Self.permission)
        rig.router?.clientAttached(1, name: "ann")
        _ = rig.router?.clientTookOver(1)
        rig.lifetime.clientsChanged(hasEditor: true, hasOthers: false)
        #expect(rig.actions(after: .seconds(1000)) == [])
    }

    @Test @LoopActor func aRequestForThePrimaryIsRefusedIfNoneArrivesInTime() throws {
        let rig = Rig(.keep, hasEditor: false)
        rig.editorLeaves()
        try rig.agentWrites(Self.read)
        #expect(rig.actions(after: .seconds(599)) == [])
        #expect(rig.actions(after: .seconds(1)) == [.refuseUnservable])
    }

    @Test @LoopActor func aKeptAgentDetachesItsEditorAtTheEndOfTheInput() {
        let rig = Rig(.keep)
        rig.lifetime.editorEndedInput()
        #expect(rig.takeActions() == [.detachEditor])
    }

    @Test @LoopActor func noTimerRunsAfterTheAgentHasStopped() throws {
        let rig = Rig(.linger(.seconds(9)), permissionLimit: .seconds(60))
        rig.editorWrites(Self.prompt)
        rig.editorLeaves()
        try rig.agentWrites(Self.permission)
        try rig.agentWrites(Self.read)
        try rig.agentWrites(Self.answer)
        rig.lifetime.stop()
        rig.router = nil
        #expect(rig.actions(after: .seconds(1000)) == [])
    }

    /// An earlier fault: the time continued while another client had the agent.
    @Test @LoopActor func aPrimaryEndsTheWaitOfARequest() throws {
        let rig = Rig(.linger(.seconds(600)))
        rig.editorWrites(Self.prompt)
        try rig.agentWrites(Self.read)
        rig.editorLeaves()
        #expect(rig.actions(after: .seconds(590)) == [])
        rig.router?.clientAttached(1, name: "ann")
        _ = rig.router?.clientTookOver(1)
        rig.lifetime.clientsChanged(hasEditor: true, hasOthers: false)
        _ = rig.router?.clientLeft(1)
        rig.lifetime.clientsChanged(hasEditor: false, hasOthers: false)
        #expect(rig.actions(after: .seconds(599)) == [])
        #expect(rig.actions(after: .seconds(1)) == [.refuseUnservable])
    }
}
