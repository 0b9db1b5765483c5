import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Testing

/// `prompt`, `cancel` and `stop SESSION`.
@Suite(.blocking) struct DrivingCommandTests {
    /// An agent that continued to run after its editor left.
    private func withKeptAgent(_ agent: [SystemString] = [Binary.demoAgent], _ body: (BridgeHome) throws -> Void) throws
    {
        try BridgeHome.with { home in
            let editor = try EditorSession(agent, in: home, options: ["--keep"])
            editor.process.closeInput()
            #expect(try editor.process.exitStatus() == .exited(code: 0))
            try body(home)
        }
    }

    private func start(_ arguments: [SystemString], in home: BridgeHome) throws -> EditorProcess {
        try EditorProcess([Binary.acpbridge] + arguments, in: home)
    }

    @Test func aPromptPrintsItsTurnAsTheAgentWroteIt() throws {
        try withKeptAgent { home in
            let before = try wholeLines(of: home.run("attach", "latest", "--no-follow").output)
            let outcome = try home.run("prompt", "latest", "hello", "5", "chunks", "no", "permission")
            #expect(outcome.status == .exited(code: 0))
            #expect(outcome.errorText == "")
            let stored = try wholeLines(of: home.run("attach", "latest", "--no-follow").output)
            expectSame(wholeLines(of: outcome.output), stored.dropFirst(before.count))
        }
    }

    @Test func anAttachedFileIsPartOfThePrompt() throws {
        try withKeptAgent { home in
            let path = home.path + "/a.png"
            try FileBytes.write([1, 2, 3], to: path)
            let outcome = try home.shell("acpbridge prompt latest hello no permission --attach '\(path)'")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            let timeline = try home.run("export", "latest").outputText
            #expect(timeline.contains("AQID") && timeline.contains("image/png"), "\(timeline)")
            let missing = try home.shell("acpbridge prompt latest hello --attach '\(path).none'")
            #expect(missing.status == .exited(code: 1) && missing.errorText.contains("cannot be read"))
        }
    }

    /// The timeline has only a part of such a prompt.
    @Test func aPromptOfMoreThanAMebibyteEnds() throws {
        try withKeptAgent { home in
            let path = home.path + "/a.png"
            try FileBytes.write([UInt8](repeating: 7, count: 1_000_000), to: path)
            let image = try home.shell("acpbridge prompt latest hello no permission --attach '\(path)'")
            #expect(image.status == .exited(code: 0), "\(image.errorText)")
            let text = try home.shell(
                "(echo hello no permission; head -c 1200000 /dev/zero | tr '\\0' ' ') | acpbridge prompt latest -")
            #expect(text.status == .exited(code: 0), "\(text.errorText)")
            let shown = try home.run("attach", "latest", "--no-follow", "--pretty").outputText
            #expect(shown.contains("> hello no permission") && shown.contains(" bytes are not shown here"))
        }
    }

    @Test(arguments: [("/refuse", 4), ("/fail no luck", 1)])
    func theExitStatusReflectsTheEndOfTheTurn(prompt: String, status: Int32) throws {
        try withKeptAgent { home in
            let outcome = try home.shell("echo '\(prompt)' | acpbridge prompt latest -")
            #expect(outcome.status == .exited(code: status), "\(outcome.errorText)")
            #expect(outcome.errorText.contains("no luck") == prompt.contains("no luck"))
        }
    }

    @Test func anotherPromptDoesNotInterruptARunningTurn() throws {
        try withKeptAgent(rude("stall")) { home in
            let first = try start(["prompt", "latest", "one"], in: home)
            _ = try first.readLine()
            let refused = try home.run("prompt", "latest", "two")
            #expect(refused.status == .exited(code: 7))
            #expect(refused.errorText.contains("--queue"))
            let queued = try start(["prompt", "latest", "--queue", "three"], in: home)
            #expect(try home.run("cancel", "latest").status == .exited(code: 0))
            #expect(try first.outcome().status == .exited(code: 6))
            _ = try queued.readLine()
            queued.kill(SIGINT)
            #expect(try queued.outcome().status == .exited(code: 6))
        }
    }

