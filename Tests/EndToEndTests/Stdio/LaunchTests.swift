import AgentProcess
import Glibc
import Testing

/// The agent starts as if the editor itself had started it.
@Suite(.blocking) struct LaunchTests {
    @Test func argumentsDirectoryAndEnvironmentArriveUnchanged() throws {
        let arguments: [SystemString] = [
            "echo", "--odd", "a b", "--x", "", "--y", "\"'\\\n\t$HOME*", "--z", "é😀", "--help", "--",
        ]
        try expectTransparent(
            rude("env") + arguments,
            environment: ["EMPTY=", "SPACED= a b ", "LINES=a\nb", "UNICODE=é😀", "=odd", "A=1", "A=2"]
        ) { $0.closeInput() }
    }

    @Test func argumentsThatAreNotUTF8ArriveUnchanged() throws {
        let odd = SystemString(bytes: [0x66, 0xff, 0xfe, 0xc3])
        try expectTransparent(
            shell("cat /proc/$$/cmdline /proc/$$/environ", odd, ""), environment: ["ODD=" + odd]
        ) { $0.closeInput() }
    }

    @Test func theAgentStartsInADirectoryOfAnyName() throws {
        try BridgeHome.with { home in
            for name in [SystemString("plain"), "with space", "é😀", SystemString(bytes: [0x66, 0xff])] {
                let folder = SystemString(home.path + "/") + name
                try #require(folder.withCString { mkdir($0, 0o755) } == 0)
                let editor = try EditorProcess(BridgeHome.bridged(["/bin/pwd"]), in: home, directory: folder)
                expectSame(try editor.outcome().output, folder.bytes + [0x0a], "the agent's directory")
            }
        }
    }

    @Test func theAgentInheritsTheEditorsMaskLimitsAndSignals() throws {
        let outcome = try expectTransparent(
            shell(
                "umask; ulimit -n; ulimit -c; grep -E '^(Sig(Blk|Ign|Cgt)|Umask)' /proc/self/status; ls /proc/self/fd"),
            fileModeMask: 0o027
        ) { $0.closeInput() }
        #expect(outcome.outputText.hasPrefix("0027\n"))
    }

    @Test func theCommandIsFoundOnTheEditorsPath() throws {
        try BridgeHome.with { home in
            let program = home.path + "/my-agent"
            try FileBytes.write(Array("#!/bin/sh\necho mine\n".utf8), to: program)
            chmod(program, 0o755)
            let path = SystemString("PATH=/nowhere:\(home.path):/usr/bin:/bin")
            let editor = try EditorProcess(BridgeHome.bridged(["my-agent"]), in: home, environment: [path])
            #expect(try editor.outcome().outputText == "mine\n")
        }
    }

    @Test(
        arguments: [
            (["no-such-agent"], 127, "no-such-agent: command not found"),
            (["/no/such/agent"], 127, "command not found"),
            (["/etc/passwd"], 126, "/etc/passwd: permission denied"), (["/tmp"], 126, "/tmp"),
        ] as [([SystemString], Int32, String)])
    func stderrNamesACommandThatCannotRun(command: [SystemString], status: Int32, message: String) throws {
        try BridgeHome.with { home in
            let outcome = try EditorProcess(BridgeHome.bridged(command), in: home).outcome()
            #expect(outcome.status == .exited(code: status))
            #expect(outcome.output.isEmpty)
            #expect(outcome.errorText.contains(message))
        }
    }

    @Test func tenSimultaneousEditorsShareOneBridge() throws {
        try BridgeHome.with { home in
            let editors = try (0..<10).map { _ in try EditorProcess(BridgeHome.bridged(rude("echo")), in: home) }
            for editor in editors { try editor.openSession() }
            #expect(home.processes.filter { $0.command.contains("serve") }.count == 1)
            for editor in editors {
                editor.closeInput()
                let outcome = try editor.outcome()
                #expect(outcome.status == .exited(code: 0))
                #expect(outcome.error.isEmpty)
            }
        }
    }

    @Test func anEditorThatStartsWhileTheBridgeStopsGetsANewBridge() throws {
        try BridgeHome.with { home in
            let first = try EditorProcess(BridgeHome.bridged(rude("ignore-eof")), in: home)
            try first.openSession()
            let daemon = try #require(home.daemon)
            let stop = try EditorProcess([Binary.acpbridge, "stop"], in: home)
            // The agent of this bridge takes three seconds to end.
            try eventually("the stopping bridge has removed its socket") { access(home.socket, F_OK) != 0 }
            let second = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home)
            try second.openSession()
            #expect(try first.outcome().status == .signaled(signal: SIGTERM))
            #expect(
                try stop.outcome().status == .exited(code: 0), "stop waits only for the bridge that it stopped")
            #expect(!home.processes.contains { $0.pid == daemon })
            second.closeInput()
            #expect(try second.outcome().status == .exited(code: 0))
        }
    }

    @Test func aVeryLargeEnvironmentArrives() throws {
        let large = (1...12).map { SystemString("LARGE\($0)=" + String(repeating: "x", count: 120_000)) }
        let outcome = try expectTransparent(shell("cat /proc/$$/environ"), environment: large) { $0.closeInput() }
        #expect(outcome.output.count > 12 * 120_000)
    }

    @Test func endedAgentsLeaveNoChildOrDescriptor() throws {
        try BridgeHome.with { home in
            func runAgents(_ count: Int) throws {
                let agents = [rude("echo"), rude("grandchild"), rude("exit", "3"), ["no-such-agent"]]
                let editors = try (0..<count).map { number in
                    try EditorProcess(BridgeHome.bridged(agents[number % agents.count]), in: home)
                }
                for editor in editors {
                    editor.closeInput()
                    _ = try editor.outcome()
                }
            }
            try runAgents(4)
            let daemon = try #require(home.daemon)
            try eventually("the first four agents have been reaped") { ProcessFolder.children(of: daemon).isEmpty }
            let before = ProcessFolder.descriptorCount(of: daemon)
            try runAgents(20)
            try eventually("no child remains, not even a zombie") { ProcessFolder.children(of: daemon).isEmpty }
            try eventually("no extra descriptor remains") { ProcessFolder.descriptorCount(of: daemon) <= before }
        }
    }
}
