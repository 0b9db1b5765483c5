import AgentProcess
import EventLoop
import Glibc
import Posix
import Testing

/// The next bridge ends the processes that a killed bridge's agents left behind, and no other processes.
@Suite(.blocking) struct LeftoverTests {
    /// Runs a session with an agent that starts the processes of the script. Each process writes its id to stderr.
    private func leave(_ home: BridgeHome, _ script: String) throws -> [pid_t] {
        let daemon = try Daemon(home)
        let agent = shell("\(script) exec \"$@\"", Binary.rudeAgent, "echo")
        let editor = try EditorProcess(BridgeHome.bridged(agent), in: home)
        try editor.openSession()
        try editor.wait(until: "all processes have started") { editor.errorText.contains("ready\n") }
        let pids = editor.errorText.split(separator: "\n").compactMap { pid_t($0) }
        try daemon.killAtOnce()
        _ = try editor.exitStatus()
        return pids
    }

    private func isAlive(_ pid: pid_t) -> Bool { !ProcessFolder.words(pid, "cmdline").isEmpty }

    @Test func processesInAnAgentsGroupOrOnItsPipesAreEnded() throws {
        try BridgeHome.with { home in
            let pids = try leave(
                home,
                """
                sleep 1000 & echo $! >&2; setsid sleep 1000 & sleep 0.2; echo $! >&2;
                sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >&2; echo ready >&2;
                """)
            #expect(pids.count == 3)
            #expect(pids.allSatisfy(isAlive), "the processes are still running")
            let next = try Daemon(home)
            try eventually("all processes have ended") { !pids.contains(where: isAlive) }
            try next.process.waitForError("had left running were ended")
            let another = try Daemon.restart(next, home)
            #expect(!another.process.errorText.contains("were ended"), "the next bridge ends no more processes")
        }
    }

    @Test func aDetachedDaemonKeepsRunning() throws {
        try BridgeHome.with { home in
            let pids = try leave(
                home, "setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $! >&2; sleep 0.2; echo ready >&2;")
            _ = try Daemon(home)
            #expect(pids.count == 1 && pids.allSatisfy(isAlive))
            for pid in pids { kill(pid, SIGKILL) }
        }
    }

    /// A process that has since received an agent's id is not that agent, whatever the record contains.
    @Test func anUnrelatedProcessWithAnAgentsIdIsNotKilled() throws {
        try BridgeHome.with { home in
            let stranger = try EditorProcess(["sleep", "1000"], in: home)
            _ = try leave(home, "echo ready >&2;")
            let path = home.path + "/run/agents"
            let record = String(decoding: try #require(FileBytes.read(path)), as: UTF8.self)
            let line = try #require(record.split(separator: "\n").last { $0.hasPrefix("+") })
            let agent = try #require(pid_t(line.split(separator: " ")[1]))
            try eventually("the agent has ended") { kill(agent, 0) != 0 }
            let forged = "+ \(stranger.pid) " + line.split(separator: " ").dropFirst(2).joined(separator: " ") + "\n"
            try FileBytes.write(Array((record + forged).utf8), to: path)
            let next = try Daemon(home)
            #expect(isAlive(stranger.pid))
            #expect(!next.process.errorText.contains("were ended"))
            stranger.kill(SIGKILL)
        }
    }

    @Test(arguments: [
        "", "nonsense\n", "acpbridge-agents 1 another-boot pid:[1] 7\n+ 1 0 1 2 3\n", "acpbridge-agents 9\n\0\0",
    ])
    func aStaleOrInvalidAgentRecordDoesNotPreventStart(text: String) throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/run", 0o700)
            try FileBytes.write(Array(text.utf8), to: home.path + "/run/agents")
            _ = try Daemon(home)
            #expect(try TinyvexTestClient(home).call("tinyvex/ping")["result"] != nil)
        }
    }
}

extension Daemon {
    /// Kills a daemon and starts the next one on the same home.
    static func restart(_ daemon: Daemon, _ home: BridgeHome) throws -> Daemon {
        try daemon.killAtOnce()
        return try Daemon(home)
    }
}
