import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// Clients that control a session without speaking ACP.
@Suite(.blocking) struct DrivingTests {
    private func action(_ name: String, _ args: String) -> String {
        #"{"requestId":"r","name":"\#(name)","args":\#(args)}"#
    }

    @Test func aPromptIsAnsweredAfterItsTurnEnds() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try TinyvexTestClient(home)
            let args = #"{"sessionId":"\#(editor.sessionId)","text":"hello 20 chunks no permission"}"#
            let answer = try client.call("tinyvex/action", action("sessions:prompt", args))
            #expect(answer["result"]?["value"]?["stopReason"]?.stringValue == "end_turn")
        }
    }

    @Test func requestsDuringATurnAreAnsweredAtOnce() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("stall"), in: home)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask(
                "p", "tinyvex/action",
                action(
                    "sessions:prompt", #"{"sessionId":"\#(editor.sessionId)","prompt":[{"type":"text","text":"x"}]}"#))
            _ = try editor.process.readLines(until: #""n":3"#)
            let second = try client.wire.call(
                "tinyvex/action", action("sessions:prompt", #"{"sessionId":"\#(editor.sessionId)","text":"y"}"#))
            #expect(second.errorCode == "TVX012")
            let cancel = try client.wire.call(
                "tinyvex/action", action("sessions:cancel", #"{"sessionId":"\#(editor.sessionId)"}"#))
            #expect(cancel["result"]?["value"]?["cancelled"]?.boolValue == true)
            let answer = try #require(try client.messages(untilAnswerTo: "p").last)
            #expect(answer["result"]?["value"]?["stopReason"]?.stringValue == "cancelled")
        }
    }

    /// Queues prompts in a session whose turn does not end. Returns the `queuedTs` of each.
    ///
    /// - Parameter session: the member that names the session.
    private func waitInQueue(
        _ texts: String..., in session: String, sentBy sender: RemoteTestClient, seenBy viewer: TinyvexTestClient
    ) throws -> [Int64] {
        for text in texts {
            try sender.ask(
                text, "tinyvex/action", action("sessions:prompt", #"{\#(session),"text":"\#(text)","queue":true}"#))
        }
        _ = try viewer.watch("sessions:get", "{\(session)}")
        let queue = try viewer.value { $0["queue"]?.elements.count == texts.count }["queue"]?.elements ?? []
        return queue.compactMap { $0["queuedTs"]?.int64Value }
    }

    @Test func aWaitingPromptIsTakenBackOnce() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("stall"), in: home)
            try editor.send(prompt: "one")
            _ = try editor.process.readLines(until: #""n":3"#)
            let session = #""sessionId":"\#(editor.sessionId)""#
            let client = try RemoteTestClient(home, path: "/tinyvex")
            let viewer = try TinyvexTestClient(home)
            let times = try waitInQueue("two", "three", in: session, sentBy: client, seenBy: viewer)
            #expect(Set(times).count == 2)
            let takeBack = action("sessions:unqueue", #"{\#(session),"queuedTs":\#(times.first ?? 0)}"#)
            let taken = try viewer.call("tinyvex/action", takeBack)
            #expect(taken["result"]?["value"]?.rawString == #"{"prompt":[{"type":"text","text":"two"}]}"#)
            #expect(try client.messages(untilAnswerTo: "two").last?.errorCode == "-32800")
            _ = try viewer.value { $0["queue"]?.elements.compactMap { $0["text"]?.stringValue } == ["three"] }
            #expect(try viewer.call("tinyvex/action", takeBack).errorCode == "TVX003")
            let incomplete = try viewer.call("tinyvex/action", action("sessions:unqueue", "{\(session)}"))
            #expect(incomplete.errorCode == "-32602")
        }
    }

    @Test func onlyItsSenderOrAnAdminTakesBackAWaitingPrompt() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let editor = try EditorSession(rude("stall"), in: home)
            try editor.send(prompt: "one")
            _ = try editor.process.readLines(until: #""n":3"#)
            let session = #""sessionId":"\#(editor.sessionId)""#
            let token = try TokenTests.create(home, "--role", "control")
            let sender = try RemoteTestClient(address, path: "/tinyvex", token: token)
            let admin = try TinyvexTestClient(home)
            let times = try waitInQueue("two", "three", in: session, sentBy: sender, seenBy: admin)
            try #require(times.count == 2)
            func takeBack(_ place: Int) -> String {
                action("sessions:unqueue", #"{\#(session),"queuedTs":\#(times[place])}"#)
            }
            let other = try TinyvexTestClient(address, token: TokenTests.create(home, "--role", "control"))
            #expect(try other.call("tinyvex/action", takeBack(0)).errorCode == "TVX011")
            #expect(try admin.call("tinyvex/action", takeBack(0))["result"] != nil)
            #expect(try TinyvexTestClient(address, token: token).call("tinyvex/action", takeBack(1))["result"] != nil)
            let rows = try wholeLines(of: #require(FileBytes.read(home.path + "/state/audit.log")))
                .map(JSONValue.init(validating:)).filter { $0["event"]?.stringValue == "unqueued" }
            #expect(rows.map { $0["who"]?.stringValue?.prefix(6) } == ["uid \(getuid())".prefix(6), "token "])
            #expect(rows.allSatisfy { $0["sessionId"]?.stringValue == editor.sessionId })
        }
    }

    @Test func aClientCanAnswerAPendingPermission() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try TinyvexTestClient(home)
            #expect(try client.watch("permissions:pending")["result"] != nil)
            try editor.send(prompt: "hello 3 chunks")
            let pending = try #require(try client.value { !$0.elements.isEmpty }.elements.first)
            #expect(pending["sessionId"]?.stringValue == editor.sessionId)
            let option = try #require(pending["params"]?["options"]?.elements.first?["optionId"]?.stringValue)
            func args(_ option: String) -> String {
                #"{"sessionId":"\#(editor.sessionId)","requestId":\#(pending["requestId"]?.rawString ?? ""),"#
                    + #""outcome":{"outcome":"selected","optionId":"\#(option)"}}"#
            }
            #expect(try client.mutate("permissions:answer", args("none of these")).errorCode == "-32602")
            let answered = try client.mutate("permissions:answer", args(option))
            #expect(answered["result"]?["value"]?["answered"]?.boolValue == true)
            _ = try client.value { $0.elements.isEmpty }
            let late = try client.mutate("permissions:answer", args(option))
            #expect(late["error"]?["message"]?.stringValue?.contains("already answered") == true)
            #expect(try editor.waitForAnswer()["result"]?["stopReason"]?.stringValue == "end_turn")
        }
    }

    /// JSON-RPC and ACP allow null as the id of a request.
    @Test func aPermissionRequestWithTheIdNullCanBeAnswered() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.rudeAgent, "echo", "--id-style", "null"], in: home)
            try editor.send(prompt: "hi")
            try editor.process.readLines(until: "session/request_permission")
            #expect(try home.run("answer", "latest", "--option", "yes").status == .exited(code: 0))
            #expect(try editor.waitForAnswer()["result"]?["stopReason"]?.stringValue == "end_turn")
        }
    }
}
