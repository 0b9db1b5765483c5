import AgentProcess
import EventLoop
import Glibc
import Posix
import Testing

/// An editor observes its agent's end exactly, however the agent ends.
@Suite(.blocking) struct AgentEndTests {
    @Test(arguments: ["0", "1", "2", "64", "126", "127", "128", "143", "255"] as [SystemString])
    func theShimExitsWithTheAgentsStatus(code: SystemString) throws {
        try expectTransparent(rude("exit", code)) { _ in }
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGKILL, SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1])
    func theShimDiesByTheAgentsSignal(signal: Int32) throws {
        let agent = rude("crash", "--signal", SystemString("\(signal)"), "--on", "prompt")
        let outcome = try expectTransparent(agent) { editor in
            try editor.openSession()
            try editor.sendLine(editor.prompt(id: "2"))
            try editor.waitForEndOfOutput()
        }
        #expect(outcome.status == .signaled(signal: signal))
    }

    @Test func aHalfWrittenLastLineArrives() throws {
        let outcome = try expectTransparent(rude("half-line")) { _ in }
        #expect(outcome.output.last != 0x0a)
    }

    @Test func allOutputArrivesBeforeTheAgentsEnd() throws {
        let agent = rude("flood", "flood-stderr", "3000000", "exit", "9", "--lines", "10000", "--size", "300")
        let outcome = try expectTransparent(agent) { _ in }
        #expect(outcome.output.count == 10_000 * 301)
        #expect(outcome.error.count == 3_000_000)
    }

    @Test func aFloodOnStderrPassesWithoutBlockingStdout() throws {
        let agent = rude("flood-stderr", "8000000", "--on", "prompt")
        let outcome = try expectTransparent(agent) { editor in
            try editor.openSession()
            for id in 2...3 { try editor.exchange(editor.prompt(id: "\(id)"), until: "stopReason") }
            editor.closeInput()
        }
        #expect(outcome.error.count == 16_000_000)
    }

    @Test func theEditorSeesThatTheAgentClosedItsStdout() throws {
        try expectTransparent(shell("echo one; exec >&-; read line; exit 3")) { editor in
            try editor.waitForEndOfOutput()
            try editor.sendLine("go")
        }
    }

    @Test func theEditorSeesThatTheAgentClosedItsStdin() throws {
        try expectTransparent(shell("mkfifo p$$; exec 3<>p$$ <&-; trap 'exit 4' TERM; echo closed; read x <&3")) {
            editor in
            try editor.readLines(until: "closed")
            try editor.waitForBrokenInput()
            editor.kill(SIGTERM)
        }
    }

    // MARK: The teardown ladder

    @Test func anAgentThatIgnoresTheEndOfItsInputIsTerminated() throws {
        let begin = Instant.now
        let outcome = try endedByTheBridge(rude("ignore-eof"))
        #expect(outcome.status == .signaled(signal: SIGTERM))
        #expect(Instant.now - begin > .milliseconds(2900), "the agent had three seconds")
    }

    @Test func anAgentThatAlsoIgnoresTermIsKilled() throws {
        let begin = Instant.now
        let outcome = try endedByTheBridge(rude("ignore-eof", "ignore-term"))
        #expect(outcome.status == .signaled(signal: SIGKILL))
        #expect(Instant.now - begin > .milliseconds(4900), "the agent had five seconds")
    }

    @Test func anAgentThatHangsInTheMiddleOfALineIsTerminated() throws {
        let outcome = try endedByTheBridge(rude("half-line", "--then", "hang"))
        #expect(outcome.status == .signaled(signal: SIGTERM))
        #expect(outcome.output.last.map { $0 != 0x0a } == true, "the half line arrived")
    }

    /// Runs an agent that would never end by itself. Every home checks that no process is left running.
    private func endedByTheBridge(_ agent: [SystemString]) throws -> Outcome {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(agent), in: home)
            editor.closeInput()
            return try editor.outcome()
        }
    }

    // MARK: Grandchildren

    @Test func processesInTheAgentsGroupEndWithTheAgent() throws {
        let outcome = try endedByTheBridge(rude("grandchild"))
        #expect(outcome.status == .exited(code: 0))
        #expect(outcome.errorText.hasPrefix("grandchild "))
    }

    @Test func aGrandchildOnTheAgentsStreamsEndsWithoutDelayingTheEditor() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("setsid-grandchild")), in: home)
            try editor.waitForError("\n")
            editor.closeInput()
            let outcome = try editor.outcome()
            #expect(outcome.status == .exited(code: 0))
            let grandchild = try #require(pid_t(outcome.errorText.split(separator: " ").last?.dropLast() ?? ""))
            try eventually("the grandchild has ended") { ProcessFolder.words(grandchild, "cmdline").isEmpty }
        }
    }

    @Test func aDetachedDaemonOfTheAgentKeepsRunning() throws {
        try BridgeHome.with { home in
            let agent = shell("setsid sleep 1000 </dev/null >/dev/null 2>&1 & sleep 0.2; echo $! >&2; read line")
            let editor = try EditorProcess(BridgeHome.bridged(agent), in: home)
            try editor.waitForError("\n")
            editor.closeInput()
            _ = try editor.outcome()
            // The shim is notified of the end after the bridge has searched for all of the agent's processes.
            let daemon = try #require(pid_t(editor.errorText.dropLast()))
            #expect(kill(daemon, SIGKILL) == 0)
        }
    }
}
