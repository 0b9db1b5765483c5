import AgentProcess
import Glibc
import Testing

/// The agent ends and no process is left, however an editor ends or ends its agent.
@Suite(.blocking) struct EditorEndTests {
    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func aSignalReachesAnAgentThatHandlesIt(signal: Int32) throws {
        let agent = shell("trap 'echo got it; exit 7' \(signal); echo ready; read line")
        let outcome = try expectTransparent(agent) { editor in
            try editor.readLines(until: "ready")
            editor.kill(signal)
        }
        #expect(outcome.outputText == "ready\ngot it\n")
        #expect(outcome.status == .exited(code: 7))
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func aSignalEndsAnAgentThatDoesNotHandleIt(signal: Int32) throws {
        let outcome = try expectTransparent(rude("echo", "--early", "3")) { editor in
            try editor.openSession()
            editor.kill(signal)
        }
        #expect(outcome.status == .signaled(signal: signal))
    }

    @Test func anAgentCanHandleAnInterruptAndContinue() throws {
        try expectTransparent(shell("trap 'echo interrupted' INT; echo ready; read a; read b; exit 6")) { editor in
            try editor.readLines(until: "ready")
            editor.kill(SIGINT)
            try editor.readLines(until: "interrupted")
            try editor.sendLine("a")
            try editor.sendLine("b")
        }
    }

    @Test func aTermAfterTheEndOfTheInputIsForwarded() throws {
        let outcome = try expectTransparent(
            shell("trap 'exit 8' TERM; mkfifo p$$; exec 3<>p$$; cat; echo eof; read x <&3")
        ) {
            editor in
            editor.closeInput()
            try editor.readLines(until: "eof")
            editor.kill(SIGTERM)
        }
        #expect(outcome.status == .exited(code: 8))
    }

    @Test func anAgentThatIgnoresTermIsKilled() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("ignore-term")), in: home)
            try editor.exchange(editor.newSession(id: "1"), until: #""id":1"#)
            editor.kill(SIGTERM)
            #expect(try editor.outcome().status == .signaled(signal: SIGKILL))
        }
    }

    @Test(arguments: ["echo", "grandchild", "ignore-eof"] as [SystemString])
    func theAgentEndsWithItsKilledShim(behaviour: SystemString) throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude(behaviour)), in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""id":2"#)
            editor.kill(SIGKILL)
            #expect(try editor.exitStatus() == .signaled(signal: SIGKILL))
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
            #expect(home.daemon != nil)
        }
    }

    @Test func anAgentThatWritesToAClosedEditorEnds() throws {
        try BridgeHome.with { home in
            let agent = rude("flood", "ignore-eof", "--lines", "100000", "--rate", "1000", "--on", "new")
            let editor = try EditorProcess(BridgeHome.bridged(agent), in: home)
            try editor.exchange(editor.newSession(id: "1"), until: #""n":10}"#)
            editor.closeInput()
            editor.closeOutput()
            _ = try editor.exitStatus()
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }

    // MARK: The daemon's end

    @Test func aKilledBridgeEndsItsAgentsAndTheShimsReportIt() throws {
        try BridgeHome.with { home in
            let editors = try [rude("echo"), rude("ignore-eof", "ignore-term"), rude("stall")].map { agent in
                let editor = try EditorProcess(BridgeHome.bridged(agent), in: home)
                try editor.openSession()
                return editor
            }
            kill(try #require(home.daemon), SIGKILL)
            for editor in editors {
                let outcome = try editor.outcome()
                #expect(outcome.status == .exited(code: 1))
                #expect(outcome.errorText.contains("the bridge ended"))
            }
        }
    }

    @Test func aNewShimStartsABridgeAfterAKill() throws {
        try BridgeHome.with { home in
            let first = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home)
            try first.openSession()
            kill(try #require(home.daemon), SIGKILL)
            _ = try first.outcome()
            let second = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home)
            try second.openSession()
            second.closeInput()
            #expect(try second.outcome().status == .exited(code: 0))
        }
    }

    @Test func aStoppedBridgeEndsItsAgents() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home)
            try editor.openSession()
            let stop = try EditorProcess([Binary.acpbridge, "stop"], in: home)
            #expect(try stop.outcome().status == .exited(code: 0))
            #expect(try editor.outcome().status == .exited(code: 0))
        }
    }
}
