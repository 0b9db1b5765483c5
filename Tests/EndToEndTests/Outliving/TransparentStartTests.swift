import AgentProcess
import Glibc
import JSONScan
import Posix
import Testing

/// An editor starts the command of a kept agent. It gets an agent of its own, unless it asks for the kept session.
@Suite(.blocking) struct TransparentStartTests {
    private func start(
        _ agent: [SystemString], _ options: [SystemString] = [], in home: BridgeHome
    ) throws -> EditorProcess {
        try EditorProcess([Binary.acpbridge] + options + ["--"] + agent, in: home)
    }

    /// Leaves an idle agent behind, with the session `rude-1`.
    private func keepAgent(_ agent: [SystemString], in home: BridgeHome) throws {
        let editor = try start(agent, ["--keep"], in: home)
        try editor.openSession()
        editor.closeInput()
        #expect(try editor.exitStatus() == .exited(code: 0))
    }

    private func agents(in home: BridgeHome) -> [pid_t] {
        home.processes.filter { $0.command.first?.hasSuffix("rude-agent") == true }.map(\.pid)
    }

    private let load =
        #"{"jsonrpc":"2.0","id":"l","method":"session/load","params":{"sessionId":"rude-1","cwd":"/","mcpServers":[]}}"#
    private let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#

    /// Shows fault 1: the second start was served as a remote client of the kept agent.
    @Test func theBytesOfANewSessionAreTheSameAsWithoutAKeptAgent() throws {
        let agent = rude("flood-stderr", "3000", "--on", "new", "--id-style", "float")
        try BridgeHome.with { home in
            let first = try start(agent, ["--keep"], in: home)
            try first.openSession()
            let output = first.outputBytes
            first.closeInput()
            _ = try first.outcome()
            let second = try start(agent, in: home)
            try second.openSession()
            expectSame(second.outputBytes, output, "the output")
            try second.exchange(second.prompt(id: "2"), until: "session/request_permission")
            #expect(second.outputBytes.contains(#""id":0.50e0"#.utf8), "the agent's ids are unchanged")
            second.kill(SIGTERM)
            _ = try second.outcome()
            #expect(second.errorBytes.count == 3000)
        }
    }

    /// Shows fault 1: the bridge closed the connection at the first line that was not `initialize`.
    @Test func aFirstLineThatIsNotACPReachesTheAgent() throws {
        try BridgeHome.with { home in
            let agent = rude("echo", "--tell", "answers")
            try keepAgent(agent, in: home)
            let editor = try start(agent, in: home)
            try editor.exchange("not ACP", until: "answer to nothing")
            editor.closeInput()
            #expect(try editor.exitStatus() == .exited(code: 0))
        }
    }

