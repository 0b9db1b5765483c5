import AgentProcess
import JSONScan
import Testing

@Suite(.blocking) struct HistoryTests {
    private func page(_ client: TinyvexTestClient, _ params: String) throws -> (seqs: [Int64], next: Int64?) {
        let params = #"{"sessionId":"rude-1"\#(params)}"#
        let result = try client.call("tinyvex/history.sessionUpdates", params)["result"]
        let seqs = result?["updates"]?.elements.compactMap { $0["seq"]?.int64Value } ?? []
        return (seqs, result?["nextSeq"]?.int64Value)
    }

    @Test func updatesAreReadInPagesForwardAndBackward() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent: [SystemString] = [Binary.rudeAgent, "flood", "--lines", "250", "--on", "prompt"]
            let editor = try EditorSession(agent + ["--updates", "0", "--late", "0"], in: home)
            try editor.prompt("go")
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe("rude-1", after: 0)
            expectSame(try client.updates(251), editor.updates)

            #expect(try page(client, "") == (Array(1...100), 100))
            #expect(try page(client, #","sinceSeq":200"#) == (Array(201...251), nil))
            #expect(try page(client, #","sinceSeq":251"#) == ([], nil))
            #expect(try page(client, #","sinceSeq":9000"#) == ([], nil))
            #expect(try page(client, #","sinceSeq":10,"limit":3"#) == ([11, 12, 13], 13))
            #expect(try page(client, #","direction":"backward","limit":2"#) == ([251, 250], 250))
            #expect(try page(client, #","direction":"backward","sinceSeq":3"#) == ([2, 1], nil))
            #expect(try page(client, #","sinceTs":1,"limit":2"#) == ([1, 2], 2))
            #expect(try page(client, #","sinceTs":9999999999999"#) == ([], nil))
            #expect(try page(client, #","sinceTs":9999999999999,"direction":"backward","limit":1"#).seqs == [251])

            let history = try client.history(of: "rude-1")
            #expect(history.map(\.seq) == Array(1...251))
            expectSame(history.map(\.line), editor.updates)
        }
    }

    @Test func sessionsAreListedWithTheirStateAndEnd() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let ended = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try ended.prompt("write a\\npoem")
            try ended.end()
            try home.waitUntilEnded()
            let crashed = try EditorSession([Binary.rudeAgent, "crash", "--on", "prompt", "--code", "7"], in: home)
            try crashed.send(prompt: "go")
            _ = try crashed.process.outcome()
            try home.waitUntilEnded()
            let live = try EditorSession([Binary.rudeAgent, "stall"], in: home)
            try live.send(prompt: "wait")
            try live.process.wait(until: "the prompt's updates have arrived") { live.updates.count == 4 }

            let client = try TinyvexTestClient(home)
            let rows = try client.call("tinyvex/history.recentSessions")["result"]?.elements ?? []
            #expect(rows.map { $0["state"]?.stringValue } == ["running", "ended", "ended"])
            #expect(rows.map { $0["live"]?.boolValue } == [true, false, false])
            #expect(
                rows.map { $0["end"]?.rawString } == [
                    nil, #"{"reason":"exited","exitCode":7}"#, #"{"reason":"exited","exitCode":0}"#,
                ])
            #expect(rows.last?["title"]?.stringValue == "write a poem")
            #expect(rows.allSatisfy { $0["cwd"]?.stringValue == home.path })
            #expect(rows.allSatisfy { $0["agent"]?.stringValue == "rude-agent" })
            #expect(rows.last?["updateCount"]?.int64Value == Int64(ended.updates.count))
            let times = rows.compactMap { $0["lastTs"]?.int64Value }
            #expect(times == times.sorted(by: >))
            let two = try client.call("tinyvex/history.recentSessions", #"{"limit":2}"#)["result"]?.elements
            #expect(two?.count == 2)
        }
    }
}
