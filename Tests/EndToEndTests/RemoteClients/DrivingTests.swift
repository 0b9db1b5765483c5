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
