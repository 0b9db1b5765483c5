import AgentProcess
import Glibc
import JSONScan
import Testing

/// Runs an agent and a client of ACP version 2 that are not ours: the Python SDK's, which check each message by the
/// models of the draft alpha.5.
@Suite(.blocking, .enabled(if: PythonSDK.isInstalled, "Tests/run.sh installs the Python SDK into .venv"))
struct PythonSDKVersion2Tests {
    private static let agent = [PythonSDK.python, PythonSDK.script("agent_v2.py")]

    @Test func aConversationOfVersion2PassesAsItDoesDirectly() throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let steps = ["prompt:hello", "prompt:work", "prompt:ask", "cancel:wait", "prompt:Größe 🌉"]
            let direct = try sdk.version2Client(takes: steps, with: Self.agent)
            let bridged = try sdk.version2Client(takes: steps, with: BridgeHome.bridged(Self.agent))

            expectSame(bridged.outcome, direct.outcome)
            expectSame(bridged.wire, direct.wire, "what the agent wrote")
            #expect(bridged.outcome.status == .exited(code: 0), "\(bridged.outcome.errorText)")
            let said = bridged.outcome.outputText
            for line in [#"permission ["Run make test?", ["yes", "no"]]"#, #"asked ["What is your name?", "form"]"#] {
                #expect(said.contains(line + "\n"))
            }
            #expect(said.contains(#"idle ["cancelled", "#))
            #expect(try sdk.attached("session-1") == bridged.updates)
        }
    }

    /// The viewers see the bytes that the agent wrote, and the client does not notice them.
    @Test func viewersSeeTheWholeConversationWhileItRuns() throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let gate = home.path + "/gate"
            let steps = ["prompt:hello", "await:\(gate)", "prompt:work", "cancel:wait"]
            let client = try sdk.startVersion2Client(taking: steps, with: BridgeHome.bridged(Self.agent))
            let lines = try client.readLines(until: #"idle ["end_turn""#)
            #expect(lines.contains("inserted true"))
            let viewers = try ["--pretty", "--no-follow", "--envelope"].map { option in
                try EditorProcess([Binary.acpbridge, "attach", "session-1", SystemString(option)], in: home)
            }
            let raw = try EditorProcess([Binary.acpbridge, "attach", "session-1"], in: home)
            _ = try raw.readLine()
            try FileBytes.write("".utf8, to: gate)
            #expect(try client.outcome().status == .exited(code: 0), "\(client.errorText)")

            let seen = try wholeLines(of: raw.outcome().output).map { String(decoding: $0, as: UTF8.self) }
            let wire = String(decoding: FileBytes.read(home.path + "/wire") ?? [], as: UTF8.self)
            #expect(seen == wire.split(separator: "\n").map(String.init).filter(Conversation.isUpdate))
            let pretty = try viewers[0].outcome().outputText
            for words in ["$ make test\n", "Größe: 3 €", "exit status 0", "? permission: Run make test?", "cancelled"] {
                #expect(pretty.contains(words), "\(words)")
            }
            #expect(try viewers[1].outcome().status == .exited(code: 0))
            #expect(try viewers[2].outcome().status == .exited(code: 0))
        }
    }

    @Test(arguments: [false, true]) func theDemoAgentSendsNothingThatTheSDKRefuses(isBridged: Bool) throws {
        try BridgeHome.with { home in
            let sdk = PythonSDK(home)
            let steps = [
                "prompt:hello 5 chunks pace=0", "prompt:ask form quiet pace=0", "prompt:2 subagents quiet pace=0",
                "cancel:1000 chunks quiet",
            ]
            let demo = [Binary.demoAgent, "--v2"]
            let talk = try sdk.version2Client(takes: steps, with: isBridged ? BridgeHome.bridged(demo) : demo)
            #expect(talk.outcome.status == .exited(code: 0), "\(talk.outcome.errorText)")
            let said = talk.outcome.outputText
            #expect(said.contains(#"asked ["How should the demo continue?", "form"]"#))
            #expect(said.contains(#"["allow", "allow-always", "reject", "reject-always"]"#))
            #expect(said.ranges(of: #"idle ["end_turn", "#).count == 3)
            #expect(said.contains(#"idle ["cancelled", "#))
        }
    }
}
