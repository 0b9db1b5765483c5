import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// Other clients at an editor's session.
@Suite(.blocking) struct ControllerTests {
    /// A client that has loaded the editor's session.
    private func joined(_ editor: EditorSession, in home: BridgeHome) throws -> RemoteTestClient {
        let client = try RemoteTestClient(home, path: "/acp?session=\(editor.sessionId)")
        try client.initialize()
        try client.ask("l", "session/load", #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#)
        _ = try client.messages(untilAnswerTo: "l")
        return client
    }

    @Test func onlyTheControllerGetsTheResponseToItsPrompt() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask(
                "1", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "hello 20 chunks no permission"))
            let answer = try client.messages(untilAnswerTo: "1").last
            #expect(answer?["result"]?["stopReason"]?.stringValue == "end_turn")
            // The editor sees the agent's updates, and no response to requests that it did not send.
            try editor.process.sendLine(#"{"jsonrpc":"2.0","id":"last","method":"no/such/method"}"#)
            let seen = try editor.process.readLines(until: #""id":"last""#).joined(separator: "\n")
            #expect(seen.contains("agent_message_chunk"))
            #expect(!seen.contains("end_turn"))
        }
    }

    @Test func aSecondPromptIsRefusedOrQueued() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("stall"), in: home)
            try editor.send(prompt: "one")
            _ = try editor.process.readLines(until: #""n":3"#)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask("1", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "two"))
            let refused = try #require(try client.messages(untilAnswerTo: "1").last)
            #expect(refused["error"]?["data"]?["turnBy"]?.stringValue == "editor")
            #expect(refused["error"]?["data"]?["turnRunningSince"]?.int64Value ?? 0 > 1_700_000_000_000)

            try client.ask("2", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "three", queue: true))
            try client.ask("3", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "four", queue: true))
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.watch("sessions:get", #"{"sessionId":"\#(editor.sessionId)"}"#)
            let queue = try viewer.value { $0["queue"]?.elements.count == 2 }["queue"]?.elements ?? []
            #expect(queue.map { $0["text"]?.stringValue } == ["three", "four"])
            #expect(queue.allSatisfy { $0["by"]?.stringValue?.hasPrefix("uid ") == true })
            try client.notify("$/cancel_request", #"{"requestId":"3"}"#)
            #expect(try client.messages(untilAnswerTo: "3").last?.errorCode == "-32800")
            _ = try viewer.value { $0["queue"]?.elements.compactMap { $0["text"]?.stringValue } == ["three"] }
            // The next turn begins after this turn ends.
            try client.notify("session/cancel", #"{"sessionId":"\#(editor.sessionId)"}"#)
            #expect(try editor.waitForAnswer()["result"]?["stopReason"]?.stringValue == "cancelled")
            try editor.process.sendLine(
                #"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"\#(editor.sessionId)"}}"#)
            #expect(try client.messages(untilAnswerTo: "2").last?["result"]?["stopReason"]?.stringValue == "cancelled")
            _ = try viewer.value { $0["queue"]?.elements.isEmpty == true }
        }
    }

    @Test func aRequestIsCancelledByItsSendersId() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("stall"), in: home)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask("mine", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "one"))
            _ = try editor.process.readLines(until: #""n":3"#)
            try client.notify("$/cancel_request", #"{"requestId":"mine"}"#)
            #expect(try client.messages(untilAnswerTo: "mine").last?.errorCode == "-32800")
        }
    }

    @Test func anElicitationIsSentOnlyToTheClientOfItsRequest() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("echo", "--ask", "elicitation"), in: home)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask("mine", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "one"))
            let asked = try client.wire.next("elicitation/create")
            #expect(asked["params"]?["requestId"]?.stringValue == "mine")
            try client.answer(asked, #"{"action":"decline"}"#)
            #expect(
                try client.messages(untilAnswerTo: "mine").last?["result"]?["stopReason"]?.stringValue == "end_turn")
            try editor.process.sendLine(#"{"jsonrpc":"2.0","id":"last","method":"no/such/method"}"#)
            let seen = try editor.process.readLines(until: #""id":"last""#)
            #expect(!seen.contains { $0.contains("elicitation") })
        }
    }

    @Test func anIdThatIsInUseIsRefused() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("stall"), in: home)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            let mode = #"{"sessionId":"\#(editor.sessionId)","modeId":"ask"}"#
            try client.ask("1", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "one"))
            _ = try editor.process.readLines(until: #""n":3"#)
            try client.ask("1", "session/set_mode", mode)
            let refused = try #require(try client.messages(untilAnswerTo: "1").last)
            #expect(refused["error"]?["message"]?.stringValue?.contains("is in use") == true)
            // The first prompt is still answered.
            try client.notify("session/cancel", #"{"sessionId":"\#(editor.sessionId)"}"#)
            #expect(try client.messages(untilAnswerTo: "1").last?["result"]?["stopReason"]?.stringValue == "cancelled")
        }
    }

    @Test func aNotificationWithTheIdNullIsHandledLikeOneWithoutAnId() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(rude("stall"), in: home)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try client.ask("1", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "one"))
            _ = try editor.process.readLines(until: #""n":3"#)
            try client.wire.send(
                #"{"jsonrpc":"2.0","id":null,"method":"session/cancel","params":{"sessionId":"\#(editor.sessionId)"}}"#)
            let messages = try client.messages(untilAnswerTo: "1")
            #expect(messages.last?["result"]?["stopReason"]?.stringValue == "cancelled")
            #expect(!messages.contains { $0["error"] != nil })
        }
    }

    @Test func theFirstValidAnswerToAPermissionRequestCounts() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try joined(editor, in: home)
            try editor.send(prompt: "hello 3 chunks")
            let asked = try editor.process.readLines(until: "session/request_permission")
            let request = try client.wire.next("session/request_permission")
            #expect(asked.last.map { Array($0.utf8) } == Array(request.rawText))
            try client.answer(request, #"{"outcome":{"outcome":"selected","optionId":"no such option"}}"#)
            let option = try #require(request["params"]?["options"]?.elements.first?["optionId"]?.stringValue)
            try client.answer(request, #"{"outcome":{"outcome":"selected","optionId":"\#(option)"}}"#)
            // The editor's dialog ends, and its own answer arrives too late to count.
            let ended = try editor.process.readLines(until: "$/cancel_request")
            #expect(ended.last?.contains(#""requestId":\#(request["id"]?.rawString ?? "?")"#) == true)
            try editor.process.sendLine(
                #"{"jsonrpc":"2.0","id":\#(request["id"]?.rawString ?? ""),"result":{"outcome":{"outcome":"cancelled"}}}"#
            )
            #expect(try editor.waitForAnswer()["result"]?["stopReason"]?.stringValue == "end_turn")
            let stored = try TinyvexTestClient(home).history(of: editor.sessionId).map {
                String(decoding: $0.line, as: UTF8.self)
            }
            #expect(stored.contains { $0.contains(#""status":"completed""#) })
        }
    }

    @Test func aControllerCanSetOnlyModeAndOptions() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let wire = try RemoteTestClient(home, path: "/tinyvex").wire
            let session = #""sessionId":"\#(editor.sessionId)""#
            #expect(try wire.watch("sessions:get", "{\(session)}")["result"] != nil)
            #expect(try wire.call("session/set_mode", #"{\#(session),"modeId":"code"}"#)["result"] != nil)
            _ = try wire.value { $0["currentModeId"]?.stringValue == "code" }
            let options = try wire.call(
                "session/set_config_option", #"{\#(session),"configId":"pace","value":"0"}"#)["result"]
            #expect(options?["configOptions"]?.elements.isEmpty == false)
            _ = try wire.value { value in
                value["configOptions"]?.elements.contains {
                    $0["id"]?.stringValue == "pace" && $0["currentValue"]?.stringValue == "0"
                } == true
            }
            for method in ["session/close", "session/fork", "_vendor/method"] {
                #expect(try wire.call(method, "{\(session)}").errorCode == "TVX011", "\(method)")
            }
        }
    }

    @Test func aCancelAnswersTheEditorsPendingPermission() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try RemoteTestClient(home, path: "/tinyvex")
            try editor.send(prompt: "hello 3 chunks")
            _ = try editor.process.readLines(until: "session/request_permission")
            try client.notify("session/cancel", #"{"sessionId":"\#(editor.sessionId)"}"#)
            // The editor's dialog ends, and so does the turn, although the editor has answered nothing.
            _ = try editor.process.readLines(until: "$/cancel_request")
            #expect(try editor.waitForAnswer()["result"]?["stopReason"]?.stringValue == "cancelled")
            let timeline = try TinyvexTestClient(home)
            _ = try timeline.subscribe(editor.sessionId, after: 0, stream: "sessions:timeline")
            while true {
                let value = try timeline.next("tinyvex/data")["params"]?["value"]
                guard value?["kind"]?.stringValue == "permission_answer" else { continue }
                #expect(value?["data"]?["result"]?.rawString == #"{"outcome":{"outcome":"cancelled"}}"#)
                break
            }
        }
    }

    /// An earlier fault: the dialogs stayed open.
    @Test func theDialogsOfASessionThatIsClosedOnRequestEnd() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try joined(editor, in: home)
            try editor.send(prompt: "hello 3 chunks")
            _ = try editor.process.readLines(until: "session/request_permission")
            let request = try client.wire.next("session/request_permission")
            let closed = try TinyvexTestClient(home).actionValue(
                "sessions:close", #"{"sessionId":"\#(editor.sessionId)"}"#)
            #expect(closed["closed"]?.boolValue == true)
            _ = try editor.process.readLines(until: "$/cancel_request")
            let ended = try client.wire.next("$/cancel_request")
            #expect(ended["params"]?["requestId"]?.rawString == request["id"]?.rawString)
        }
    }

    @Test func anObserverCannotControl() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", "127.0.0.1:0"])
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let made = try home.run("token", "create", "--role", "observe")
            let token =
                made.outputText.split(whereSeparator: \.isWhitespace).map(String.init).last { $0.count > 20 } ?? ""
            let address = try #require(daemon.address)
            let client = try TinyvexTestClient(address, fields: [("Authorization", "Bearer \(token)")])
            for method in ["session/prompt", "session/set_mode", "session/set_config_option"] {
                let answer = try client.call(method, RemoteTestClient.prompt(editor.sessionId, "x"))
                #expect(answer.errorCode == "TVX011", "\(method): \(answer.rawString)")
            }
        }
    }
}
