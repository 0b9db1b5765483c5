import AgentProcess
import JSONScan
import Testing

/// `session/new` on `/acp?session=ID`.
@Suite(.blocking) struct JoinedSessionTests {
    private static let new = #"{"cwd":"/nowhere","mcpServers":[]}"#

    private func client(_ home: BridgeHome, _ editor: EditorSession) throws -> RemoteTestClient {
        let client = try RemoteTestClient(home, path: "/acp?session=\(editor.sessionId)")
        try client.initialize()
        return client
    }

    private func editorWithATurn(_ home: BridgeHome, options: [SystemString] = []) throws -> EditorSession {
        let editor = try EditorSession([Binary.demoAgent], in: home, options: options)
        try editor.prompt("one 3 chunks pace=0 no permission")
        return editor
    }

    @Test func theAnswerComesFirstAndThenTheHistoryAsOfALoad() throws {
        try BridgeHome.with { home in
            let editor = try editorWithATurn(home)
            let loading = try client(home, editor)
            let params = #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#
            try loading.ask("l", "session/load", params)
            let loaded = try loading.messages(untilAnswerTo: "l")

            let joining = try client(home, editor)
            try joining.ask("n", "session/new", Self.new)
            #expect(try joining.messages(untilAnswerTo: "n").count == 1)
            for message in loaded.dropLast() {
                #expect(try joining.wire.nextMessage() == Array(message.rawText))
            }
            // Nobody has set a mode or an option.
            _ = try joining.wire.call("$/ping")
            #expect(joining.wire.isQuiet)
        }
    }

    private func prompts(_ messages: [JSONValue]) -> [JSONValue] {
        messages.filter { $0["params"]?["update"]?["sessionUpdate"]?.stringValue == "user_message_chunk" }
    }

    /// Some editors drop the updates of a session until they have handled the answer.
    @Test func theHistoryWaitsUntilTheEditorHasHandledTheAnswer() throws {
        try BridgeHome.with { home in
            let editor = try editorWithATurn(home)
            let joining = try client(home, editor)
            let begin = ContinuousClock.now
            try joining.ask("n", "session/new", Self.new)
            #expect(try joining.messages(untilAnswerTo: "n").count == 1)
            _ = try joining.wire.next("session/update")
            #expect(ContinuousClock.now - begin >= .milliseconds(100))
        }
    }

    /// It would show the history as a part of its turn.
    @Test func anEditorThatBeginsATurnAtOnceGetsTheTurnWithoutTheHistory() throws {
        try BridgeHome.with { home in
            let editor = try editorWithATurn(home)
            let joining = try client(home, editor)
            let prompt = RemoteTestClient.prompt(editor.sessionId, "two 3 chunks pace=60 no permission quiet")
            try joining.join(Self.new, andAsk: "p", "session/prompt", prompt)
            #expect(try joining.messages(untilAnswerTo: "n").count == 1)
            let turn = try joining.messages(untilAnswerTo: "p")
            #expect(turn.last?["result"]?["stopReason"]?.stringValue == "end_turn")
            #expect(turn.count > 3 && prompts(turn).isEmpty, "\(turn.map(\.rawString))")
            let params = #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#
            try joining.ask("l", "session/load", params)
            #expect(prompts(try joining.messages(untilAnswerTo: "l")).count == 2)
        }
    }

