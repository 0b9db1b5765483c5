import JSONScan
import Testing

/// Users' changes to the bridge's own record of a session.
@Suite(.blocking) struct MutationTests {
    /// A bridge with one ended session, `rude-1`.
    private func withEndedSession(_ body: (BridgeHome, TinyvexTestClient) throws -> Void) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try editor.prompt("go")
            try editor.end()
            let client = try TinyvexTestClient(home)
            #expect(try client.watch("sessions:list")["result"] != nil)
            _ = try client.value { row($0)?["state"]?.stringValue == "ended" }
            try body(home, client)
        }
    }

    private func row(_ list: JSONValue) -> JSONValue? { list["data"]?.elements.first }

    @Test func aMutationIsPushedToWatchers() throws {
        try withEndedSession { home, client in
            let title = try client.mutate("sessions:setTitle", #"{"sessionId":"rude-1","title":"Mine"}"#)
            #expect(title["result"]?["value"]?.rawString == #"{"title":"Mine"}"#)
            _ = try client.value { row($0)?["title"]?.stringValue == "Mine" }
            _ = try client.mutate("sessions:setTags", #"{"sessionId":"rude-1","tags":["b","a"]}"#)
            _ = try client.value { row($0)?["tags"]?.rawString == #"["b","a"]"# }
            _ = try client.mutate("sessions:setTitle", #"{"sessionId":"rude-1","title":null}"#)
            _ = try client.value { row($0)?["title"]?.stringValue == "go" }
            _ = try client.mutate("sessions:archive", #"{"sessionId":"rude-1"}"#)
            _ = try client.value { $0["total"]?.int64Value == 0 }
            #expect(try client.watch("sessions:list", #"{"archived":true}"#, subId: "w")["result"] != nil)
            #expect(row(try client.nextValue(of: "w").value)?["archived"]?.boolValue == true)
        }
    }

    @Test func deletingASessionNotifiesItsSubscribers() throws {
        try withEndedSession { home, client in
            _ = try client.subscribe("rude-1", after: 0)
            _ = try client.next("tinyvex/ended")
            let answer = try client.mutate("sessions:delete", #"{"sessionId":"rude-1"}"#)
            #expect(answer["result"]?["value"]?["deleted"]?.boolValue == true)
            let error = try #require(try client.next("tinyvex/error")["params"])
            #expect(error["subId"]?.stringValue == "s" && error["code"]?.stringValue == "TVX008")
            #expect(
                try client.call("tinyvex/unsubscribe", #"{"subId":"s"}"#)["error"] != nil, "the subscription has ended")
            #expect(try client.subscribe("rude-1")["error"]?["data"]?["code"]?.stringValue == "TVX008")
            #expect(try client.call("tinyvex/history.recentSessions")["result"]?.rawString == "[]")
        }
    }

    @Test func deletingALiveSessionIsRefused() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let client = try TinyvexTestClient(home)
            let answer = try client.mutate("sessions:delete", #"{"sessionId":"rude-1"}"#)
            #expect(answer["error"]?["data"]?["code"]?.stringValue == "TVX003")
            #expect(answer["error"]?["data"]?["requestId"]?.stringValue == "1")
            try editor.end()
        }
    }

    @Test func aRepeatedRequestRunsOnceOverAllConnections() throws {
        try withEndedSession { home, client in
            let first = #"{"sessionId":"rude-1","title":"first"}"#
            _ = try client.mutate("sessions:setTitle", first, requestId: "r1")
            _ = try client.mutate("sessions:setTitle", #"{"sessionId":"rude-1","title":"second"}"#, requestId: "r2")
            let other = try TinyvexTestClient(home)
            let spelled = #"{ "title" : "fi\u0072st", "sessionId":"rude-1"}"#
            let again = try other.mutate("sessions:setTitle", spelled, requestId: "r1")
            #expect(again["result"]?["value"]?.rawString == #"{"title":"first"}"#)
            let listed = try other.call("tinyvex/history.recentSessions")["result"]?.elements.first
            #expect(listed?["title"]?.stringValue == "second", "the repeated request did not run again")
            let misused = try other.mutate("sessions:setTitle", #"{"sessionId":"rude-1"}"#, requestId: "r1")
            #expect(misused["error"]?["code"]?.int64Value == -32602)
            #expect(misused["error"]?["data"]?["requestId"]?.stringValue == "r1")
        }
    }

    @Test func simultaneousMutationsAreAllApplied() throws {
        try withEndedSession { home, client in
            let clients = try (0..<10).map { _ in try TinyvexTestClient(home) }
            for round in 0..<10 {
                for (index, client) in clients.enumerated() {
                    let params =
                        #"{"requestId":"\#(round)-\#(index)","name":"sessions:setTags","args":{"sessionId":"rude-1","tags":["\#(index)"]}}"#
                    try client.send(
                        #"{"jsonrpc":"2.0","id":\#(round),"method":"tinyvex/mutation","params":\#(params)}"#)
                }
            }
            for (index, client) in clients.enumerated() {
                for _ in 0..<10 {
                    let answer = try JSONValue(validating: client.nextMessage())
                    #expect(answer["result"]?["value"]?.rawString == #"{"tags":["\#(index)"]}"#)
                }
            }
        }
    }
}
