import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing
import Tinyvex

/// The remains of a session after its editor has gone.
@Suite(.blocking) struct OutlivingTests {
    private func editor(
        _ options: [SystemString], _ agent: [SystemString], in home: BridgeHome
    ) throws -> EditorProcess {
        try EditorProcess([Binary.acpbridge] + options + ["--"] + agent, in: home)
    }

    /// An editor with an agent that works until it is cancelled.
    private func stalled(_ options: [SystemString], in home: BridgeHome) throws -> EditorProcess {
        let editor = try editor(options, rude("stall"), in: home)
        try editor.openSession()
        try editor.exchange(editor.prompt(id: "2"), until: #""n":3"#)
        return editor
    }

    private func isRunning(_ name: String, in home: BridgeHome) -> Bool {
        home.processes.contains { $0.command.first?.hasSuffix(name) == true }
    }

    @Test func aTurnContinuesAfterItsEditorIsKilled() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.send(prompt: "hello 60 chunks pace=10 no permission")
            _ = try editor.process.readLines(until: "agent_message_chunk")
            editor.process.kill(SIGKILL)
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.subscribe(editor.sessionId, after: 0, stream: "sessions:timeline")
            while try viewer.next("tinyvex/data")["params"]?["value"]?["kind"]?.stringValue
                != TimelineEntryKind.turnEnd.rawValue
            {}
        }
    }

    @Test func withoutLingerTheAgentEndsWithItsKilledEditor() throws {
        try BridgeHome.with { home in
            let editor = try stalled(["--linger", "0"], in: home)
            editor.kill(SIGKILL)
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }

    @Test func aKeptIdleAgentKeepsRunning() throws {
        try BridgeHome.with { home in
            let editor = try editor(["--keep"], rude("echo"), in: home)
            try editor.openSession()
            editor.closeInput()
            #expect(try editor.exitStatus() == .exited(code: 0))
            #expect(isRunning("rude-agent", in: home))
        }
    }

    @Test func anIdleAgentEndsAfterItsLingerTime() throws {
        try BridgeHome.with { home in
            let editor = try editor(["--linger", "200ms"], rude("stall"), in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":3"#)
            editor.kill(SIGKILL)
            _ = try editor.exitStatus()
            // The agent is not kept, but any client that has sent a message to the agent keeps it alive while
            // connected.
            try TinyvexTestClient(home).send(
                #"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"rude-1"}}"#)
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }

    /// The option is given at the agent's start, or for all agents of a bridge.
    @Test(
        arguments: [
            (front: ["--permission-timeout", "200ms"], bridge: []),
            (front: [], bridge: ["--permission-timeout", "200ms"]),
        ] as [(front: [SystemString], bridge: [SystemString])])
    func anUnansweredPermissionIsCancelledAfterItsTimeout(options: (front: [SystemString], bridge: [SystemString]))
        throws
    {
        try BridgeHome.with { home in
            _ = try Daemon(home, ["--no-tcp"] + options.bridge)
            let editor = try EditorSession([Binary.demoAgent], in: home, options: options.front)
            let timeline = try TinyvexTestClient(home)
            _ = try timeline.subscribe(editor.sessionId, after: 0, stream: "sessions:timeline")
            let pending = try TinyvexTestClient(home)
            _ = try pending.watch("permissions:pending")
            try editor.send(prompt: "hello 3 chunks")
            _ = try editor.process.readLines(until: "session/request_permission")
            _ = try pending.value { $0.elements.count == 1 }
            editor.process.kill(SIGKILL)
            var entries: [String: JSONValue] = [:]
            while entries["turn_end"] == nil {
                let value = try timeline.next("tinyvex/data")["params"]?["value"]
                entries[value?["kind"]?.stringValue ?? ""] = value?["data"]
            }
            #expect(
                entries["permission_answer"]?["result"]?["outcome"]?.rawString == #"{"outcome":"cancelled"}"#)
            #expect(entries["permission_answer"]?["by"]?.stringValue == "time limit")
            _ = try pending.value { $0.elements.isEmpty }
        }
    }

    @Test func aFileRequestFailsAfterTheLingerTimeWithoutAnEditor() throws {
        try BridgeHome.with { home in
            let files = #"{"fs":{"readTextFile":true,"writeTextFile":true}}"#
            let editor = try EditorSession(
                [Binary.demoAgent], in: home, options: ["--linger", "300ms"], capabilities: files)
            let timeline = try TinyvexTestClient(home)
            _ = try timeline.subscribe(editor.sessionId, after: 0, stream: "sessions:timeline")
            try editor.send(prompt: "hello 3 chunks no permission")
            _ = try editor.process.readLines(until: #""method":"fs/read_text_file""#)
            editor.process.kill(SIGKILL)
            var failures: [String] = []
            while true {
                let value = try timeline.next("tinyvex/data")["params"]?["value"]
                if value?["kind"]?.stringValue == "turn_end" { break }
                let update = value?["notification"]?["params"]?["update"]
                if update?["status"]?.stringValue == "failed" { failures.append(update?.rawString ?? "") }
            }
            #expect(failures.contains { $0.contains("the editor that could do this has disconnected") }, "\(failures)")
        }
    }

    @Test func aTurnFinishesAfterItsEditorClosesTheInput() throws {
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
