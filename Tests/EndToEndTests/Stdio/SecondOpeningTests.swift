import AgentProcess
import Glibc
import JSONScan
import Testing

/// Two agents of one name that are asked for the same session. Only one of them gets it.
@Suite(.blocking) struct SecondOpeningTests {
    private static let hello = #"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":1}}"#
    private static let proceed = #"{"jsonrpc":"2.0","method":"_proceed"}"#
    private static let params = #"{"sessionId":"s","cwd":"/","mcpServers":[]}"#

    private static func load(_ method: String = "session/load") -> String {
        #"{"jsonrpc":"2.0","id":"l","method":"\#(method)","params":\#(params)}"#
    }

    /// An agent that answers a load after the line that follows it.
    ///
    /// - Parameter answer: The member `result` or `error`.
    private func addAgent(answering answer: String, to home: BridgeHome) throws {
        let script = """
            C initialize
            A {"jsonrpc":"2.0","id":@ID@,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}
            C session/load
            C _proceed
            A {"jsonrpc":"2.0","id":"l",\(answer)}

            """
        try FileBytes.write(script.utf8, to: "\(home.path)/script")
        let files = [Fixture.path("scripted-agent.sh"), "\(home.path)/script", "\(home.path)/received"]
        try home.addAgent("slow", ["/bin/sh"] + files.map { SystemString($0) })
    }

    private func editor(in home: BridgeHome) throws -> EditorProcess {
        let editor = try EditorProcess([Binary.acpbridge, "--agent", "slow"], in: home)
        try editor.exchange(Self.hello, until: #""id":"i""#)
        return editor
    }

    /// Returns an editor whose agent is opening the session.
    private func openingEditor(in home: BridgeHome) throws -> EditorProcess {
        let first = try editor(in: home)
        unlink("\(home.path)/received")
        try first.sendLine(Self.load())
        try eventually("the agent has the request") {
            FileBytes.read("\(home.path)/received").map { String(decoding: $0, as: UTF8.self).contains("session/load") }
                == true
        }
        return first
    }

    private func answer(_ editor: EditorProcess, to line: String) throws -> String {
        try #require(try editor.exchange(line, until: #""id":"l""#).last)
    }

    /// An earlier fault: both agents had the session, and its id could no longer be used.
    @Test func aSessionThatAnAgentIsOpeningIsRefusedToAnother() throws {
        try BridgeHome.with { home in
            try addAgent(answering: #""result":{}"#, to: home)
            let first = try openingEditor(in: home)
            let second = try editor(in: home)
            for method in ["session/load", "session/resume"] {
                let refusal = try answer(second, to: Self.load(method))
                #expect(refusal.contains("another agent is opening this session; `acpbridge attach s --take`"))
            }
            let remote = try RemoteTestClient(home, path: "/acp?agent=slow")
            try remote.initialize()
            let refusal = try remote.wire.call("session/load", Self.params)["error"]
            #expect(refusal?["message"]?.stringValue?.contains("another agent is opening this session") == true)

            #expect(try answer(first, to: Self.proceed).contains(#""result""#))
            #expect(try home.run("sessions", "--json").outputText.split(separator: "\n").count == 1)
            // As without the bridge.
            try second.sendLine(Self.load())
            #expect(try answer(second, to: Self.proceed).contains(#""result""#))
        }
    }

    @Test func anAgentThatCannotOpenASessionLeavesItToAnother() throws {
        try BridgeHome.with { home in
            try addAgent(answering: #""error":{"code":-32603,"message":"it is broken"}"#, to: home)
            let first = try openingEditor(in: home)
            let second = try editor(in: home)
            #expect(try answer(second, to: Self.load()).contains("another agent is opening this session"))
            #expect(try answer(first, to: Self.proceed).contains("it is broken"))
            try second.sendLine(Self.load())
            #expect(try answer(second, to: Self.proceed).contains("it is broken"))

            // An agent that ends during its load leaves the session, too.
            let third = try openingEditor(in: home)
            third.kill(SIGINT)
            #expect(try third.exitStatus() == .signaled(signal: SIGINT))
            let fourth = try editor(in: home)
            try fourth.sendLine(Self.load())
            #expect(try answer(fourth, to: Self.proceed).contains("it is broken"))
        }
    }
}
