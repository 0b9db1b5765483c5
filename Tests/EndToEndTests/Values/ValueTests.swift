import AgentProcess
import JSONScan
import Testing

/// Values of named queries, pushed when they change.
@Suite(.blocking) struct ValueTests {
    private func states(_ value: JSONValue) -> [String] {
        value["data"]?.elements.compactMap { $0["state"]?.stringValue } ?? []
    }

    @Test func aListIsPushedWhenASessionStartsRunsAndEnds() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let answer = try client.watch("sessions:list")
            #expect(answer["result"]?["startSeq"]?.int64Value == 1)
            #expect(answer["result"]?["journal"]?.stringValue == "")
            let first = try client.nextValue()
            #expect(first.seq == 1)
            #expect(first.value.rawString == #"{"data":[],"total":0,"page":1,"limit":50}"#)

            let editor = try EditorSession([Binary.demoAgent], in: home)
            _ = try client.value { states($0) == ["idle"] }
            try editor.send(prompt: "hello 40 chunks pace=20 quiet")
            _ = try client.value { states($0) == ["running"] }
            try editor.waitForAnswer()
            let titled = try client.value { states($0) == ["idle"] }
            #expect(titled["data"]?.elements.first?["title"]?.stringValue == "hello 40 chunks pace=20 quiet")
            try editor.end()
            let last = try client.value { states($0) == ["ended"] }
            #expect(last["total"]?.int64Value == 1)
        }
    }

    @Test func sequenceNumbersContinueFromTheClientsLast() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            #expect(try client.watch("sessions:list", after: 41)["result"]?["startSeq"]?.int64Value == 42)
            #expect(try client.nextValue().seq == 42)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            #expect(try client.nextValue().seq == 43)
            try editor.end()
            let beyond = try client.watch("sessions:list", subId: "w", after: .max)
            #expect(beyond["result"]?["startSeq"]?.int64Value == 1)
        }
    }

    @Test func equalQueriesShareOneValueRegardlessOfSpelling() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let spellings = [#"{"limit":5,"live":true}"#, #"{ "live" : true, "\u006cimit":5 }"#]
            let clients = try spellings.map { params in
                let client = try TinyvexTestClient(home)
                #expect(try client.watch("sessions:list", params)["result"] != nil)
                return client
            }
            // The two clients share one value; the second value is that of `status` itself.
            #expect(try home.status()["watchedValues"]?.int64Value == 2)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let values = try clients.map { client in
                try client.value { $0["total"]?.int64Value == 1 }.rawString
            }
            #expect(values[0] == values[1])
            for client in clients { _ = try client.call("tinyvex/unsubscribe", #"{"subId":"v"}"#) }
            #expect(try home.status()["watchedValues"]?.int64Value == 1)
            try editor.end()
        }
    }

    @Test func aStoppedReaderGetsTheNewestValueAndSkipsOthers() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try TourEditor([Binary.rudeAgent, "echo"], in: home)
            // A value has 70 kB; a socket holds only a few of them.
            let folder = "/" + String(repeating: "long/", count: 700)
            for _ in 0..<20 { try editor.request("session/new", #"{"cwd":"\#(folder)","mcpServers":[]}"#) }
            let slow = try TinyvexTestClient(home)
            let quick = try TinyvexTestClient(home)
            for client in [slow, quick] { #expect(try client.watch("sessions:list")["result"] != nil) }
            for total in Int64(22)...37 {
                try editor.request("session/new", #"{"cwd":"\#(folder)","mcpServers":[]}"#)
                _ = try quick.value { $0["total"]?.int64Value == total }
            }
            var received = 0
            _ = try slow.value { value in
                received += 1
                return value["total"]?.int64Value == 37
            }
            #expect(received < 16, "the quick reader got all sixteen changes")
            try editor.leave()
        }
    }

    @Test(arguments: [
        ("sessions:list", #"{"limit":0}"#, nil, "limit must be an integer from 1 to 200"),
        ("sessions:lost", "{}", "TVX002", #"unknown subscription "sessions:lost""#),
    ])
    func anInvalidQueryIsRefusedWithItsSubId(name: String, params: String, code: String?, message: String) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            let error = try #require(try client.watch(name, params)["error"])
            #expect(error["data"]?["code"]?.stringValue == code)
            #expect(error["data"]?["subId"]?.stringValue == "v")
            #expect(error["message"]?.stringValue?.hasPrefix(message) == true)
            #expect(try client.watch("sessions:list")["result"] != nil, "the subId is still unused")
        }
    }

    @Test func aPermissionIsPendingUntilItIsAnswered() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            #expect(try client.watch("permissions:pending")["result"] != nil)
            #expect(try client.nextValue().value.rawString == "[]")
            let editor = try TourEditor([Binary.rudeAgent, "echo", "--id-style", "string"], in: home)
            let id = try editor.prompt()
            let asked = try client.nextValue().value.elements
            #expect(asked.first?["requestId"]?.rawString == id)
            #expect(asked.first?["sessionId"]?.stringValue == "rude-1")
            #expect(asked.first?["params"]?["options"]?.elements.isEmpty == false)
            try editor.answerPermission(id, #""result":{"outcome":{"outcome":"cancelled"}}"#)
            #expect(try client.nextValue().value.rawString == "[]")
            try editor.leave()
        }
    }

    @Test func agentsAreListedWithTheirLastStderr() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let client = try TinyvexTestClient(home)
            #expect(try client.watch("agents:list")["result"] != nil)
            let profiles = try client.nextValue().value["profiles"]?.elements ?? []
            #expect(profiles.contains { $0["name"]?.stringValue == "demo" })
            let editor = try EditorSession(
                ["sh", "-c", SystemString("echo ready >&2; exec \(Binary.demoAgent)")], in: home)
            let running = try client.value { $0["running"]?.elements.first?["sessions"]?.elements.isEmpty == false }
            let agent = try #require(running["running"]?.elements.first)
            #expect(agent["stderrTail"]?.stringValue == "ready\n")
            #expect(agent["sessions"]?.rawString == "[\"\(editor.sessionId)\"]")
            #expect(agent["residentBytes"]?.int64Value ?? 0 > 1 << 20)
            try editor.end()
            _ = try client.value { $0["running"]?.elements.isEmpty == true }
        }
    }
}
