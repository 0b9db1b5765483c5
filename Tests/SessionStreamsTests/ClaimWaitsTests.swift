import TestSupport
import Testing

@testable import EventLoop
@testable import SessionStreams

@Suite(.serialized) struct ClaimWaitsTests {
    init() { LoopThread.start }

    @LoopActor private final class Done { var names: [String] = [] }

    @Test @LoopActor func anActionWaitsOnlyForSessionsThatBeganBeforeIt() {
        let rig = SessionRig()
        let first = rig.registry.begin(agent: "agent", id: "first", tenant: nil)
        let second = rig.registry.begin(agent: "agent", id: "second", tenant: nil)
        let done = Done()
        var waits = ClaimWaits()
        waits.add(before: first.ordinal + 1) { done.names.append("first") }
        waits.add(before: second.ordinal + 1) { done.names.append("both") }
        #expect(waits.takeReady(waitsForOne: false).isEmpty)
        waits.claimed(first)
        for action in waits.takeReady(waitsForOne: false) { action() }
        #expect(done.names == ["first"])
        waits.claimed(second)
        for action in waits.takeReady(waitsForOne: false) { action() }
        #expect(done.names == ["first", "both"])
    }

    @Test @LoopActor func onlyActionsForASingleSessionWaitWhileTheLogFails() {
        let rig = SessionRig()
        let session = rig.registry.begin(agent: "agent", id: "s", tenant: nil)
        let done = Done()
        var waits = ClaimWaits()
        waits.add(for: session) { done.names.append("one") }
        waits.add(before: session.ordinal + 1) { done.names.append("all") }
        for action in waits.takeReady(waitsForOne: true) { action() }
        #expect(done.names == ["all"])
        rig.log.answerAll()
        for action in waits.takeReady(waitsForOne: true) { action() }
        #expect(done.names == ["all", "one"])
    }
}
