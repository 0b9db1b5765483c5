import JSONScan
import Testing

@Suite(.blocking) struct SessionValueTests {
    @Test func aSessionsValueFollowsItsTurnAndOutlastsItsEnd() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try TinyvexTestClient(home)
            #expect(try client.watch("sessions:get", #"{"sessionId":"\#(editor.sessionId)"}"#)["result"] != nil)
            let first = try client.nextValue().value
            #expect(first["modes"]?["currentModeId"]?.stringValue == "ask")
            #expect(first["configOptions"]?.elements.isEmpty == false)
            #expect(first["turn"]?["state"]?.stringValue == "idle")

            try editor.send(prompt: "hello 3 chunks pace=0 no permission")
            try editor.waitForAnswer()
            let last = try client.value { $0["turn"]?["stopReason"]?.stringValue == "end_turn" }
            #expect(last["lastSeq"]?.int64Value ?? 0 > 3)
            #expect(last["lastSeq"]?.rawString == last["updateCount"]?.rawString)
            #expect(last["plan"]?["entries"]?.elements.isEmpty == false)
            #expect(last["usage"]?["used"]?.int64Value != nil)
            let calls = last["toolCalls"]?.elements ?? []
            #expect(calls.count > 1)
            #expect(calls.allSatisfy { $0["status"]?.stringValue == "completed" && $0["title"] != nil })

            _ = try editor.ask("session/set_mode", #"{"sessionId":"\#(editor.sessionId)","modeId":"code"}"#)
            _ = try client.value { $0["currentModeId"]?.stringValue == "code" }
            try editor.end()
            let ended = try client.value { $0["state"]?.stringValue == "ended" }
            #expect(ended["toolCalls"]?.rawString == last["toolCalls"]?.rawString)
            #expect(ended["end"]?["exitCode"]?.int64Value == 0)

            let later = try TinyvexTestClient(home)
            _ = try later.watch("sessions:get", #"{"sessionId":"\#(editor.sessionId)"}"#)
            #expect(try later.nextValue().value["toolCalls"]?.rawString == last["toolCalls"]?.rawString)

            let small = try TinyvexTestClient(home)
            _ = try small.watch("sessions:get", #"{"sessionId":"\#(editor.sessionId)","toolCalls":false}"#)
            let without = try small.nextValue().value
            #expect(without["toolCalls"]?.elements.isEmpty == true)
            #expect(without["omitted"]?["toolCalls"]?.int64Value == Int64(calls.count))
        }
    }

    @Test func sessionsThatWaitForAPersonAreListedFirstTheLongestWaitingBeforeOthers() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editors = try (0..<4).map { _ in try EditorSession([Binary.demoAgent], in: home) }
            let client = try TinyvexTestClient(home)
            #expect(try client.watch("sessions:list", #"{"order":"waiting","limit":1}"#)["result"] != nil)
            func journals(_ value: JSONValue) -> [String?] {
                value["data"]?.elements.map { $0["journal"]?.stringValue } ?? []
            }
            // One after the other, so that their times differ.
            for (count, editor) in editors[1...2].enumerated() {
                try editor.send(prompt: "hello 3 chunks")
                _ = try client.value { value in
                    value["data"]?.elements.filter { $0["waitingTs"] != nil }.count == count + 1
                }
            }
            try editors[0].prompt("hello 3 chunks pace=0 no permission")
            let first = try client.value { $0["data"]?.elements.count == 3 }
            #expect(first["total"]?.int64Value == 4)
            let times = first["data"]?.elements.map { $0["waitingTs"]?.int64Value } ?? []
            #expect(times[0] ?? .max < times[1] ?? 0 && times[2] == nil)

            var all = journals(first)
            var cursor = first["nextCursor"]?.stringValue
            while let next = cursor {
                let page = try HTTPClient(.unix(path: home.socket))
                    .get("/v1/sessions?order=waiting&limit=1&cursor=\(next)").json()
                all += journals(page)
                cursor = page["nextCursor"]?.stringValue
            }
            #expect(Set(all).count == 4 && all.count == 4, "no page repeats a session that waits")
            try client.send(#"{"jsonrpc":"2.0","id":"x","method":"tinyvex/unsubscribe","params":{"subId":"v"}}"#)
        }
    }

    @Test func deletingASessionNotifiesItsWatchers() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let client = try TinyvexTestClient(home)
            let unknown = try client.watch("sessions:get", #"{"sessionId":"gone"}"#)
            #expect(unknown["error"]?["data"]?["code"]?.stringValue == "TVX008")
            _ = try client.watch("sessions:get", #"{"sessionId":"rude-1"}"#)
            try editor.end()
            _ = try client.value { $0["state"]?.stringValue == "ended" }
            _ = try client.mutate("sessions:delete", #"{"sessionId":"rude-1"}"#)
            let error = try #require(try client.next("tinyvex/error")["params"])
            #expect(error["subId"]?.stringValue == "v" && error["code"]?.stringValue == "TVX008")
        }
    }
}
