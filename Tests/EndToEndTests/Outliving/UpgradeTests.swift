import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// A new program replaces the bridge's program in the same process.
@Suite(.blocking) struct UpgradeTests {
    /// The number of the agent's other lines. All of them come before its answer to the prompt.
    private static let echoed = 4

    private func replace(_ home: BridgeHome) throws {
        let outcome = try home.run("serve", "--replace")
        #expect(outcome.status == .exited(code: 0), "\(outcome)")
    }

    private func agents(in home: BridgeHome) -> [pid_t] {
        home.processes.filter { $0.command.first?.hasSuffix("rude-agent") == true }.map(\.pid)
    }

    @Test func fiftyReplacementsDuringAStreamLoseNoAgentAndNoByte() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            let agent = rude("flood", "--lines", "20000", "--rate", "4000", "--on", "prompt", "--late", "0")
            let editor = try EditorProcess(BridgeHome.bridged(agent), in: home)
            try editor.openSession()
            let reader = try EditorProcess([Binary.acpbridge, "attach", "rude-1"], in: home)
            let running = agents(in: home)
            editor.post(Array(editor.prompt(id: "2").utf8) + [0x0a])
            for _ in 0..<50 {
                try replace(home)
                for _ in 0..<100 { _ = try editor.readLine() }
            }
            try editor.readLines(until: #""stopReason""#)
            #expect(agents(in: home) == running && running.count == 1)
            #expect(home.daemon == daemon.process.pid)

            let updates = editor.outputBytes.split(separator: 0x0a).filter { $0.contains("session/update".utf8) }
            #expect(updates.count == 20000 + Self.echoed)
            try reader.readOutput(untilBytes: updates.reduce(0) { $0 + $1.count + 1 })
            #expect(reader.outputBytes.split(separator: 0x0a) == updates)
        }
    }

    @Test func neitherAReplacementNorAStopChangesTheTimeOfASessionsLastUpdate() throws {
        try BridgeHome.with { home in
            let session = try EditorSession([Binary.demoAgent], in: home)
            try session.prompt("hi 3 chunks pace=0 quiet")
            func time() throws -> Int64? {
                let list = try home.run("sessions", "--all", "--json")
                return try JSONValue(validating: list.output.dropLast())["lastTs"]?.int64Value
            }
            // The answer reaches the editor before the end of the turn is stored.
            try eventually("the end of the turn is stored") {
                try home.run("attach", "latest", "--pretty", "--no-follow").outputText.contains("— end_turn")
            }
            let before = try time()
            try replace(home)
            #expect(try time() == before && before != nil)
            let timeline = try home.run("attach", "latest", "--all", "--no-follow").outputText
            #expect(!timeline.contains("agent_exit"), "the session is not interrupted")
            #expect(try home.run("stop").status == .exited(code: 0))
            _ = try Daemon(home)
            #expect(try time() == before, "a stop does not change the time, either")
        }
    }

    @Test func aHalfWrittenLineContinuesAfterAReplacement() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("cat")), in: home)
            try editor.send(Array(#"{"half":"#.utf8))
            try editor.readOutput(untilBytes: 8)
            try replace(home)
            try editor.sendLine(#"true}"#)
            #expect(try editor.readLine() == #"{"half":true}"#)
        }
    }

    @Test func unreadOutputReachesTheEditorAfterAReplacement() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(
                BridgeHome.bridged(rude("flood", "--lines", "5000", "--on", "prompt", "--late", "0")), in: home)
            try editor.openSession()
            editor.pauseReading()
            try editor.sendLine(editor.prompt(id: "2"))
            try eventually("the pipe is full") { editor.unreadOutputBytes > 60_000 }
            try replace(home)
            editor.pauseReading(false)
            try editor.readLines(until: #""stopReason""#)
            let updates = editor.outputBytes.split(separator: 0x0a).count { $0.contains("session/update".utf8) }
            #expect(updates == 5000 + Self.echoed)
        }
    }

    @Test func aPendingPermissionCanBeAnsweredAfterAReplacement() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.send(prompt: "hello 3 chunks")
            let asked = try editor.process.readLines(until: "session/request_permission").last ?? ""
            try replace(home)
            let client = try TinyvexTestClient(home)
            _ = try client.watch("permissions:pending")
            #expect(try client.nextValue().value.elements.count == 1)
            let id = try #require(try JSONValue(validating: Array(asked.utf8))["id"])
            let outcome = #"{"outcome":{"outcome":"selected","optionId":"allow"}}"#
            try editor.process.sendLine(#"{"jsonrpc":"2.0","id":\#(id.rawString),"result":\#(outcome)}"#)
            _ = try editor.process.readLines(until: #""stopReason":"end_turn""#)
        }
    }

    @Test func anEditorThatLoadedASessionContinuesAfterAReplacement() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home, options: ["--keep"])
            try first.prompt("hello 20 chunks no permission")
            first.process.closeInput()
            _ = try first.process.exitStatus()
            let second = try EditorSession([Binary.demoAgent], in: home, loading: first.sessionId, options: ["--keep"])
            try second.send(prompt: "hello 200 chunks pace=5 no permission")
            for _ in 0..<5 {
                _ = try second.process.readLines(until: "agent_message_chunk")
                try replace(home)
            }
            _ = try second.process.readLines(until: "end_turn")
            let chunks = second.process.outputBytes.split(separator: 0x0a)
                .count { $0.contains("agent_message_chunk".utf8) }
            #expect(chunks == 220)

            try second.send(prompt: "hello 3 chunks")
            _ = try second.process.readLines(until: "session/request_permission")
            try replace(home)
            second.process.closeInput()
            #expect(try second.process.exitStatus() == .exited(code: 0))
        }
    }

    @Test func aRemoteEditorContinuesAfterAReplacement() throws {
        try BridgeHome.with { home in
            try home.addAgent(
                "rude", rude("flood", "--on", "prompt", "--lines", "4000", "--rate", "4000", "--updates", "0"))
            let daemon = try Daemon(home, ["--listen", ":0"])
            let url = try #require(daemon.ready["url"]?.stringValue)
            let editor = try EditorProcess(
                [
                    Binary.acpbridge, "connect", SystemString("\(url)/acp?agent=rude"), "--token-file",
                    SystemString(home.token),
                ], in: home)
            try editor.openSession()
            try editor.sendLine(editor.prompt(id: "2"))
            for _ in 0..<3 {
                for _ in 0..<100 { _ = try editor.readLine() }
                try replace(home)
            }
            try editor.readLines(until: #""stopReason""#)
            try eventually("all updates have arrived") {
                editor.outputBytes.split(separator: 0x0a).count { $0.contains("session/update".utf8) } >= 4000
            }
            editor.closeInput()
            let outcome = try editor.outcome()
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        }
    }

    @Test func aHangUpSignalReplacesTheProgram() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home)
            try editor.openSession()
            let before = try home.status()
            kill(try #require(home.daemon), SIGHUP)
            try eventually("the program has been replaced") {
                (try? home.status())?["startedTs"]?.int64Value != before["startedTs"]?.int64Value
            }
            let after = try home.status()
            #expect(after["pid"]?.int64Value == before["pid"]?.int64Value)
            #expect(after["agents"]?.int64Value == 1)
            try editor.exchange(editor.prompt(id: "2"), until: #""id":2"#)
        }
    }

    @Test func replaceWithoutARunningBridgeStartsOne() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--replace", "--no-tcp"])
            #expect(daemon.ready["ready"]?.boolValue == true)
        }
    }

    @Test func twoSimultaneousReplacementsBothSucceed() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            for _ in 0..<10 {
                let before = try home.status()
                let both = try (0..<2).map { _ in try EditorProcess([Binary.acpbridge, "serve", "--replace"], in: home)
                }
                for outcome in try both.map({ try $0.outcome() }) {
                    #expect(outcome.status == .exited(code: 0), "\(outcome)")
                }
                let after = try home.status()
                #expect(after["pid"]?.int64Value == before["pid"]?.int64Value)
                #expect(after["startedTs"]?.int64Value != before["startedTs"]?.int64Value)
            }
        }
    }

    @Test func oneOfTwoSimultaneousStartsReplacesTheOther() throws {
        try BridgeHome.with { home in
            let both = try (0..<2).map { _ in
                try EditorProcess([Binary.acpbridge, "serve", "--replace", "--no-tcp"], in: home)
            }
            try eventually("one bridge has replaced the other") {
                // A bridge that has been replaced continues in the same process, with the same output.
                both.contains { (try? $0.lineAtHand()).flatMap { $0 }?.starts(with: Array("The bridge".utf8)) == true }
            }
            #expect(both.allSatisfy { $0.errorText.isEmpty }, "\(both.map(\.errorText))")
        }
    }

    @Test func aBridgeWithoutFreeDescriptorsRefusesAndContinues() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, under: ["prlimit", "--nofile=48:48"])
            let client = try TinyvexTestClient(home)
            let others = try (0..<60).map { _ in try Sockets.connect(to: .unix(path: home.socket)).release() }
            try eventually("all descriptors are in use") { ProcessFolder.descriptorCount(of: daemon.process.pid) >= 48 }
            let answer = try client.call(
                "tinyvex/action",
                #"{"requestId":"1","name":"bridge:replace","args":{"program":"/bin/true","format":2}}"#)
            let message = answer["error"]?["message"]?.stringValue
            #expect(message?.contains("Too many open files") == true, "\(answer.rawString)")
            #expect(try client.call("tinyvex/ping")["result"] != nil)
            for fd in others { close(fd) }
            try eventually("the bridge serves again") { try home.run("status").status == .exited(code: 0) }
        }
    }

    @Test func theBridgeContinuesIfTheKernelRefusesTheProgram() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home)
            let before = try home.status()
            let program = home.path + "/not-a-program"
            try FileBytes.write(Array("none".utf8), to: program)
            chmod(program, 0o755)
            let client = try TinyvexTestClient(home)
            let answer = try client.call(
                "tinyvex/action",
                #"{"requestId":"1","name":"bridge:replace","args":{"program":"\#(program)","format":2}}"#)
            #expect(answer["result"]?["value"]?["replacing"]?.boolValue == true)
            try client.waitForEnd()
            #expect(client.closeCode == .serviceRestart)
            let after = try home.status()
            #expect(after["startedTs"]?.int64Value == before["startedTs"]?.int64Value)
            #expect(after["pid"]?.int64Value == Int64(daemon.process.pid))
            try replace(home)
        }
    }

    @Test func aBridgeThatDoesNotReplaceItselfIsReported() throws {
        try BridgeHome.with { home in
            let bridge = try IdleBridge(home, process: getpid())
            let outcome = try home.run("serve", "--replace")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("was not replaced"), "\(outcome.errorText)")
            _ = bridge
        }
    }

    /// This test waits for 20 s, the command's patience with a process that does nothing.
    @Test func aBridgeThatDoesNotStopIsReported() throws {
        try BridgeHome.with { home in
            let idle = try EditorProcess(["cat"], in: home)
            let bridge = try IdleBridge(home, process: idle.pid)
            let outcome = try home.run("stop")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("has done nothing for 20 s; kill it"), "\(outcome.errorText)")
            _ = bridge
        }
    }

    @Test(arguments: [
        (#"{"program":"/nowhere/acpbridge","format":2}"#, "program"), (#"{"program":"true","format":2}"#, "program"),
        (#"{"program":"/bin/true","format":0}"#, "older"), (#"{"program":"/bin/true"}"#, "format"),
    ])
    func anInvalidReplacementProgramIsRefused(arguments: String, reason: String) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let answer = try client.call(
                "tinyvex/action", #"{"requestId":"1","name":"bridge:replace","args":\#(arguments)}"#)
            #expect(answer["error"]?["message"]?.stringValue?.contains(reason) == true)
        }
    }

    @Test func onlyTheBridgesOwnUserCanReplaceIt() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            let token = String(decoding: FileBytes.read(home.token) ?? [], as: UTF8.self).prefix { !$0.isWhitespace }
            let client = try TinyvexTestClient(try #require(daemon.address), token: String(token))
            _ = try client.call("tinyvex/connect", #"{"client":{"name":"test"}}"#)
            let answer = try client.call(
                "tinyvex/action",
                #"{"requestId":"1","name":"bridge:replace","args":{"program":"/bin/true","format":2}}"#)
            #expect(answer["error"]?["data"]?["code"]?.stringValue == "TVX011")
        }
    }
}