    /// Shows fault 1: signals had no effect, because the shim had no agent.
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT]) func aSignalEndsAStartBesideAKeptAgent(signal: Int32) throws {
        try BridgeHome.with { home in
            try keepAgent(rude("echo"), in: home)
            let undecided = try start(rude("echo"), in: home)
            try undecided.exchange(initialize, until: #""id":0"#)
            undecided.kill(signal)
            #expect(try undecided.exitStatus() == .signaled(signal: signal))
            let started = try start(rude("echo"), in: home)
            try started.openSession()
            #expect(agents(in: home).count == 2)
            started.kill(signal)
            #expect(try started.exitStatus() == .signaled(signal: signal))
            try eventually("only the kept agent runs") { agents(in: home).count == 1 }
        }
    }

    /// Shows fault 1: the agent was ended before its first client was attached.
    @Test func aStartWithoutLingerOpensASessionBesideAKeptAgent() throws {
        try BridgeHome.with { home in
            try keepAgent(rude("echo"), in: home)
            let editor = try start(rude("echo"), ["--linger", "0"], in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""stopReason":"end_turn""#)
        }
    }

    @Test func aListDoesNotBindTheEditorToTheKeptAgent() throws {
        try BridgeHome.with { home in
            try keepAgent(rude("echo"), in: home)
            let editor = try start(rude("echo"), in: home)
            try editor.exchange(initialize, until: #""id":0"#)
            let listed = try editor.exchange(
                #"{"jsonrpc":"2.0","id":9,"method":"session/list","params":{}}"#, until: #""id":9"#)
            #expect(listed.last?.contains("rude-1") == true)
            #expect(agents(in: home).count == 1)
            let opened = try editor.exchange(editor.newSession(id: "1"), until: #""id":1"#)
            #expect(agents(in: home).count == 2)
            #expect(!opened.contains { $0.contains("agentInfo") }, "initialize is answered once")
        }
    }

    @Test func anotherDirectoryListsOnlyItsOwnKeptSessions() throws {
        try BridgeHome.with { home in
            try keepAgent(rude("echo"), in: home)
            let editor = try start(rude("echo"), in: home)
            try editor.exchange(initialize, until: #""id":0"#)
            let here = try editor.exchange(
                #"{"jsonrpc":"2.0","id":8,"method":"session/list","params":{"cwd":"/"}}"#, until: #""id":8"#)
            #expect(here.last?.contains("rude-1") == true)
            let elsewhere = try editor.exchange(
                #"{"jsonrpc":"2.0","id":9,"method":"session/list","params":{"cwd":"/elsewhere"}}"#, until: #""id":9"#)
            #expect(elsewhere.last?.contains("rude-1") == false)
        }
    }

    /// Shows fault 1: a shim that had taken an agent over ignored TERM and HUP, and the agent's stderr was lost.
    @Test(arguments: [SIGTERM, SIGHUP]) func anEditorThatTookAnAgentOverSeesItsErrorsAndEndsByASignal(signal: Int32)
        throws
    {
        let agent = rude("flood-stderr", "2000", "--on", "prompt")
        try BridgeHome.with { home in
            try keepAgent(agent, in: home)
            let editor = try start(agent, in: home)
            try editor.exchange(initialize, until: #""id":0"#)
            try editor.exchange(load, until: #""id":"l""#)
            try editor.exchange(editor.prompt(id: "2"), until: #""stopReason":"end_turn""#)
            editor.kill(signal)
            let outcome = try editor.outcome()
            #expect(outcome.status == .signaled(signal: signal) && outcome.error.count == 2000)
            #expect(agents(in: home).count == 1)
        }
    }

    /// Shows faults 5 and 9: after SIGHUP the shim stayed, and SIGTERM ended the working agent.
    @Test(arguments: [SIGTERM, SIGHUP]) func aSignalDuringATurnEndsTheShimAndNotTheAgent(signal: Int32) throws {
        try BridgeHome.with { home in
            let editor = try start(rude("stall"), in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":3"#)
            editor.kill(signal)
            #expect(try editor.exitStatus() == .signaled(signal: signal))
            #expect(agents(in: home).count == 1)
            // The turn still runs and can be cancelled.
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.subscribe("rude-1", after: 0, stream: "sessions:timeline")
            try viewer.send(#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"rude-1"}}"#)
            while try viewer.next("tinyvex/data")["params"]?["value"]?["kind"]?.stringValue != "turn_end" {}
        }
    }

    /// Shows fault 5 for an idle agent with `--keep`.
    @Test(arguments: [SIGTERM, SIGHUP]) func aSignalEndsTheShimOfAKeptIdleAgent(signal: Int32) throws {
        try BridgeHome.with { home in
            let editor = try start(rude("echo"), ["--keep"], in: home)
            try editor.openSession()
            editor.kill(signal)
            #expect(try editor.exitStatus() == .signaled(signal: signal))
            #expect(agents(in: home).count == 1)
        }
    }

    @Test func withoutLingerASignalDuringATurnEndsTheAgent() throws {
        try BridgeHome.with { home in
            let editor = try start(rude("stall"), ["--linger", "0"], in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":3"#)
            editor.kill(SIGTERM)
            #expect(try editor.exitStatus() == .signaled(signal: SIGTERM))
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }
}
