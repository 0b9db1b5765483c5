import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// Editors with an agent under a remote bridge.
@Suite(.blocking) struct ConnectTests {
    private func connect(_ url: String, in home: BridgeHome, _ options: [SystemString] = []) throws -> EditorProcess {
        try EditorProcess(
            [Binary.acpbridge, "connect", SystemString(url), "--token-file", SystemString(home.token)] + options,
            in: home)
    }

    /// Every line arrives exactly as the agent wrote it, with requests of both sides under way.
    private func runConversation(_ editor: EditorProcess, in home: BridgeHome, prompts: Int) throws -> [UInt8] {
        try editor.sendLine(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":\#(RemoteTestClient.hello)}"#)
        _ = try editor.readLines(until: #""id":0"#)
        try editor.sendLine(#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#)
        _ = try editor.readLines(until: #""id":1"#)
        for turn in 0..<prompts / 2 {
            for half in 0...1 {
                try editor.sendLine(
                    #"{"jsonrpc":"2.0","id":"p\#(2 * turn + half)","method":"session/prompt","params":\#(RemoteTestClient.prompt("rude-1", "x"))}"#
                )
            }
            for half in 0...1 {
                let number = 2 * turn + half
                _ = try editor.readLines(until: #""id":\#(number),"method":"session/request_permission""#)
                try editor.sendLine(
                    #"{"jsonrpc":"2.0","id":\#(number),"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}"#)
            }
            _ = try editor.readLines(until: #""id":"p\#(2 * turn + 1)","result""#)
        }
        editor.closeInput()
        let outcome = try editor.outcome()
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        return outcome.output
    }

    @Test(arguments: ["ws", "wss"]) func onABrokenNetworkTheEditorReceivesTheAgentsExactOutput(scheme: String) throws {
        try BridgeHome.with { home in
            let files = try CertificateOnDisk(home)
            let isEncrypted = scheme == "wss"
            let agent = rude(
                "flood", "--on", "prompt", "--lines", "400", "--per-write", "5", "--early", "0", "--late", "0",
                "--updates", "0", "--id-style", "number", "--tell", "answers")
            let direct = try runConversation(try EditorProcess(agent, in: home), in: home, prompts: 10)
            try home.addAgent("rude", agent)
            let daemon = try Daemon(home, isEncrypted ? files.options : ["--listen", "127.0.0.1:0"])
            // Some connections break before the handshake, some in the middle of a line, some between two lines.
            let faults = BadNetwork.Fault.some(40, seed: 7).map { fault in
                var fault = fault
                fault.pieceBytes = max(fault.pieceBytes, 300)
                fault.lifeBytes = fault.lifeBytes.map { $0 * 2 }
                return fault
            }
            let network = try BadNetwork(to: try #require(daemon.address), [.init(lifeBytes: 8000)] + faults)
            let editor = try connect(
                "\(scheme)://127.0.0.1:\(network.port)/acp?agent=rude", in: home,
                isEncrypted ? ["--ca-file", SystemString(files.certificate)] : [])
            let found = try runConversation(editor, in: home, prompts: 10)
            #expect(wholeLines(of: direct).count > 4000)
            expectSame(wholeLines(of: found), wholeLines(of: direct))
            #expect(network.brokenCount > 20)
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }

    @Test func openRequestsFailWhenTheBridgeDoesNotReturn() throws {
        try BridgeHome.with { home in
            try home.addAgent("rude", rude("stall"))
            let daemon = try Daemon(home, ["--listen", "127.0.0.1:0"])
            let url = try #require(daemon.ready["url"]?.stringValue)
            let editor = try connect("\(url)/acp?agent=rude", in: home, ["--give-up", "300ms"])
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":3"#)
            try daemon.killAtOnce()
            let failed = try #require(try editor.readLines(until: #""error""#).last)
            #expect(failed.contains(#""id":2"#) && failed.contains("the connection was lost"))
            let outcome = try editor.outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("Error: the connection was lost"))
        }
    }

    @Test func openRequestsFailWhenTheClientReturnsTooLate() throws {
        try BridgeHome.with { home in
            try home.addAgent("rude", rude("stall", "--updates", "100"))
            let daemon = try Daemon(home, ["--listen", "127.0.0.1:0", "--limit", "absence=1ms"])
            // The connection breaks once the prompt is under way, and cannot be restored immediately.
            let network = try BadNetwork(
                to: try #require(daemon.address),
                [.init(lifeBytes: 10_000)] + Array(repeating: .init(lifeBytes: 0), count: 3))
            let editor = try connect("ws://127.0.0.1:\(network.port)/acp?agent=rude", in: home)
            try editor.openSession()
            try editor.sendLine(editor.prompt(id: "2"))
            let failed = try #require(try editor.readLines(until: #""error""#).last)
            #expect(failed.contains(#""id":2"#) && failed.contains("was disconnected for too long"), "\(failed)")
            let outcome = try editor.outcome()
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("was disconnected for too long"), "\(outcome.errorText)")
            // The turn continues without a primary, for any client that loads the session.
            let agents = try home.status()["agents"]?.int64Value
            #expect(agents == 1)
        }
    }

    @Test func connectExitsWithTheAgentsStatus() throws {
        try BridgeHome.with { home in
            try home.addAgent("rude", rude("crash", "--on", "prompt", "--code", "7"))
            _ = try Daemon(home)
            let editor = try connect("unix:\(home.socket)?agent=rude", in: home)
            try editor.openSession()
            try editor.sendLine(editor.prompt(id: "2"))
            let failed = try editor.readLines(until: #""error""#).last
            #expect(failed?.contains("exited with status 7") == true)
            #expect(try editor.outcome().status == .exited(code: 7))
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL]) func aSignalEndsTheClientAndSIGTERMAlsoEndsItsAgent(signal: Int32) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try connect("unix:\(home.socket)?agent=demo", in: home)
            try editor.openSession()
            editor.kill(signal)
            #expect(try editor.exitStatus() == .signaled(signal: signal))
            // A killed client can come back, so the agent is kept. It ends with the bridge.
            guard signal == SIGTERM else { return }
            try eventually("the agent has ended: \(home.processes)") { home.processes.count == 1 }
        }
    }

    /// An earlier fault: the agent's standard error went nowhere.
    @Test func theAgentsStandardErrorReachesTheClient() throws {
        try BridgeHome.with { home in
            try home.addAgent("loud", rude("flood-stderr", "25000", "--on", "prompt"))
            _ = try Daemon(home)
            let editor = try connect("unix:\(home.socket)?agent=loud", in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""id":2"#)
            try eventually("stderr has arrived") {
                _ = try editor.lineAtHand(within: .milliseconds(20))
                return editor.errorBytes.count == 25_000
            }
        }
    }

    @Test func anUnreachableBridgeIsReported() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home, ["--listen", "127.0.0.1:0"])
            let nobody = try connect("ws://127.0.0.1:1/acp?agent=demo", in: home).outcome()
            #expect(nobody.status == .exited(code: 1))
            #expect(nobody.errorText.hasPrefix("Error: no answer"))
        }
    }

    @Test func aDisconnectedClientLosesItsSessionToOneThatLoadsIt() throws {
        try BridgeHome.with { home in
            try home.addAgent("rude", rude("stall"))
            _ = try Daemon(home)
            let begin = [(name: "Acpbridge-Received", value: "0")]
            let daemon = try #require(home.daemon)
            func sockets() -> Int { ProcessFolder.descriptors(of: daemon).count { $0.contains("socket:") } }
            let away = try RemoteTestClient(home, path: "/acp?agent=rude", fields: begin)
            try away.initialize()
            let session = try away.newSession(home)
            let connected = sockets()
            away.wire.closeNow()
            // The log opens and closes files meanwhile, so only sockets are counted.
            try eventually("the bridge has closed the socket") { sockets() < connected }
            let next = try RemoteTestClient(home, path: "/acp?agent=rude")
            try next.initialize()
            try next.ask("l", "session/load", #"{"sessionId":"\#(session)","cwd":"/","mcpServers":[]}"#)
            let loaded = try next.messages(untilAnswerTo: "l")
            #expect(loaded.named("session/update").count == 1)
            #expect(try home.status()["agents"]?.int64Value == 1)
            // The agent belongs to this connection and ends with it.
            next.wire.closeNow()
            try eventually("the agent has ended") { try home.status()["agents"]?.int64Value == 0 }
        }
    }
}
