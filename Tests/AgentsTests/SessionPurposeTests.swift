import AgentProcess
import TestSupport
import Testing

@testable import ACPRouting
@testable import Agents
@testable import EventLoop
@testable import SessionStreams

/// Agents that the bridge has started for one session.
@Suite(.timeLimit(.minutes(1))) struct SessionPurposeTests {
    init() { LoopThread.start }

    private static func request(restarts: Bool) -> LaunchRequest {
        var request = LaunchRequest(
            agent: "a", command: ["a"], directory: "/", environment: [], fileModeMask: 0o022, openFilesLimit: 1024)
        request.restartsOnFailure = restarts
        return request
    }

    @Test @LoopActor func anAgentStaysFromTheTimeAtWhichItHasOpenedItsSession() async throws {
        let rig = try AgentRig()
        let run = try rig.run("cat")
        run.purpose = SessionPurpose(session: "s7", Self.request(restarts: true))
        try run.startUnattended()
        #expect(run.isOpening("s7") && run.isStarting && run.state?.wasStarting == true)
        #expect(!run.staysUntilStopped && run.restartPlan == nil)
        run.openedSession()
        #expect(run.staysUntilStopped && !run.isOpening("s7") && run.state?.wasStarting == nil)
        #expect(run.restartPlan?.request.lifetime == .keep)
        run.end()
        await rig.until { rig.status != nil }
        await rig.close()
    }
}
