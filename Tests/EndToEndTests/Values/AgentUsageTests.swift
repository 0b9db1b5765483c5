import JSONScan
import Testing

/// `acpbridge usage`, from an agent's reports to the sums.
@Suite(.blocking) struct AgentUsageTests {
    @Test func theUsageOfASessionAndOfItsAgentIsShown() throws {
        try BridgeHome.with { home in
            #expect(try home.run("usage").outputText.isEmpty)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.prompt("hello 3 chunks pace=0 no permission")
            try eventually("the usage is shown") { try !home.run("usage", "--json").outputText.isEmpty }
            let lines = try wholeLines(of: try home.run("usage", "--json").output).map(JSONValue.init(validating:))
            let session = try #require(lines.first)
            #expect(session["sessionId"]?.stringValue == editor.sessionId)
            let used = try #require(session["used"]?.int64Value)
            #expect(used > 0)
            let sum = try #require(lines.last)
            #expect(sum["sessionId"] == nil && sum["sessions"]?.int64Value == 1)
            #expect(sum["used"]?.int64Value == used)
            #expect(try home.run("usage", "--since", "1h").outputText.contains(editor.sessionId))
            let rows = try wholeLines(of: try home.run("sessions", "--json").output).map(JSONValue.init(validating:))
            #expect(rows.first?["usage"]?["used"]?.int64Value == used)
        }
    }
}
