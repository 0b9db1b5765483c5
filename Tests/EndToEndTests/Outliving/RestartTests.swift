import AgentProcess
import Glibc
import JSONScan
import Testing
import Tinyvex

/// Agents that fail while no editor has them.
@Suite(.blocking) struct RestartTests {
    private func profile(_ restart: String, in home: BridgeHome, _ options: SystemString...) throws {
        for folder in ["config", "config/agents"] { mkdir(home.path + "/" + folder, 0o700) }
        let json = JSONWriter.object { writer in
            writer.member("name", "kept")
            writer.memberArray("command") {
                for word in [Binary.rudeAgent, "echo", "--reload", "0"] + options { $0.element(word.description) }
            }
            writer.member("restart", restart)
        }
        try FileBytes.write(json, to: home.path + "/config/agents/kept.json")
    }

    /// Starts the agent with an editor that leaves, and returns the agent's process.
    private func keptAgent(in home: BridgeHome, sessions: Int = 1) throws -> pid_t {
        let editor = try EditorProcess([Binary.acpbridge, "--agent", "kept", "--keep"], in: home)
        try editor.openSession()
        if sessions == 2 { try editor.exchange(editor.newSession(id: "2"), until: #""id":2,"result""#) }
        let agent = try #require(agents(in: home).first)
        let client = try TinyvexTestClient(home)
        editor.kill(SIGKILL)
        try eventually("the agent has no editor") { try isKept(client) }
        return agent
    }

    private func isKept(_ client: TinyvexTestClient) throws -> Bool {
        _ = try client.watch("agents:list")
        let value = try client.nextValue().value
        _ = try client.call("tinyvex/unsubscribe", #"{"subId":"v"}"#)
        let running = value["running"]?.elements ?? []
        return running.count == 1 && running[0]["primary"] == nil
    }

    private func agents(in home: BridgeHome) -> [pid_t] {
        home.processes.filter { $0.command.contains("--reload") && !$0.command.contains("serve") }.map(\.pid)
    }

    @Test func aKeptAgentThatIsKilledIsStartedAgainWithItsSession() throws {
        try BridgeHome.with { home in
            try profile("on-failure", in: home)
            _ = try Daemon(home, ["--no-tcp"])
            let first = try keptAgent(in: home)
            kill(first, SIGKILL)
            try eventually("another agent has the session") {
                let live = try home.status()["liveSessions"]?.int64Value
                return agents(in: home).contains { $0 != first } && live == 1
            }
            #expect(try home.status()["warnings"] == nil)
        }
    }

    /// An earlier fault: the first refusal ended the agent, although it had not answered for its other sessions.
    @Test func aRestartedAgentThatRefusesOneSessionContinuesTheOthers() throws {
        try BridgeHome.with { home in
            try profile("on-failure", in: home, "--refuse", "rude-1")
            _ = try Daemon(home, ["--no-tcp"])
            let first = try keptAgent(in: home, sessions: 2)
            kill(first, SIGKILL)
            try eventually("another agent has the second session") {
                let live = try home.status()["liveSessions"]?.int64Value
                return agents(in: home).contains { $0 != first } && live == 1
            }
        }
    }

    @Test func anAgentWhoseProfileDoesNotAskForItIsNotStartedAgain() throws {
        try BridgeHome.with { home in
            try profile("no", in: home)
            _ = try Daemon(home, ["--no-tcp"])
            kill(try keptAgent(in: home), SIGKILL)
            try eventually("the agent has ended") { try home.status()["agents"]?.int64Value == 0 }
            #expect(try home.status()["warnings"] == nil)
        }
    }

    @Test func aRestartThatWaitsSurvivesAnUpgrade() throws {
        try BridgeHome.with { home in
            try profile("on-failure", in: home)
            _ = try Daemon(home, ["--no-tcp"])
            var last = try keptAgent(in: home)
            // The pauses grow, so that the upgrade comes before the end of one.
            for _ in 0..<3 {
                kill(last, SIGKILL)
                try eventually("another agent has the session") {
                    let next = agents(in: home).first { $0 != last }
                    guard let next, try home.status()["liveSessions"]?.int64Value == 1 else { return false }
                    last = next
                    return true
                }
            }
            kill(last, SIGKILL)
            try eventually("a restart waits") { try home.status()["warnings"] != nil }
            let replaced = try home.run("serve", "--replace")
            #expect(replaced.status == .exited(code: 0), "\(replaced.errorText)")
            #expect(try home.status()["warnings"]?.elements.first?.stringValue?.contains("attempt 4 of 10") == true)
            try eventually("the next program starts the agent") {
                let live = try home.status()["liveSessions"]?.int64Value
                return agents(in: home).contains { $0 != last } && live == 1
            }
        }
    }
}
