import AgentProcess
import EventLoop
import JSONScan
import Posix
import Testing

/// The audit log's records of the clients that connect.
@Suite(.blocking) struct AuditTests {
    @Test func recordsNameTheClientAndOmitTokensAndPrompts() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let id = String(token.prefix(11))
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let client = try TinyvexTestClient(address, token: token)
            #expect(try client.subscribe(editor.sessionId)["result"] != nil)
            try editor.prompt("the secret of the prompt")
            _ = try home.run("token", "revoke", SystemString(id))

            let bytes = try #require(FileBytes.read(home.path + "/state/audit.log"))
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(token.dropFirst(12)) && !text.contains("the secret of the prompt"))
            let rows = try wholeLines(of: bytes).map(JSONValue.init(validating:))
            func row(_ event: String, by who: String) -> JSONValue? {
                rows.first { $0["event"]?.stringValue == event && $0["who"]?.stringValue?.hasPrefix(who) == true }
            }
            #expect(row("token_issued", by: "uid ")?["tokenId"]?.stringValue == id)
            #expect(row("token_revoked", by: "uid ")?["tokenId"]?.stringValue == id)
            let attached = try #require(row("attached", by: "token \(id)"))
            #expect(attached["sessionId"]?.stringValue == editor.sessionId)
            #expect(attached["agent"]?.stringValue == "rude-agent")
            let prompted = try #require(row("prompted", by: "editor"))
            #expect(prompted["sessionId"]?.stringValue == editor.sessionId)
            #expect(row("agent_started", by: "uid ")?["agent"]?.stringValue == "rude-agent")
            let connected = try #require(row("connected", by: "token \(id)"))
            #expect(connected["connection"]?.rawString == attached["connection"]?.rawString)
            try editor.end()
        }
    }

    /// The log names who answered each permission request and the chosen option, for each way to answer.
    @Test func permissionAnswersAreRecordedWithTheirClient() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "control")
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try TinyvexTestClient(address, token: token)
            #expect(try client.watch("permissions:pending")["result"] != nil)

            try editor.send(prompt: "hello 3 chunks")
            let pending = try #require(try client.value { !$0.elements.isEmpty }.elements.first)
            let id = try #require(pending["requestId"]?.rawString)
            let outcome = #"{"outcome":"selected","optionId":"allow"}"#
            let args = #"{"sessionId":"\#(editor.sessionId)","requestId":\#(id),"outcome":\#(outcome)}"#
            #expect(try client.mutate("permissions:answer", args)["result"] != nil)
            try editor.waitForAnswer()

            try editor.send(prompt: "hello 3 chunks")
            let asked = try editor.process.readLines(until: "session/request_permission").last ?? ""
            let second = try #require(try JSONValue(validating: Array(asked.utf8))["id"]?.rawString)
            try editor.process.sendLine(
                #"{"jsonrpc":"2.0","id":\#(second),"result":{"outcome":{"outcome":"selected","optionId":"reject"}}}"#)
            try editor.waitForAnswer()

            let bytes = try #require(FileBytes.read(home.path + "/state/audit.log"))
            let rows = try wholeLines(of: bytes).map(JSONValue.init(validating:))
                .filter { $0["event"]?.stringValue == "answered" }
            #expect(rows.map { $0["who"]?.stringValue } == ["token \(token.prefix(11))", "editor"])
            #expect(rows.map { $0["choice"]?.stringValue } == ["allow", "reject"])
            #expect(rows.map { $0["requestId"]?.stringValue } == [id, second])
            #expect(rows.allSatisfy { $0["sessionId"]?.stringValue == editor.sessionId })
            try editor.end()
        }
    }
}
