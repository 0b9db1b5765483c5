import AgentProcess
import JSONScan
import Testing

/// The history that a client on `/acp` receives when it loads a session.
@Suite(.blocking) struct LoadedHistoryTests {
    private func texts(_ messages: [JSONValue], _ kind: String) -> [String] {
        messages.named("session/update").compactMap { $0["params"]?["update"] }
            .filter { $0["sessionUpdate"]?.stringValue == kind }
            .compactMap { $0["content"]?["text"]?.stringValue }
    }

    /// An earlier fault: the history was empty, because the agent's repetition was not stored. The prompts show
    /// fault 4. The agent is not asked.
    @Test func aClientThatLoadsASessionOfItsOwnAgentReceivesTheHistoryAgain() throws {
        try BridgeHome.with { home in
            let asked = "\(home.path)/asked"
            try home.addAgent("rude", shell(#"tee "$1" | "$2" echo"#, SystemString(asked), Binary.rudeAgent))
            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "/acp?agent=rude")
            try client.initialize()
            let session = try client.newSession(home)
            try client.ask("p", "session/prompt", RemoteTestClient.prompt(session, "first"))
            _ = try client.messages(untilAnswerTo: "p")
            for id in ["l1", "l2"] {
                try client.ask(id, "session/load", #"{"sessionId":"\#(session)","cwd":"/","mcpServers":[]}"#)
                let loaded = try client.messages(untilAnswerTo: id)
                let answers = texts(loaded, "agent_message_chunk")
                #expect(answers.suffix(5) == (1...5).map { "update \($0)" })
                #expect(texts(loaded, "user_message_chunk") == ["first"])
            }
            // Later updates are sent once.
            try client.ask("q", "session/prompt", RemoteTestClient.prompt(session, "second"))
            let turn = try client.messages(untilAnswerTo: "q")
            #expect(texts(turn, "agent_message_chunk") == (6...8).map { "update \($0)" })
            let requests = String(decoding: FileBytes.read(asked) ?? [], as: UTF8.self)
            #expect(requests.contains("session/prompt") && !requests.contains("session/load"))
        }
    }

    /// An earlier fault: the history had answers without questions.
    @Test func promptsAreInTheirPlacesInTheHistory() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.rudeAgent, "echo", "--late", "0"], in: home)
            for text in ["one", "two"] { try editor.prompt(text) }
            let client = try RemoteTestClient(home, path: "/acp?session=rude-1")
            try client.initialize()
            try client.ask("l", "session/load", #"{"sessionId":"rude-1","cwd":"/","mcpServers":[]}"#)
            let found = try client.messages(untilAnswerTo: "l").named("session/update").compactMap {
                $0["params"]?["update"]?["content"]?["text"]?.stringValue
            }
            let (first, second) = ((2...4).map { "update \($0)" }, (5...7).map { "update \($0)" })
            #expect(found == ["update 1", "one"] + first + ["two"] + second)
        }
    }

    @Test func aLongHistoryReachesASlowClientWhole() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(
                [Binary.rudeAgent, "flood", "--on", "new", "--lines", "20000", "--size", "400"], in: home)
            let client = try RemoteTestClient(home, path: "/acp?session=\(editor.sessionId)")
            try client.initialize()
            try client.ask("l", "session/load", #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#)
            let loaded = try client.messages(untilAnswerTo: "l").named("session/update")
            let numbers = loaded.compactMap { $0["params"]?["_meta"]?["n"]?.int64Value }
            #expect(numbers == (1...Int64(numbers.count)).map { $0 } && numbers.count > 20_000)
        }
    }
}