    @Test func commandsThatNeedAKilledBridgeEndAndNameTheNextStep() throws {
        try withKeptAgent(rude("stall")) { home in
            let prompt = try start(["prompt", "latest", "one"], in: home)
            let attach = try start(["attach", "latest"], in: home)
            for process in [prompt, attach] { _ = try process.readLine() }
            kill(try #require(home.daemon), SIGKILL)
            for process in [prompt, attach] {
                let outcome = try process.outcome()
                #expect(outcome.status == .exited(code: 1))
                #expect(outcome.errorText.contains("Error: the bridge has ended, and with it its agents"))
                #expect(outcome.errorText.contains("`acpbridge run --resume rude-1` continues the session"))
            }
            #expect(home.daemon == nil)
        }
    }

    /// An earlier fault: the command failed because the bridge had ended.
    @Test func aBridgeThatEndsBeforeItsStatusComesDoesNotRun() throws {
        try BridgeHome.with { other in
            _ = try Daemon(other)
            try BridgeHome.with { home in
                _ = try home.shell(#"mkdir -p -m 700 "$ACPBRIDGE_HOME/run""#)
                // The connection is open before it breaks, after 50 ms for each 100 bytes.
                let fault = BadNetwork.Fault(pieceBytes: 100, delayMilliseconds: 50, lifeBytes: 600)
                let network = try BadNetwork(to: .unix(path: other.socket), at: .unix(path: home.socket), [fault])
                let stop = try start(["stop"], in: home)
                try eventually("the bridge has answered") { network.sentBytes > 0 }
                unlink(home.socket)
                let outcome = try stop.outcome()
                #expect(network.brokenCount == 1)
                #expect(outcome.status == .exited(code: 0) && outcome.errorText == "No bridge is running.\n")
            }
        }
    }

    @Test func anInterruptRemovesAPromptThatWaitsAndTheTurnBeforeItContinues() throws {
        try withKeptAgent(rude("stall")) { home in
            let first = try start(["prompt", "latest", "one"], in: home)
            _ = try first.readLine()
            let queued = try start(["prompt", "latest", "--queue", "two"], in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:get", #"{"sessionId":"rude-1"}"#)
            _ = try client.value { $0["queue"]?.elements.count == 1 }
            queued.kill(SIGINT)
            #expect(try queued.outcome().status == .exited(code: 6))
            let value = try client.value { $0["queue"]?.elements.isEmpty == true }
            #expect(value["turn"]?["state"]?.stringValue == "running")
            #expect(try home.run("cancel", "latest").status == .exited(code: 0))
            #expect(try first.outcome().status == .exited(code: 6))
        }
    }

    @Test func waitingPromptsCanBeDiscardedAndTheTurnContinues() throws {
        try withKeptAgent(rude("stall")) { home in
            let first = try start(["prompt", "latest", "one"], in: home)
            _ = try first.readLine()
            #expect(try home.run("cancel", "latest", "--queued").errorText == "No prompt was waiting\n")
            let waiting = try ["two", "three"].map { text in
                try start(["prompt", "latest", "--queue", SystemString(text)], in: home)
            }
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:get", #"{"sessionId":"rude-1"}"#)
            _ = try client.value { $0["queue"]?.elements.count == 2 }
            let outcome = try home.run("cancel", "latest", "--queued")
            #expect(outcome.status == .exited(code: 0) && outcome.errorText == "2 prompts discarded\n")
            for prompt in waiting {
                let outcome = try prompt.outcome()
                #expect(outcome.status == .exited(code: 6), "\(outcome.errorText)")
            }
            let value = try client.value { $0["queue"]?.elements.isEmpty == true }
            #expect(value["turn"]?["state"]?.stringValue == "running")
            #expect(try home.run("cancel", "latest").status == .exited(code: 0))
            #expect(try first.outcome().status == .exited(code: 6))
        }
    }

    @Test func aSecondInterruptEndsTheCommand() throws {
        try withKeptAgent(rude("stall", "ignore-cancel")) { home in
            let prompt = try start(["prompt", "latest", "one"], in: home)
            _ = try prompt.readLine()
            prompt.kill(SIGINT)
            try prompt.waitForError("cancelling")
            prompt.kill(SIGINT)
            #expect(try prompt.outcome().status == .signaled(signal: SIGINT))
        }
    }

    @Test func prettyAlsoWorksInAPipe() throws {
        try withKeptAgent { home in
            let outcome = try home.run("prompt", "latest", "hello 20 chunks no permission", "--pretty")
            #expect(outcome.outputText.hasSuffix("— end_turn\n"))
        }
    }

    @Test func stopEndsOneSessionAndItsAgentContinuesWithTheOthers() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("echo"), in: home, options: ["--keep"])
            try editor.process.sendLine(
                #"{"jsonrpc":"2.0","id":"n","method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#)
            _ = try editor.process.readLines(until: #""id":"n""#)
            editor.process.closeInput()
            #expect(try editor.process.exitStatus() == .exited(code: 0))
            try eventually("both sessions are listed") { try home.status()["liveSessions"]?.int64Value == 2 }
            let one = try home.run("stop", "rude-1", "--only")
            #expect(one.status == .exited(code: 0), "\(one.errorText)")
            try eventually("one session has ended") { try home.status()["liveSessions"]?.int64Value == 1 }
            #expect(try home.status()["agents"]?.int64Value == 1)
            #expect(try home.run("stop", "rude-2", "--only").status == .exited(code: 0))
            try eventually("the agent without a session ends") { try home.status()["agents"]?.int64Value == 0 }
            #expect(try home.run("stop", "--only").status == .exited(code: 64))
        }
    }

    @Test func stopEndsOneAgentAndTheBridgeKeepsRunning() throws {
        try withKeptAgent { home in
            let outcome = try home.run("stop", "latest")
            #expect(outcome.status == .exited(code: 0))
            #expect(outcome.errorText.contains("has ended"))
            #expect(home.daemon != nil)
            #expect(!home.processes.contains { $0.command.first?.hasSuffix("acpbridge-demo-agent") == true })
            let late = try home.run("prompt", "latest", "x")
            #expect(late.status == .exited(code: 3))
            #expect(late.errorText.contains("no session is running"))
            #expect(try home.run("stop", "none").status == .exited(code: 3))
        }
    }
}
