import AgentProcess
import JSONCoding
import JSONScan
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

    /// Answers each request with a session.
    private static let script: SystemString = """
        while read line; do
        id=${line#*\\"id\\":\\"}
        echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":\\"${id%%\\"*}\\",\\"result\\":{\\"sessionId\\":\\"s1\\"}}"
        done
        """

    /// As after the replacement of the bridge: no client waits for the answer any longer.
    @Test @LoopActor func anAgentStaysWhenItHasOpenedItsSession() async throws {
        let rig = try AgentRig()
        let run = try rig.run("sh", "-c", Self.script)
        run.purpose = SessionPurpose(session: nil, Self.request(restarts: true))
        try run.startUnattended()
        #expect(!run.staysUntilStopped && run.restartPlan == nil)
        let params = try JSONValue(validating: Array(#"{"cwd":"/","mcpServers":[]}"#.utf8))
        // The second answer comes after the bridge has handled what the agent wrote before.
        run.ask("session/new", params, by: "ann") { _ in run.ask("session/list", nil, by: "ann") { _ in rig.wake() } }
        await rig.until { run.staysUntilStopped }
        #expect(run.purpose == nil && run.restartPlan?.request.lifetime == .keep)
        run.end()
        await rig.until { rig.status != nil }
        await rig.close()
    }

    @Test @LoopActor func anAgentThatHasOpenedAnotherSessionDoesNotStay() async throws {
        let rig = try AgentRig()
        let run = try rig.run("sh", "-c", Self.script)
        run.purpose = SessionPurpose(session: "s7", Self.request(restarts: false))
        try run.startUnattended()
        #expect(run.isOpening("s7"))
        let params = try JSONValue(validating: Array(#"{"cwd":"/","mcpServers":[]}"#.utf8))
        run.ask("session/new", params, by: "ann") { _ in rig.wake() }
        await rig.until { run.sessions?.sessions["s1"]?.isLive == true }
        #expect(!run.staysUntilStopped && run.isOpening("s7"))
        run.end()
        await rig.until { rig.status != nil }
        await rig.close()
    }

    @Test func aPurposeSurvivesAHandOver() throws {
        var encoder = JSONTextEncoder(memberOrder: .sorted)
        encoder.conversions.add([UInt8].self) { RawJSON(String(decoding: $0, as: UTF8.self)) }
        let purpose = SessionPurpose(session: "s", Self.request(restarts: false))
        let text = try encoder.encode(purpose)
        #expect(String(decoding: text, as: UTF8.self) == #"{"session":"s"}"#)
        #expect(try JSONTextDecoder().decode(SessionPurpose.self, from: text) == purpose)
    }
}
