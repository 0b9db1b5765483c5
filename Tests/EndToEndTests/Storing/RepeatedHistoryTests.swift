import JSONScan
import Testing

/// An agent repeats a session's history before its answer to `session/load`. Only what the log already has is left out.
@Suite(.blocking) struct RepeatedHistoryTests {
    /// An earlier fault: the log lacked all updates that a working agent wrote between the request and its
    /// answer, and the numbers had no hole.
    @Test func everyUpdateOfAWorkingAgentIsStoredWhileItsEditorLoadsTheSession() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("stall", "--reload", "5")), in: home)
            try editor.openSession()
            try editor.exchange(editor.prompt(id: "2"), until: #""n":4"#)
            let load =
                #"{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"rude-1","cwd":"/","mcpServers":[]}}"#
            let answer = try editor.exchange(load, until: #""id":3"#)
            #expect(answer.first?.contains("update 1update 2update 3update 4") == true, "the agent repeated its texts")
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.subscribe("rude-1", after: 0)
            let stored = try viewer.updates(10).map { String(decoding: $0, as: UTF8.self) }
            for number in 1...9 { #expect(stored[number - 1].contains("update \(number)\"")) }
            #expect(stored[9].contains("usage_update"))
        }
    }

    /// Shows the part of fault 2 that concerns a new agent: its mode, usage and options before the answer were lost.
    @Test func aStateBeforeTheAnswerIsStoredAlsoByANewAgent() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let agent = rude("echo", "--reload", "0")
            let first = try EditorSession(agent, in: home)
            try first.end()
            let second = try EditorSession(agent, in: home, loading: "rude-1")
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.subscribe("rude-1", after: 0)
            let stored = try viewer.updates(2).map { String(decoding: $0, as: UTF8.self) }
            #expect(stored[0].contains("update 1") && stored[1].contains("usage_update"))
            try second.end()
        }
    }
}
