import AgentProcess
import JSONCoding
import ProductVersion
import TestSupport
import Testing

@testable import ACPRouting
@testable import Agents
@testable import EventLoop

@Suite struct RestartMachineTests {
    @Test func thePausesGrowToAMinuteAndTheAttemptsAreLimited() {
        var machine = RestartMachine()
        let pauses = (0..<10).map { _ in machine.failed(afterRunning: .seconds(5)) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map { .restart(after: .seconds($0)) })
        #expect(machine.failed(afterRunning: .seconds(599)) == .giveUp)
    }

    @Test func aStableAgentBeginsANewSeries() {
        var machine = RestartMachine()
        for _ in 0..<10 { _ = machine.failed(afterRunning: .zero) }
        #expect(machine.failed(afterRunning: RestartMachine.stableTime) == .restart(after: .seconds(1)))
        #expect(machine.failed(afterRunning: .zero) == .restart(after: .seconds(2)))
    }
}

@Suite struct InterruptedWorkTests {
    private static let sessions = [InterruptedWork.OpenSession(id: "s", folder: "/p")]

    private func work(_ result: String) -> InterruptedWork? {
        InterruptedWork(Self.sessions, initializeResult: Array(result.utf8))
    }

    @Test(arguments: [
        (#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}"#, "session/load"),
        (
            #"{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"resume":{}}}}"#,
            "session/resume"
        ),
        (#"{"protocolVersion":2,"capabilities":{}}"#, "session/resume"),
    ])
    func resumeIsPreferredToLoad(result: String, method: String) {
        #expect(work(result)?.method == method)
    }

    @Test(arguments: [
        #"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"resume":null}}}"#,
        #"{"protocolVersion":1}"#, "{}", "x",
    ])
    func anAgentThatCannotContinueASessionHasNoWork(result: String) {
        #expect(work(result) == nil)
    }

    @Test func anAgentWithoutSessionsHasNoWork() {
        let result = Array(#"{"protocolVersion":2}"#.utf8)
        #expect(InterruptedWork([], initializeResult: result) == nil)
        #expect(InterruptedWork(Self.sessions, initializeResult: nil) == nil)
    }

    @Test func sessionsThatWereNotContinuedJoinThoseThatWere() throws {
        let result = Array(#"{"protocolVersion":2}"#.utf8)
        var first = try #require(
            InterruptedWork([.init(id: "a", folder: "/"), .init(id: "b", folder: "/")], initializeResult: result))
        let second = InterruptedWork([.init(id: "c", folder: "/")], initializeResult: result)
        first.remove("a")
        #expect(InterruptedWork.union(second, first)?.sessions.map(\.id) == ["c", "b"])
        #expect(InterruptedWork.union(nil, first)?.sessions.map(\.id) == ["b"])
        first.remove("b")
        #expect(InterruptedWork.union(nil, first) == nil && InterruptedWork.union(nil, nil) == nil)
    }

    @Test func theRequestsHaveTheFormOfTheVersion() {
        let first = work(#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}"#)
        #expect(first?.initializeParams == SessionOpening.initializeParams(program: programVersion, offering: 1))
        let second = work(#"{"protocolVersion":2}"#)
        #expect(second?.initializeParams == SessionOpening.initializeParams(program: programVersion, offering: 2))
        #expect(
            String(decoding: SessionOpening.params(of: Self.sessions[0].id, in: Self.sessions[0].folder), as: UTF8.self)
                == #"{"sessionId":"s","cwd":"/p","mcpServers":[]}"#)
    }
}

@Suite(.timeLimit(.minutes(1))) struct WaitingRestartTests {
    init() { LoopThread.start }

    /// The agents that a bridge has tried to start again. Each attempt fails.
    @LoopActor private final class Starts {
        let time = ManualLoop()
        var agents: [String?] = []
        let restarts: AgentRestarts

        init() {
            restarts = AgentRestarts(LoopServices(time: time, timers: time, poller: EventLoop.main))
            restarts.start = { [unowned self] (plan, _) throws(SpawnError) in
                agents.append(plan.request.agent)
                throw .failed(program: "kept", reason: "it is gone")
            }
        }
    }

    private static func waiting(_ agent: String, rest: Duration) throws -> AgentRestarts.State.Waiting {
        let request = LaunchRequest(
            agent: agent, command: ["cat"], directory: "/", environment: [], fileModeMask: 0o022, openFilesLimit: 1024)
        let work = InterruptedWork(
            [.init(id: "s", folder: "/p")], initializeResult: Array(#"{"protocolVersion":2}"#.utf8))
        let restart = WaitingRestart(
            plan: RestartPlan(request), work: try #require(work), agent: agent, tenant: nil)
        return .init(restart: restart, rest: rest)
    }

    @Test @LoopActor func aWaitingRestartContinuesInTheNextProgramWithTheRestOfItsPause() throws {
        let (old, new) = (Starts(), Starts())
        let state = AgentRestarts.State(
            waiting: [try Self.waiting("a", rest: .seconds(4)), try Self.waiting("b", rest: .seconds(60))], started: [])
        old.restarts.adopt(state, [])
        old.time.advance(by: .seconds(3))
        let handed = old.restarts.state([])
        #expect(handed.waiting.map(\.rest) == [.seconds(1), .seconds(57)] && old.agents.isEmpty)
        let text = try JSONTextEncoder().encode(handed)
        new.restarts.adopt(try JSONTextDecoder().decode(AgentRestarts.State.self, from: text), [])
        #expect(new.restarts.warnings.count == 2)
        new.time.advance(by: .milliseconds(999))
        #expect(new.agents.isEmpty)
        new.time.advance(by: .milliseconds(1))
        #expect(new.agents == ["a"])
    }

    @Test @LoopActor func withoutAWaitingRestartNothingIsHandedOver() {
        #expect(Starts().restarts.state([]) == AgentRestarts.State(waiting: [], started: []))
    }
}
