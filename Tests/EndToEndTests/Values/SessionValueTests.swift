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
