import Testing

@testable import Agents

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

    @Test func theRequestsHaveTheFormOfTheVersion() {
        let first = work(#"{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}"#)
        #expect(
            String(decoding: first?.initializeParams ?? [], as: UTF8.self)
                == #"{"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"acpbridge","version":"1"}}"#)
        let second = work(#"{"protocolVersion":2}"#)
        #expect(
            String(decoding: second?.initializeParams ?? [], as: UTF8.self)
                == #"{"protocolVersion":2,"capabilities":{},"info":{"name":"acpbridge","version":"1"}}"#)
        #expect(
            String(decoding: InterruptedWork.params(of: Self.sessions[0]), as: UTF8.self)
                == #"{"sessionId":"s","cwd":"/p","mcpServers":[]}"#)
    }
}
