import AgentProcess
import Glibc
import JSONScan
import Posix
import Testing

/// Sessions that clients begin and continue at a peer of their bridge.
@Suite(.blocking) struct PeerBeginTests {
    /// Calls `body` with the homes of two running bridges. The first bridge is a peer of the second one, with the name `far`.
    private func withTwoBridges(_ body: (_ first: BridgeHome, _ second: BridgeHome) throws -> Void) throws {
        try BridgeHome.with { first in
            _ = try Daemon(first)
            try BridgeHome.with { second in
                try start(second, peer: "unix:\(first.socket) name=far")
                try body(first, second)
            }
        }
    }

    private func start(_ home: BridgeHome, peer: String) throws {
        _ = try Daemon(home, ["--no-tcp", "--peer", SystemString(peer)])
        try wait(home, for: "online")
    }

    private func wait(_ home: BridgeHome, for state: String) throws {
        try eventually("the peer is \(state)") {
            try home.status()["peers"]?.elements.first?["state"]?.stringValue == state
        }
    }

    private func agentCount(_ home: BridgeHome) throws -> Int {
        try TinyvexTestClient(home).query("agents:list", "{}")?["running"]?.elements.count ?? 0
    }

    /// Adds an agent that remembers its sessions, which its next process can continue.
    private func addLastingAgent(_ home: BridgeHome) throws {
        let state = SystemString("ACP_DEMO_STATE=\(home.path)/demo")
        try home.addAgent("lasting", ["env", state, Binary.demoAgent])
    }

    private let words = "hello 3 words no permission"

