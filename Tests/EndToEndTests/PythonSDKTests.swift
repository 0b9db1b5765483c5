import AgentProcess
import Glibc
import Testing

/// Runs a client and agents that this project did not write: the Python ACP SDK's examples, and two scripts that use
/// the whole SDK. If none of them can distinguish the bridge from the agent, other programs that use this SDK cannot
/// either.
@Suite(.blocking, .enabled(if: PythonSDK.isInstalled, "Tests/run.sh installs the Python SDK into .venv"))
struct PythonSDKTests {
    @Test func theExampleClientAndAgentBehaveTheSameThroughTheBridge() throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let lines = "hello\n{\"not\": \"for the agent\"}\nGröße 🌉\n"
            let agent = [PythonSDK.python, PythonSDK.example("agent.py")]
            let direct = try sdk.exampleClient(types: lines, to: agent)
            let bridged = try sdk.exampleClient(types: lines, to: BridgeHome.bridged(agent))

            expectSame(bridged.outcome, direct.outcome)
            expectSame(bridged.wire, direct.wire, "what the agent wrote")
            #expect(bridged.outcome.status == .exited(code: 0))
            #expect(bridged.outcome.outputText.contains("| Agent: Größe 🌉\n"))
            #expect(bridged.updates.count == 6)
            #expect(try sdk.attached("latest") == bridged.updates)
        }
    }

    @Test func requestsInBothDirectionsAndACancelPassUnchanged() throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let steps = ["prompt:hello wörld", "prompt:work", "extend:example/x", "cancel:wait", "prompt:on we go"]
            let agent = [PythonSDK.python, PythonSDK.script("agent.py")]
            let direct = try sdk.client(takes: steps, with: agent)
            let bridged = try sdk.client(takes: steps, with: BridgeHome.bridged(agent))

            expectSame(bridged.outcome, direct.outcome)
            expectSame(bridged.wire, direct.wire, "what the agent wrote")
            #expect(bridged.outcome.status == .exited(code: 0), "\(bridged.outcome.errorText)")
            let said = bridged.outcome.outputText
            for line in [
                #"read "notes.txt""#, #"permission ["yes", "no"]"#, #"terminal ["printf", "%s", "done"]"#,
                #"told ["example/x", {"n": 9007199254740993}]"#, #"asked ["example/ask", {"n": 9007199254740993}]"#,
                #"stopped "cancelled""#,
            ] {
                #expect(said.contains(line + "\n"))
            }
            #expect(try sdk.attached("session-1") == bridged.updates)
        }
    }

    /// `acp.ws` connects over TCP with a token to the agent behind `/acp`. The same client must see the same
    /// conversation as over pipes.
    @Test func theWebSocketClientSeesTheSameConversationAsOverPipes() throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let steps = ["prompt:hello wörld", "prompt:work", "extend:example/x", "cancel:wait", "prompt:on we go"]
            let agent = [PythonSDK.python, PythonSDK.script("agent.py")]
            let direct = try sdk.client(takes: steps, with: agent)

            try home.addAgent("sdk", agent)
            let daemon = try Daemon(home, ["--listen", "127.0.0.1:0"])
            let token = String(decoding: try #require(FileBytes.read(home.token)), as: UTF8.self)
            let url = try #require(daemon.ready["url"]?.stringValue) + "/acp?agent=sdk"
            let talk = try sdk.client(takes: steps, over: url, token: token.filter { !$0.isWhitespace })
            #expect(talk.status == .exited(code: 0), "\(talk.errorText)")
            #expect(talk.outputText == direct.outcome.outputText)
        }
    }

    @Test func aLoadThatTheAgentRefusesLeavesTheSessionOpen() throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let agent = [PythonSDK.python, PythonSDK.script("agent.py")]
            let talk = try sdk.client(
                takes: ["prompt:before", "load", "prompt:after"], with: BridgeHome.bridged(agent))
            #expect(talk.outcome.outputText.contains("refused -32002\n"))
            #expect(talk.updates.count == 3)
            #expect(try sdk.attached("session-1") == talk.updates)
        }
    }

    @Test(arguments: [false, true]) func theDemoAgentSendsOnlyMessagesThatTheSDKKnows(isBridged: Bool) throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let steps = [
                "prompt:tell me about bridges pace=0", "prompt:/echo x", "mode:code", "option:pace=10",
                "cancel:1000 chunks", "list",
            ]
            let agent = isBridged ? BridgeHome.bridged([Binary.demoAgent]) : [Binary.demoAgent]
            let talk = try sdk.client(takes: steps, with: agent)
            #expect(talk.outcome.status == .exited(code: 0), "\(talk.outcome.errorText)")
            let said = talk.outcome.outputText
            for line in [
                #"permission ["allow", "allow-always", "reject", "reject-always"]"#, #"stopped "end_turn""#,
                #"mode ["current_mode_update", "config_option_update"]"#, #"stopped "cancelled""#, "listed true",
            ] {
                #expect(said.contains(line + "\n"))
            }
            #expect(!said.contains("refused"))
            if isBridged { #expect(try sdk.attached("latest") == talk.updates) }
        }
    }

    @Test func theHistoryThatALoadOfAnOpenSessionRepeatsIsNotStoredAgain() throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let steps = ["prompt:12 chunks quiet pace=0", "load", "prompt:3 chunks quiet pace=0"]
            let talk = try sdk.client(takes: steps, with: BridgeHome.bridged([Binary.demoAgent]))
            let afterLoad = talk.lines.drop { !$0.contains(#""id":3,"result""#) }.filter(Conversation.isUpdate)
            let beforeLoad = talk.lines.prefix { !$0.contains(#""id":2,"result""#) }.filter(Conversation.isUpdate)
            #expect(talk.updates.count > beforeLoad.count + afterLoad.count, "nothing was repeated")
            #expect(try sdk.attached("latest") == beforeLoad + afterLoad)
        }
    }
}
