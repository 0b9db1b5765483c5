import AgentProcess
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

    /// What Claude's adapter reports in a turn: the limit comes before the cost, and stays.
    private static let limitedAgent = #"""
        C initialize
        A {"jsonrpc":"2.0","id":@ID@,"result":{"protocolVersion":1}}
        C session/new
        A {"jsonrpc":"2.0","id":@ID@,"result":{"sessionId":"limited"}}
        C session/prompt
        A {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"limited","update":{"sessionUpdate":"usage_update","used":5,"size":9,"_meta":{"_claude/rateLimit":{"status":"allowed_warning","rateLimitType":"five_hour","utilization":0.84,"resetsAt":32503680000}}}}}
        A {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"limited","update":{"sessionUpdate":"usage_update","used":6,"size":9,"cost":{"amount":0.5,"currency":"USD"}}}}
        A {"jsonrpc":"2.0","id":@ID@,"result":{"stopReason":"end_turn"}}
        """#

    @Test func theRateLimitOfAnAccountIsShownAlsoAfterTheSession() throws {
        try BridgeHome.with { home in
            let script = "\(home.path)/script"
            try FileBytes.write((Self.limitedAgent + "\n").utf8, to: script)
            let files = [Fixture.path("scripted-agent.sh"), script, "\(home.path)/received"]
            let editor = try EditorSession(["/bin/sh"] + files.map { SystemString($0) }, in: home)
            try editor.prompt("hello")
            try eventually("the cost is shown") { try home.run("usage").outputText.contains("0.5000 USD") }
            #expect(try home.run("usage").outputText.contains("five_hour near, 84 % used, resets in"))
            try editor.end()
            let limit = #""rateLimit":{"state":"near","window":"five_hour","used":0.84,"resetsTs":32503680000000}"#
            try eventually("the ended session is listed with its usage") {
                let row = try home.run("sessions", "--all", "--json").outputText
                return row.contains(#""state":"ended""#) && row.contains(limit)
                    && row.contains(#""usage":{"used":6,"size":9,"cost":{"amount":0.5,"currency":"USD"}}"#)
            }
        }
    }

    private static func run(opening: String, costing amount: Double) -> String {
        #"""
        C initialize
        A {"jsonrpc":"2.0","id":@ID@,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}
        C \#(opening)
        A {"jsonrpc":"2.0","id":@ID@,"result":{"sessionId":"resumed"}}
        C session/prompt
        A {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"resumed","update":{"sessionUpdate":"usage_update","used":6,"size":9,"cost":{"amount":\#(amount),"currency":"USD"}}}}
        A {"jsonrpc":"2.0","id":@ID@,"result":{"stopReason":"end_turn"}}

        """#
    }

    /// An earlier fault: the cost of the run before was forgotten, because each run of an agent counts from zero.
    @Test func theCostsOfARunAndOfItsResumptionAreAdded() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let script = "\(home.path)/script"
            let files = [Fixture.path("scripted-agent.sh"), script, "\(home.path)/received"]
            let agent = ["/bin/sh"] + files.map { SystemString($0) }
            try FileBytes.write(Self.run(opening: "session/new", costing: 0.5).utf8, to: script)
            let first = try EditorSession(agent, in: home)
            try first.prompt("hello")
            try first.end()
            try eventually("the session has ended") {
                try home.run("sessions", "--all", "--json").outputText.contains(#""state":"ended""#)
            }
            try FileBytes.write(Self.run(opening: "session/load", costing: 0.25).utf8, to: script)
            let second = try EditorSession(agent, in: home, loading: "resumed")
            #expect(try home.run("usage").outputText.contains("0.5000 USD"))
            try second.prompt("hello again")
            let total = #""cost":{"amount":0.75,"currency":"USD"}"#
            func everywhere(_ time: String) throws {
                try eventually("the sum is in the list \(time)") {
                    try home.run("sessions", "--all", "--json").outputText.contains(total)
                }
                #expect(try home.run("usage", "--json").outputText.contains(total))
                let value = try HTTPClient(.unix(path: home.socket)).post(
                    "/api/query", #"{"path":"sessions:get","args":{"sessionId":"resumed"}}"#)
                #expect(String(decoding: value.body, as: UTF8.self).contains(total), "\(time)")
            }
            try everywhere("while the agent runs")
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            try everywhere("after an upgrade")
            try second.end()
            try everywhere("after the session")
            for grouping in ["agent", "day", "folder"] {
                let sums = wholeLines(of: try home.run("usage", "--by", SystemString(grouping), "--json").output)
                #expect(sums.count == 1 && String(decoding: sums[0], as: UTF8.self).hasPrefix(#"{"\#(grouping)":""#))
                #expect(try home.run("usage", "--by", SystemString(grouping)).outputText.contains("0.7500 USD"))
            }
            #expect(try home.run("usage", "--by", "week").status == .exited(code: 64))
        }
    }
}
