import AgentProcess
import HTTP1
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

    /// The reports of Claude's adapter in a turn: the limit comes before the cost, and stays.
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
            let editor = try Self.editor(ofAgent: Self.limitedAgent, in: home)
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

    /// A turn that costs 0.25 and then 0.5 more.
    private static let costlyAgent = #"""
        C initialize
        A {"jsonrpc":"2.0","id":@ID@,"result":{"protocolVersion":1}}
        C session/new
        A {"jsonrpc":"2.0","id":@ID@,"result":{"sessionId":"costly"}}
        C session/prompt
        A {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"costly","update":{"sessionUpdate":"usage_update","used":5,"size":9,"cost":{"amount":0.25,"currency":"USD"}}}}
        A {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"costly","update":{"sessionUpdate":"usage_update","used":6,"size":9,"cost":{"amount":0.75,"currency":"USD"}}}}
        A {"jsonrpc":"2.0","id":@ID@,"result":{"stopReason":"end_turn"}}
        """#

    private static func editor(ofAgent script: String, in home: BridgeHome) throws -> EditorSession {
        let path = "\(home.path)/script"
        try FileBytes.write((script + "\n").utf8, to: path)
        let files = [Fixture.path("scripted-agent.sh"), path, "\(home.path)/received"]
        return try EditorSession(["/bin/sh"] + files.map { SystemString($0) }, in: home)
    }

    /// Returns when the session is listed as ended.
    private static func runCostlySession(_ home: BridgeHome) throws {
        let editor = try editor(ofAgent: costlyAgent, in: home)
        try editor.prompt("hello")
        try editor.end()
        try eventually("the session has ended") {
            try home.run("sessions", "--all", "--json").outputText.contains(#""state":"ended""#)
        }
    }

    /// An earlier fault: each label that a person gave an ended session added its cost again.
    @Test func theCostOfASessionIsCountedOnce() throws {
        try BridgeHome.with { home in
            try Self.runCostlySession(home)
            let client = try TinyvexTestClient(home)
            for title in ["one", "two"] {
                _ = try client.mutate("sessions:setTitle", #"{"sessionId":"costly","title":"\#(title)"}"#)
            }
            let text = String(decoding: try HTTPClient(.unix(path: home.socket)).get("/metrics").body, as: UTF8.self)
            let costs = text.split(separator: "\n").filter { $0.hasPrefix("acpbridge_agent_cost_total{") }
            #expect(costs == [#"acpbridge_agent_cost_total{agent="scripted-agent.sh",currency="USD"} 0.75"#])
        }
    }

    @Test func theUsageOfDaysIsOneQuery() throws {
        try BridgeHome.with { home in
            try Self.runCostlySession(home)
            try home.waitUntilEnded()
            let client = HTTPClient(.unix(path: home.socket))
            func query(_ args: String) throws -> JSONValue {
                try client.post("/api/query", #"{"path":"usage:byDay","args":\#(args)}"#).json()
            }
            let days = try query(#"{"starts":[0,86400000]}"#)["value"]?["days"]?.elements ?? []
            #expect(days.count == 1 && days.first?["startTs"]?.int64Value == 86_400_000)
            let sum = try #require(days.first?["sums"]?.elements.first)
            #expect(sum["sessions"]?.int64Value == 1 && sum["bridge"] == nil)
            #expect(sum["costs"]?.rawString == #"[{"amount":0.75,"currency":"USD"}]"#)
            for starts in ["{}", #"{"starts":[]}"#, #"{"starts":[2,1]}"#, #"{"starts":[-1]}"#, #"{"starts":["1"]}"#] {
                #expect(try query(starts)["value"] == nil, "\(starts)")
            }
            let rows = try home.run("usage", "--by", "day", "--since", "1d", "--json").outputText
            #expect(rows.contains(#""sessions":1,"costs":[{"amount":0.75,"currency":"USD"}]"#), "\(rows)")
            #expect(try home.run("usage", "--by", "day").outputText.contains("0.7500 USD"))
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
                #expect(!String(decoding: value.body, as: UTF8.self).contains(#""costs""#))
                let costs = try HTTPClient(.unix(path: home.socket)).post(
                    "/api/query", #"{"path":"sessions:get","args":{"sessionId":"resumed","costs":true}}"#)
                #expect(String(decoding: costs.body, as: UTF8.self).contains(#""costs":[{"ts":"#))
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
