import AgentProcess
import EventLoop
import JSONScan
import Testing

/// What is written down of those who connect.
@Suite(.blocking) struct AuditTests {
    @Test func itNamesWhoConnectedAttachedAndMadeTokensAndNothingTheySaid() throws {
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
}
