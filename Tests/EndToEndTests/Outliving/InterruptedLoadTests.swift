import AgentProcess
import Glibc
import JSONScan
import Posix
import Testing

/// Clients that load a session of a kept agent, while something happens to that agent.
@Suite(.blocking) struct InterruptedLoadTests {
    private let command = [Binary.acpbridge, "--keep", "--", Binary.rudeAgent] + flood
    /// 8 MB of history: more than all buffers between the bridge and a client that does not read.
    private static let flood: [SystemString] = ["flood", "--on", "new", "--lines", "20000", "--size", "400"]
    private let hello = #"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":1}}"#
    private let params = #"{"sessionId":"rude-1","cwd":"/","mcpServers":[]}"#
    private var load: String { #"{"jsonrpc":"2.0","id":"l","method":"session/load","params":\#(params)}"# }

    private func leaveAgent(in home: BridgeHome) throws {
        let editor = try EditorSession([Binary.rudeAgent] + Self.flood, in: home, options: ["--keep"])
        editor.process.closeInput()
        #expect(try editor.process.exitStatus() == .exited(code: 0))
        try home.waitUntilStored()
    }

    private func agents(in home: BridgeHome) -> [pid_t] {
        home.processes.filter { $0.command.first?.hasSuffix("rude-agent") == true }.map(\.pid)
    }

    /// Kills the kept agent. Returns after the bridge has seen its end.
    private func killAgent(in home: BridgeHome) throws {
        kill(try #require(agents(in: home).first), SIGKILL)
        let viewer = try TinyvexTestClient(home)
        _ = try viewer.watch("agents:list")
        _ = try viewer.value { $0["running"]?.elements.isEmpty == true }
    }

    /// Starts an editor that loads the session, and reads nothing more after the first update.
    private func slowEditor(in home: BridgeHome) throws -> EditorProcess {
        let editor = try EditorProcess(command, in: home)
        try editor.exchange(hello, until: #""id":"i""#)
        try editor.exchange(load, until: "session/update")
        editor.pauseReading()
        return editor
    }

    /// An earlier fault: the load succeeded, and the editor and its shim waited for good.
    @Test func aShimEndsLikeTheAgentThatEndsDuringALoad() throws {
        try BridgeHome.with { home in
            try leaveAgent(in: home)
            let editor = try slowEditor(in: home)
            try killAgent(in: home)
            editor.pauseReading(false)
            let answer = try #require(try editor.readLines(until: #""id":"l""#).last)
            #expect(answer.contains(#""error""#) && answer.contains("signal 9"))
            #expect(try editor.exitStatus() == .signaled(signal: SIGKILL))
        }
    }

    @Test func aConnectionClosesAfterTheAgentThatEndsDuringALoad() throws {
        try BridgeHome.with { home in
            try leaveAgent(in: home)
            let client = try RemoteTestClient(home, path: "/acp?session=rude-1")
            try client.initialize()
            try client.ask("l", "session/load", params)
            _ = try client.wire.next("session/update")
            try killAgent(in: home)
            let answer = try client.messages(untilAnswerTo: "l").last
            #expect(answer?["error"]?["message"]?.stringValue?.contains("signal 9") == true)
            try client.wire.waitForEnd()
            #expect(client.wire.closeCode == .internalError)
        }
    }

    /// An earlier fault: this editor had no agent, and could not start one.
    @Test func anEditorThatLosesTheAgentToAFasterOneStartsItsOwn() throws {
        try BridgeHome.with { home in
            try leaveAgent(in: home)
            let slow = try slowEditor(in: home)
            let fast = try EditorProcess(command, in: home)
            try fast.exchange(hello, until: #""id":"i""#)
            try fast.exchange(load, until: #""id":"l""#)
            slow.pauseReading(false)
            try slow.readLines(until: #""id":"l""#)
            #expect(agents(in: home).count == 1)
            let answer = try slow.exchange(
                #"{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#,
                until: #""id":"n""#
            ).last
            #expect(answer?.contains(#""result""#) == true)
            #expect(agents(in: home).count == 2)
        }
    }

    /// A request for a new session that follows the load waits for the agent, instead of being refused.
    @Test func aNewSessionAfterALoadIsOfTheSameAgent() throws {
        try BridgeHome.with { home in
            try leaveAgent(in: home)
            let editor = try slowEditor(in: home)
            try editor.sendLine(
                #"{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#)
            editor.pauseReading(false)
            let lines = try editor.readLines(until: #""id":"n""#)
            #expect(lines.contains { $0.contains(#""id":"l""#) } && lines.last?.contains(#""result""#) == true)
            #expect(agents(in: home).count == 1)
        }
    }
}