    /// Without it, the other editor would show an answer without a question.
    @Test func aPromptOfOneEditorComesToTheOthersInItsPlace() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let (one, two) = (try client(home, editor), try client(home, editor))
            for joining in [one, two] {
                try joining.ask("l", "session/load", #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#)
                _ = try joining.messages(untilAnswerTo: "l")
            }
            try one.ask("p", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "one 3 chunks pace=0 quiet"))
            #expect(prompts(try one.messages(untilAnswerTo: "p")).isEmpty)
            try editor.prompt("two 3 chunks pace=0 quiet")
            var turns: [String] = []
            while turns.count(where: { $0 != "answer" }) < 2 || turns.last != "answer" {
                let update = try two.wire.next("session/update")["params"]?["update"]
                switch update?["sessionUpdate"]?.stringValue {
                case "user_message_chunk": turns.append(update?["content"]?["text"]?.stringValue ?? "")
                case "agent_message_chunk": if turns.last != "answer" { turns.append("answer") }
                default: break
                }
            }
            #expect(turns == ["one 3 chunks pace=0 quiet", "answer", "two 3 chunks pace=0 quiet", "answer"])
            // The sender knows its own prompt.
            while true {
                let update = try one.wire.next("session/update")
                guard !prompts([update]).isEmpty else { continue }
                #expect(update.rawString.contains("two 3 chunks"))
                break
            }
        }
    }

    @Test func aLoadInThePauseGivesTheHistoryOnce() throws {
        try BridgeHome.with { home in
            let editor = try editorWithATurn(home)
            let joining = try client(home, editor)
            let params = #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#
            try joining.join(Self.new, andAsk: "l", "session/load", params)
            #expect(prompts(try joining.messages(untilAnswerTo: "l")).count == 1)
            try joining.ask(
                "p", "session/prompt",
                RemoteTestClient.prompt(editor.sessionId, "two 3 chunks pace=60 no permission quiet"))
            #expect(prompts(try joining.messages(untilAnswerTo: "p")).isEmpty)
        }
    }

    @Test func theSessionOfTheURLIsListedForEveryFolder() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let other = try EditorSession([Binary.demoAgent], in: home)
            let joining = try client(home, editor)
            for _ in 1...2 {
                let sessions = try joining.wire.call("session/list", #"{"cwd":"/nowhere"}"#)["result"]?["sessions"]
                #expect(sessions?.elements.map { $0["sessionId"]?.stringValue } == [editor.sessionId])
                #expect(sessions?.elements.first?["cwd"]?.stringValue == home.path)
                #expect(other.sessionId != editor.sessionId)
                _ = try joining.wire.call("session/new", Self.new)
            }
        }
    }

    @Test func aClosedSessionIsLeftAndCanBeJoinedAgain() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let joining = try client(home, editor)
            let session = #"{"sessionId":"\#(editor.sessionId)"}"#
            _ = try joining.wire.call("session/new", Self.new)
            try joining.ask("p", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "one 2 chunks pace=0"))
            let request = try joining.wire.next("session/request_permission")
            // A close must not leave an answer of the agent without a receiver.
            #expect(try joining.wire.call("session/close", session).errorCode == "TVX011")
            let option = request["params"]?["options"]?.elements.first?["optionId"]?.stringValue ?? ""
            try joining.answer(request, #"{"outcome":{"outcome":"selected","optionId":"\#(option)"}}"#)
            _ = try joining.messages(untilAnswerTo: "p")
            #expect(try joining.wire.call("session/close", session)["result"]?.rawString == "{}")
            while try joining.wire.messageAtHand() != nil {}
            try editor.prompt("two 3 chunks pace=0 no permission")
            _ = try joining.wire.call("$/ping")
            #expect(joining.wire.isQuiet)
            let again = try joining.wire.call("session/new", Self.new)
            #expect(again["result"]?["sessionId"]?.stringValue == editor.sessionId)
            while true {
                let update = try joining.wire.next("session/update")["params"]?["update"]
                guard update?["sessionUpdate"]?.stringValue == "user_message_chunk" else { continue }
                if update?["content"]?["text"]?.stringValue?.contains("two 3 chunks") == true { break }
            }
        }
    }

    /// The history has an earlier mode than the one that another client has set.
    @Test func theCurrentModeComesAfterTheHistory() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(Self.silentAgent, in: home)
            try editor.ask("session/set_mode", #"{"sessionId":"s1","modeId":"plan"}"#)
            let joining = try client(home, editor)
            let answer = try joining.wire.call("session/new", Self.new)
            #expect(answer["result"]?["modes"]?["currentModeId"]?.stringValue == "plan")
            let modes = try (1...2).map { _ in
                try joining.wire.next("session/update")["params"]?["update"]?["currentModeId"]?.stringValue
            }
            #expect(modes == ["ask", "plan"])
        }
    }

    /// Reports the mode of a new session, and not one that a client sets.
    private static let silentAgent = shell(
        #"""
        while read -r line; do case $line in
        *'"initialize"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}';;
        *'"session/new"'*)
            modes='[{"id":"ask","name":"Ask"},{"id":"plan","name":"Plan"}]'
            echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1","modes":{"currentModeId":"ask","availableModes":'$modes'}}}'
            update='{"sessionUpdate":"current_mode_update","currentModeId":"ask"}'
            echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":'$update'}}';;
        *'"session/set_mode"'*) echo '{"jsonrpc":"2.0","id":3,"result":{}}';;
        esac; done
        """#)

    @Test func aRequestBeforeTheHistoryIsHandledAfterIt() throws {
        try BridgeHome.with { home in
            let editor = try editorWithATurn(home)
            let joining = try client(home, editor)
            let params = #"{"sessionId":"\#(editor.sessionId)","modeId":"code"}"#
            try joining.join(Self.new, andAsk: "m", "session/set_mode", params)
            #expect(try joining.messages(untilAnswerTo: "n").count == 1)
            #expect(prompts(try joining.messages(untilAnswerTo: "m")).count == 1, "the history")
        }
    }

    @Test func aSecondNewSessionOnTheConnectionIsRefused() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let joining = try client(home, editor)
            try joining.ask("1", "session/new", Self.new)
            try joining.ask("2", "session/new", Self.new)
            // The refusal does not wait for the log.
            var answers: [String: JSONValue] = [:]
            while answers.count < 2 {
                let message = try JSONValue(validating: try joining.wire.nextMessage())
                if let id = message["id"]?.stringValue { answers[id] = message }
            }
            #expect(answers["1"]?["result"]?["sessionId"]?.stringValue == editor.sessionId)
            let second = answers["2"]
            #expect(second?["error"]?["message"]?.stringValue?.contains("is open here already") == true)
            #expect(try home.run("sessions", "--json").outputText.split(separator: "\n").count == 1)
        }
    }

    /// The client is the primary then, and no further session of the agent begins.
    @Test func aKeptAgentBelongsToTheClientThatJoinsItsSession() throws {
        try BridgeHome.with { home in
            let editor = try editorWithATurn(home, options: ["--keep"])
            try editor.end()
            let joining = try client(home, editor)
            #expect(
                try joining.wire.call("session/new", Self.new)["result"]?["sessionId"]?.stringValue == editor.sessionId)
            try joining.ask(
                "p", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "2 chunks pace=0 no permission"))
            #expect(try joining.messages(untilAnswerTo: "p").last?["result"]?["stopReason"]?.stringValue == "end_turn")
            #expect(try joining.wire.call("session/new", Self.new)["error"]?["code"]?.int64Value == -32600)
            try joining.ask("c", "session/close", #"{"sessionId":"\#(editor.sessionId)"}"#)
            #expect(try joining.messages(untilAnswerTo: "c").last?.errorCode != "TVX011")
        }
    }

    @Test func anObserverWatchesTheSessionAndGetsNoRequests() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let token = try TokenTests.create(home, "--role", "observe")
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try editor.send(prompt: "one 3 chunks pace=0")
            _ = try editor.process.readLines(until: "session/request_permission")
            let observer = try RemoteTestClient(address, path: "/acp?session=\(editor.sessionId)", token: token)
            try observer.initialize()
            let answer = try observer.wire.call("session/new", Self.new)
            #expect(answer["result"]?["sessionId"]?.stringValue == editor.sessionId)
            try observer.ask("p", "session/prompt", RemoteTestClient.prompt(editor.sessionId, "x"))
            let messages = try observer.messages(untilAnswerTo: "p")
            #expect(messages.last?.errorCode == "TVX011")
            #expect(messages.named("session/request_permission").isEmpty)
        }
    }

    @Test func afterTheEndOfTheAgentNoSessionBegins() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let joining = try client(home, editor)
            try editor.end()
            try eventually("the agent has ended") { try home.status()["agents"]?.int64Value == 0 }
            for method in ["session/new", "session/list"] {
                let error = try joining.wire.call(method, Self.new)["error"]
                #expect(error?["message"]?.stringValue?.contains("no agent runs the session") == true)
            }
        }
    }
}
