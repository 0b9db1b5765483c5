import AgentProcess
import EventLoop
import Glibc
import Testing
import Tinyvex

/// What is left of a session when its editor goes.
@Suite(.blocking) struct OutlivingTests {
    private func editor(
        _ options: [SystemString], _ agent: [SystemString], in home: BridgeHome
    ) throws -> EditorProcess {
        try EditorProcess([Binary.acpbridge] + options + ["--"] + agent, in: home)
    }

    /// An editor whose agent is at work, and stays so until it is told to stop.
    private func stalled(_ options: [SystemString], in home: BridgeHome) throws -> EditorProcess {
        let editor = try editor(options, rude("stall"), in: home)
        try editor.openSession()
        try editor.exchange(editor.prompt(id: "2"), until: #""n":3"#)
        return editor
    }

    private func isRunning(_ name: String, in home: BridgeHome) -> Bool {
        home.processes.contains { $0.command.first?.hasSuffix(name) == true }
    }

    @Test func aTurnGoesOnWhenItsEditorIsKilled() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.send(prompt: "hello 60 chunks pace=10 no permission")
            _ = try editor.process.readLines(until: "agent_message_chunk")
            editor.process.kill(SIGKILL)
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.subscribe(editor.sessionId, after: 0, stream: "sessions:timeline")
            while try viewer.next("tinyvex/data")["params"]?["value"]?["kind"]?.stringValue
                != TimelineKind.turnEnd.rawValue
            {}
        }
    }

    @Test func withoutLingeringAKilledEditorTakesItsAgentAlong() throws {
        try BridgeHome.with { home in
            let editor = try stalled(["--linger", "0"], in: home)
            editor.kill(SIGKILL)
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }

    @Test func anAgentThatIsKeptGoesOnIdle() throws {
        try BridgeHome.with { home in
            let editor = try editor(["--keep"], rude("echo"), in: home)
            try editor.openSession()
            editor.closeInput()
            #expect(try editor.exitStatus() == .exited(code: 0))
            #expect(isRunning("rude-agent", in: home))
        }
    }

    @Test func anAgentThatIsDoneEndsAfterItsTime() throws {
        try BridgeHome.with { home in
            let editor = try editor(["--linger", "200ms"], rude("stall"), in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":3"#)
            editor.kill(SIGKILL)
            _ = try editor.exitStatus()
            // Not kept: whoever has spoken to the agent is company as long as they are there.
            try TinyvexTestClient(home).send(
                #"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"rude-1"}}"#)
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }

    @Test func theEndOfTheInputLetsATurnFinish() throws {
        try BridgeHome.with { home in
            let editor = try stalled([], in: home)
            editor.closeInput()
            let client = try TinyvexTestClient(home)
            try client.send(#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"rude-1"}}"#)
            _ = try editor.readLines(until: #""stopReason":"cancelled""#)
            #expect(try editor.exitStatus() == .exited(code: 0))
        }
    }
}
