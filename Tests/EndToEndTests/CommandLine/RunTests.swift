import AgentProcess
import Glibc
import JSONScan
import Testing

/// `acpbridge run`: sessions without an editor.
@Suite(.blocking) struct RunTests {
    private func text(_ process: EditorProcess) -> String { String(decoding: process.outputBytes, as: UTF8.self) }

    private func sessions(_ home: BridgeHome) throws -> [JSONValue] {
        try wholeLines(of: home.run("sessions", "--json").output).map(JSONValue.init(validating:))
    }

    @Test func aDetachedSessionContinuesUntilItIsStopped() throws {
        try BridgeHome.with { home in
            let outcome = try home.run("run", "--agent", "demo", "--detach")
            #expect(outcome.status == .exited(code: 0))
            let id = outcome.outputText.dropLast()
            #expect(try sessions(home).map { $0["sessionId"]?.stringValue } == [String(id)])
            #expect(try home.run("stop", SystemString(String(id))).status == .exited(code: 0))
            try eventually("the session has ended") { try sessions(home).isEmpty }
        }
    }

    @Test func anotherBridgeStartsTheAgent() throws {
        try BridgeHome.with { there in
            try BridgeHome.with { here in
                _ = try Daemon(there)
                let url = SystemString("--url=unix:\(there.socket)")
                let folder = SystemString("--cwd=\(there.path)")
                let text: SystemString = "hello 3 words no permission"
                let detached = try here.run("run", url, "--agent=demo", folder, "--title=far", "--detach", text)
                #expect(detached.status == .exited(code: 0), "\(detached.errorText)")
                try eventually("the turn ends") {
                    try here.run("attach", url, "far", "--all", "--no-follow").outputText.contains(
                        #""kind":"turn_end""#)
                }
                let turn = try here.run("run", url, "--agent=demo", folder, text)
                #expect(turn.status == .exited(code: 0) && turn.outputText.contains("agent_message_chunk"))
                try eventually("only the detached session runs") {
                    try wholeLines(of: here.run("sessions", url, "--json").output).count == 1
                }
                #expect(try sessions(here).isEmpty)
                let unknown = try here.run("run", url, "--agent=nobody", "--detach")
                #expect(unknown.status == .exited(code: 1) && unknown.errorText.contains("nobody"))
            }
        }
    }

    @Test func aSignalCancelsAStartAtAnotherBridge() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try home.addAgent("silent", ["cat"])
            let start = "\"$ACPBRIDGE\" run --url=unix:\(home.socket) --agent=silent --detach x & pid=$!"
            let wait = "until acpbridge agents --running --json | grep -q starting; do :; done"
            let outcome = try home.shell("\(start); \(wait); kill -TERM $pid; wait $pid; echo $?")
            #expect(outcome.outputText.hasSuffix("143\n"), "\(outcome.outputText) \(outcome.errorText)")
            try eventually("the agent has ended") { try home.status()["agents"]?.int64Value == 0 }
        }
    }

    @Test func aDetachedPromptIsWorkedOnInTheBackground() throws {
        try BridgeHome.with { home in
            let outcome = try home.run("run", "--agent", "demo", "--detach", "--json", "hello 3 words no permission")
            let session = try JSONValue(validating: outcome.output)
            #expect(session["agent"]?.stringValue == "demo")
            let id = SystemString(try #require(session["sessionId"]?.stringValue))
            try eventually("the turn ends") {
                try home.run("attach", id, "--all", "--no-follow").outputText.contains(#""kind":"turn_end""#)
            }
        }
    }

    @Test func anAgentWithoutAProfileIsRunAndContinuedByItsCommand() throws {
        try BridgeHome.with { home in
            let state: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let command = SystemString("'\(Binary.demoAgent)' ")
            let text: SystemString = "hello 3 words no permission"
            func check(_ outcome: Outcome) throws {
                #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
                #expect(!wholeLines(of: outcome.output).isEmpty)
                try eventually("the agent has ended") { try sessions(home).isEmpty }
            }
            try check(home.run("run", "--command", command, text, environment: state))
            try check(home.run("run", "--command", command, "--resume", "latest", text, environment: state))
            let ended = try wholeLines(of: home.run("sessions", "--all", "--json").output)
            #expect(try ended.map { try JSONValue(validating: $0)["agent"]?.stringValue } == ["acpbridge-demo-agent"])
        }
    }

    @Test func withoutATerminalOneTurnIsPrintedAndTheAgentEnds() throws {
        try BridgeHome.with { home in
            let outcome = try home.shell("echo 'hello 3 words no permission' | acpbridge run --agent demo")
            #expect(outcome.status == .exited(code: 0))
            let lines = try wholeLines(of: outcome.output).map(JSONValue.init(validating:))
            #expect(lines.allSatisfy { $0["method"]?.stringValue == "session/update" } && !lines.isEmpty)
            try eventually("the agent has ended") { try sessions(home).isEmpty }
        }
    }

    @Test func aTurnThatASignalEndsLeavesNoAgent() throws {
        try BridgeHome.with { home in
            let run = try EditorProcess(
                [Binary.acpbridge, "run", "--agent", "demo", "ask permission 3 words"], in: home)
            try eventually("the agent waits for an answer") {
                try !home.run("answer", "--json").output.isEmpty
            }
            run.kill(SIGTERM)
            #expect(try run.outcome().status == .signaled(signal: SIGTERM))
            #expect(try sessions(home).isEmpty)
        }
    }

    @Test func aTurnEndsWithItsKilledBridgeAndNothingIsLeftToStop() throws {
        try BridgeHome.with { home in
            let run = try EditorProcess(
                [Binary.acpbridge, "run", "--agent", "demo", "ask permission 3 words"], in: home)
            try eventually("the agent waits for an answer") {
                try !home.run("answer", "--json").output.isEmpty
            }
            kill(try #require(home.daemon), SIGKILL)
            let outcome = try run.outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("the bridge has ended") && !outcome.errorText.contains("acpbridge stop"))
            // The demo agent's profile keeps its sessions.
            let resumed = try home.run("run", "--resume", "latest", "hello 3 words no permission")
            #expect(resumed.status == .exited(code: 0), "\(resumed.errorText)")
        }
    }

    @Test func anEndedSessionIsContinuedInItsFolderWithItsHistoryAndTitle() throws {
        try BridgeHome.with { home in
            let state: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let first = try home.run(
                "run", "--agent", "demo", "--title", "the login test", "--detach",
                "hello 3 words no permission", environment: state)
            let id = String(first.outputText.dropLast())
            func turnCount() throws -> Int {
                try wholeLines(of: home.run("attach", SystemString(id), "--all", "--no-follow").output)
                    .map(JSONValue.init(validating:)).count { $0["kind"]?.stringValue == "turn_end" }
            }
            try eventually("the turn ends") { try turnCount() == 1 }
            let running = try home.run("run", "--resume", "the login test", "--detach", environment: state)
            #expect(running.status == .exited(code: 1))
            #expect(running.errorText.contains("`acpbridge attach \(id) --take` continues it"))
            #expect(try home.run("stop", "the login test").status == .exited(code: 0))
            try eventually("the session has ended") { try sessions(home).isEmpty }

            for name in ["the login test", "latest", SystemString(id)] {
                let outcome = try home.run(
                    "run", "--resume", name, "hello 3 words no permission", environment: state)
                #expect(outcome.status == .exited(code: 0), "\(name): \(outcome.errorText)")
                try eventually("the agent has ended") { try sessions(home).isEmpty }
            }
            let rows = try wholeLines(of: home.run("sessions", "--all", "--json").output)
                .map(JSONValue.init(validating:))
            #expect(rows.map { $0["sessionId"]?.stringValue } == [id])
            #expect(rows.first?["title"]?.stringValue == "the login test")
            #expect(try turnCount() == 4, "no turn was repeated or lost")
        }
    }

    @Test func aNewSessionWorksInTheGivenFolder() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/shop", 0o700)
            symlink("shop", home.path + "/link")
            let shop = String(cString: try #require(realpath(home.path + "/shop", nil)))
            for folder in [home.path + "/shop", home.path + "/link"] {
                let outcome = try home.run("run", "--agent", "demo", "--cwd", SystemString(folder), "--detach")
                #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            }
            #expect(try sessions(home).map { $0["cwd"]?.stringValue } == [shop, shop])
            let missing = try home.run("run", "--agent", "demo", "--cwd", "/nowhere", "--detach")
            #expect(missing.status == .exited(code: 1) && missing.errorText.contains("no folder '/nowhere'"))
            let both = try home.run("run", "--resume", "latest", "--cwd", "/")
            #expect(both.status == .exited(code: 64))
        }
    }

    @Test func aTitleIsGivenToTheNewSessionIfAnotherAgentUsesItsId() throws {
        try BridgeHome.with { home in
            for name in ["one", "other"] { try home.addAgent(name, [Binary.rudeAgent, "echo"]) }
            _ = try home.run("run", "--agent", "one", "--detach", "--title", "first")
            _ = try home.run("run", "--agent", "other", "--detach", "--title", "second")
            let titles = try sessions(home).map {
                "\($0["agent"]?.stringValue ?? ""):\($0["sessionId"]?.stringValue ?? "") \($0["title"]?.stringValue ?? "")"
            }
            #expect(titles.sorted() == ["one:rude-1 first", "other:rude-1 second"])
        }
    }

    @Test func latestIsARunningSessionIfThereIsOne() throws {
        try BridgeHome.with { home in
            _ = try home.run("run", "--agent", "demo", "--detach", "--title", "running")
            _ = try home.shell("echo 'hi 3 chunks quiet' | acpbridge run --agent demo --title ended")
            try eventually("one runs") { try sessions(home).count == 1 }
            _ = try home.run("rename", "latest", "renamed")
            let rows = try wholeLines(of: home.run("sessions", "--all", "--json").output)
                .map(JSONValue.init(validating:))
            #expect(rows.first { $0["live"]?.boolValue == true }?["title"]?.stringValue == "renamed")
        }
    }

    /// An earlier fault: two agents continued the session, and no command could name one of them by the session's id.
    @Test func twoCommandsThatContinueASessionAtOnceGiveOneAgent() throws {
        try BridgeHome.with { home in
            let state: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            _ = try home.run("run", "--agent", "demo", "hello 3 words no permission", environment: state)
            try eventually("the session has ended") { try sessions(home).isEmpty }
            let row = try JSONValue(validating: home.run("sessions", "--all", "--json").output)
            let id = try #require(row["sessionId"]?.stringValue)

            let command = [Binary.acpbridge, "run", "--resume", SystemString(id), "--detach"]
            let both = try [0, 1].map { _ in try EditorProcess(command, in: home, environment: state) }
            let outcomes = try both.map { try $0.outcome() }
            #expect(outcomes.contains { $0.status == .exited(code: 0) })
            // The other one is refused, or comes late enough to take the agent over.
            for outcome in outcomes where outcome.status != .exited(code: 0) {
                #expect(outcome.errorText.contains("`acpbridge attach \(id) --take` continues it"))
            }
            #expect(try sessions(home).count == 1)
            #expect(try home.run("stop", SystemString(id)).status == .exited(code: 0))
        }
    }

    @Test func aSessionThatCannotBeContinuedIsReported() throws {
        try BridgeHome.with { home in
            #expect(try home.run("run", "--resume", "latest").errorText == "Error: no session has ended yet\n")
            #expect(try home.run("run", "--resume", "nothing").status == .exited(code: 3))
            let both = try home.run("run", "--resume", "latest", "--agent", "demo")
            #expect(both.status == .exited(code: 64))
            // Without its state, the agent does not know the session.
            try home.addAgent("forgetful", [Binary.demoAgent])
            let begun = try home.run("run", "--agent", "forgetful", "--detach")
            let id = SystemString(String(begun.outputText.dropLast()))
            _ = try home.run("stop", id)
            try eventually("the session has ended") { try sessions(home).isEmpty }
            let unknown = try home.run("run", "--resume", id, "--detach")
            #expect(unknown.status == .exited(code: 1))
            #expect(unknown.errorText.contains("the agent did not continue the session: "))
            #expect(
                unknown.errorText.contains("; if the agent has not kept it, `acpbridge run --agent forgetful` begins"))

            let editor = try EditorSession([Binary.rudeAgent, "echo", "--early", "1"], in: home)
            try editor.end()
            let command = try home.run("run", "--resume", "rude-1", "--detach")
            #expect(command.status == .exited(code: 1))
            #expect(command.errorText.contains("add the command: --command 'rude-agent …'"))
            let other = try home.run("run", "--resume", "rude-1", "--command", "other-agent --acp")
            #expect(other.status == .exited(code: 64))
            #expect(other.errorText.contains("this command would run 'other-agent'"))
        }
    }

    @Test func atATerminalThePersonWorksWithTheAgentAndCanLeaveIt() throws {
        try BridgeHome.with { home in
            let terminal = try EditorProcess(
                [Binary.acpbridge, "run", "--agent", "demo", "hello 3 words no permission"], in: home,
                wiring: .terminal)
            try terminal.wait(until: "the turn has ended") { text(terminal).contains("end_turn") }
            terminal.kill(SIGINT)
            try terminal.wait(until: "a second Ctrl-C leaves") {
                terminal.errorText.contains("again or Ctrl-D to exit")
            }
            terminal.kill(SIGINT)
            try terminal.wait(until: "the terminal has left") { terminal.errorText.contains("detached") }
            _ = try terminal.outcome()
            #expect(try sessions(home).count == 1)
        }
    }

    @Test func aFailedStartReportsTheAgentsLastOutput() throws {
        try BridgeHome.with { home in
            try home.addAgent("dead", ["sh", "-c", "echo boom >&2; exit 3"])
            let dead = try home.run("run", "--agent", "dead", "--detach")
            #expect(dead.status == .exited(code: 1))
            #expect(dead.errorText == "Error: the agent ended (exit status 3) before it opened a session: boom\n")
            try home.addAgent("silent", ["sh", "-c", "kill -9 $$"])
            let silent = try home.run("run", "--agent", "silent", "--detach")
            #expect(silent.errorText.contains("(signal 9) before it opened a session: it wrote no message"))
            try home.addAgent("missing", ["/nowhere/agent"])
            #expect(try home.run("run", "--agent", "missing", "--detach").status == .exited(code: 127))
            #expect(try home.run("run", "--agent", "nobody", "--detach").status == .exited(code: 64))
            let unnamed = try home.shell("acpbridge run </dev/null")
            #expect(unnamed.status == .exited(code: 64))
            #expect(unnamed.errorText.contains("demo"))
            #expect(try home.shell("acpbridge run --agent demo </dev/null").status == .exited(code: 64))
        }
    }

    /// An earlier fault: after SIGTERM the agent was kept, without a session.
    /// The command would wait for the end of the agent's other streams, and the agent would stay without a session.
    @Test func anAgentThatClosesItsOutputIsEnded() throws {
        try BridgeHome.with { home in
            let outcome = try home.run(
                "run", "--detach", "--command", "sh -c 'echo no luck >&2; exec >&-; exec sleep 1000'")
            #expect(outcome.status == .exited(code: 1))
            #expect(
                outcome.errorText == "Error: the agent closed its output before it opened a session: no luck\n")
            try eventually("no agent runs") { try home.run("status").outputText.contains(" 0 running, 0 live") }
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func aStartThatASignalEndsLeavesNoAgent(signal: Int32) throws {
        try BridgeHome.with { home in
            try home.addAgent("mute", ["sleep", "1000"])
            let run = try EditorProcess([Binary.acpbridge, "run", "--agent", "mute", "--detach"], in: home)
            try eventually("the agent runs") { home.processes.contains { $0.command == ["sleep", "1000"] } }
            run.kill(signal)
            #expect(try run.outcome().status == .signaled(signal: signal))
            try eventually("the agent has ended") {
                !home.processes.contains { $0.command == ["sleep", "1000"] }
            }
        }
    }
}