    @Test func aSessionBeginsAtTheBridgeThatTheClientNames() throws {
        try withTwoBridges { first, second in
            try addLastingAgent(first)
            let client = try TinyvexTestClient(second)
            let begun = try client.actionValue(
                "sessions:begin",
                #"{"bridge":"far","agent":"lasting","cwd":"\#(first.path)","text":"\#(words)"}"#)
            #expect(begun["bridge"]?.stringValue == "far" && begun["started"]?.boolValue == true)
            let id = try #require(begun["sessionId"]?.stringValue)
            let journal = try #require(begun["journal"]?.stringValue)
            #expect(try TinyvexTestClient(first).journals(of: id) == [journal])
            #expect(try (agentCount(first), agentCount(second)) == (1, 0))
            // The name works at once, as one of this bridge.
            let reference = #""sessionId":"\#(id)","agent":"lasting","journal":"\#(journal)""#
            let row = try client.query("sessions:list", #"{"sessionId":"\#(id)"}"#)?["data"]?.elements.first
            #expect(row?["bridge"]?.stringValue == "far" && row?["cwd"]?.stringValue == first.path)
            #expect(
                try client.actionValue("sessions:prompt", #"{\#(reference),"text":"\#(words)","queue":true}"#)[
                    "stopReason"]?
                    .stringValue == "end_turn")
        }
    }

    @Test func anEndedSessionOfAPeerContinuesThere() throws {
        try withTwoBridges { first, second in
            try addLastingAgent(first)
            let client = try TinyvexTestClient(second)
            let begun = try client.actionValue("sessions:begin", #"{"bridge":"far","agent":"lasting"}"#)
            let (id, journal) = (begun["sessionId"]?.stringValue ?? "", begun["journal"]?.stringValue ?? "")
            let reference = #""sessionId":"\#(id)","agent":"lasting","journal":"\#(journal)""#
            _ = try client.actionValue("sessions:prompt", #"{\#(reference),"text":"\#(words)"}"#)
            _ = try client.actionValue("agents:stop", "{\(reference)}")
            try eventually("the agent has ended") { try agentCount(first) == 0 }
            let resumed = try client.actionValue("sessions:resume", #"{\#(reference),"text":"\#(words)"}"#)
            #expect(resumed["sessionId"]?.stringValue == id && resumed["started"]?.boolValue == true)
            #expect(try (agentCount(first), agentCount(second)) == (1, 0))
        }
    }

    @Test func theAgentsOfANamedBridgeAreListed() throws {
        try withTwoBridges { first, second in
            try first.addAgent("only-there", ["cat"])
            let client = try TinyvexTestClient(second)
            let own = try #require(try client.query("agents:list", "{}"))
            #expect(own["bridges"]?.elements.first?["own"]?.boolValue == true)
            #expect(own["bridges"]?.elements.last?.rawString == #"{"name":"far"}"#)
            let there = try #require(try client.query("agents:list", #"{"bridge":"far"}"#))
            let names = (there["profiles"]?.elements ?? []).compactMap { $0["name"]?.stringValue }
            #expect(names.contains("only-there"))
            #expect(there["running"]?.elements.isEmpty == true && there["bridges"] == nil)
            let name = try #require(own["bridges"]?.elements.first?["name"]?.rawString)
            let named = try #require(try client.query("agents:list", #"{"bridge":\#(name)}"#))
            #expect(named["profiles"]?.rawString == own["profiles"]?.rawString)
            // A bridge without peers lists no bridges.
            #expect(try TinyvexTestClient(first).query("agents:list", "{}")?["bridges"] == nil)
        }
    }

    @Test func aStartAtAPeerIsCancelledByItsName() throws {
        try withTwoBridges { first, second in
            try first.addAgent("silent", ["cat"])
            let client = try RemoteTestClient(second, path: "/tinyvex")
            try client.ask(
                "b", "tinyvex/action",
                TinyvexTestClient.action("sessions:begin", #"{"bridge":"far","agent":"silent","start":"one"}"#))
            try eventually("the agent starts") { try agentCount(first) == 1 }
            let other = try TinyvexTestClient(second)
            #expect(try other.actionFault("agents:stop", #"{"start":"one"}"#).0 == "TVX003")
            _ = try other.actionValue("agents:stop", #"{"bridge":"far","start":"one"}"#)
            let answer = try #require(try client.messages(untilAnswerTo: "b").last)
            #expect(answer.errorCode == "TVX010", "\(answer.rawString)")
        }
    }

    @Test func theErrorOfAStartAtAPeerNamesTheNextStep() throws {
        try withTwoBridges { first, second in
            let client = try TinyvexTestClient(second)
            let agent = try client.actionFault("sessions:begin", #"{"bridge":"far","agent":"unknown"}"#)
            #expect(agent.0 == "TVX010" && agent.1.contains("far"), "\(agent)")
            let name = try client.actionFault("sessions:begin", #"{"bridge":"away","agent":"demo"}"#)
            #expect(name.0 == "-32602" && name.1.contains("its peers are") && name.1.contains("far"), "\(name)")
            let none = try TinyvexTestClient(first).actionFault("sessions:begin", #"{"bridge":"far","agent":"demo"}"#)
            #expect(none.0 == "-32602" && none.1.contains("--peer"), "\(none)")
            #expect(try (agentCount(first), agentCount(second)) == (0, 0))
            #expect(try first.run("stop").status == .exited(code: 0))
            try wait(second, for: "failed")
            for name in ["sessions:begin", "agents:stop"] {
                let away = try client.actionFault(name, #"{"bridge":"far","agent":"demo","start":"x"}"#)
                #expect(away.0 == "TVX003" && away.1.contains("acpbridge status"), "\(away)")
            }
            #expect(try agentCount(second) == 0)
        }
    }

    @Test func thePeerDecidesByTheRoleOfTheTokenWhetherASessionBegins() throws {
        try BridgeHome.with { first in
            let daemon = try Daemon(first, ["--listen", "127.0.0.1:0"])
            let url = try #require(daemon.ready["url"]?.stringValue)
            let token = try TokenTests.create(first, "--role", "observe")
            try BridgeHome.with { second in
                let file = second.path + "/peer.token"
                try FileBytes.write(Array(token.utf8), to: file)
                chmod(file, 0o600)
                try start(second, peer: "\(url) token-file=\(file) name=far")
                let client = try TinyvexTestClient(second)
                #expect(try client.actionFault("sessions:begin", #"{"bridge":"far","agent":"demo"}"#).0 == "TVX011")
                #expect(try agentCount(first) == 0)
            }
        }
    }

    @Test func aTenantsClientBeginsNoSessionAtAPeer() throws {
        try BridgeHome.with { first in
            _ = try Daemon(first)
            try IssuerHome.with(options: "--peer", SystemString("unix:\(first.socket) name=far")) { second in
                try wait(second.home, for: "online")
                let token = try second.token("acme", "control")
                let tenant = try RemoteTestClient(second.address, path: "/tinyvex", token: token).wire
                let (code, message) = try tenant.actionFault("sessions:begin", #"{"bridge":"far","agent":"demo"}"#)
                #expect(code == "TVX011" && message.contains("tenant"), "\(message)")
                #expect(try tenant.query("agents:list", "{}")?["bridges"] == nil)
                #expect(try agentCount(first) == 0)
            }
        }
    }

    // MARK: The command

    @Test func runBeginsASessionAtThePeerAndContinuesItThere() throws {
        try withTwoBridges { first, second in
            try addLastingAgent(first)
            let begun = try second.run(
                "run", "--bridge", "far", "--agent", "lasting", "--cwd", SystemString(first.path), "--title",
                "Far work",
                SystemString(words))
            #expect(begun.status == .exited(code: 0), "\(begun.errorText)")
            try eventually("the agent has ended") { try (agentCount(first), agentCount(second)) == (0, 0) }
            let client = try TinyvexTestClient(second)
            _ = try client.watch("sessions:list", #"{"search":"Far work"}"#)
            var row: JSONValue?
            _ = try client.value { value in
                row = value["data"]?.elements.first { $0["live"]?.boolValue == false }
                return row != nil
            }
            #expect(row?["bridge"]?.stringValue == "far" && row?["cwd"]?.stringValue == first.path)
            let resumed = try second.run("run", "--resume", "Far work", "--detach")
            #expect(resumed.status == .exited(code: 0), "\(resumed.errorText)")
            #expect(try (agentCount(first), agentCount(second)) == (1, 0))
            let command = try second.run("run", "--resume", "Far work", "--command", "cat", "--detach")
            #expect(command.status != .exited(code: 0))
        }
    }

    @Test func atATerminalThePersonWorksWithAnAgentOfThePeer() throws {
        try withTwoBridges { first, second in
            let command: [SystemString] = ["run", "--bridge", "far", "--agent", "demo", SystemString(words)]
            let terminal = try EditorProcess([Binary.acpbridge] + command, in: second, wiring: .terminal)
            try terminal.wait(until: "the turn has ended") {
                String(decoding: terminal.outputBytes, as: UTF8.self).contains("end_turn")
            }
            #expect(terminal.errorText.contains("at the bridge far"), "\(terminal.errorText)")
            terminal.kill(SIGINT)
            try terminal.wait(until: "the first Ctrl-C warns") { terminal.errorText.contains("Ctrl-D to exit") }
            terminal.kill(SIGINT)
            _ = try terminal.outcome()
            #expect(try agentCount(first) == 1)
        }
    }

    @Test func runBeginsNoSessionHereIfTheBridgeHasNoPeers() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let outcome = try home.run("run", "--bridge", "far", "--agent", "demo", "--detach")
            #expect(
                outcome.status == .exited(code: 1) && outcome.errorText.contains("no peers"), "\(outcome.errorText)")
            #expect(try agentCount(home) == 0)
        }
    }
}
