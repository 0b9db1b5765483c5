import AgentProcess
import JSONScan
import Testing

/// Clients and agents that speak different versions of ACP.
@Suite(.blocking) struct VersionTests {
    private static let version2 =
        #"{"protocolVersion":2,"info":{"name":"test","version":"1"},"capabilities":{}}"#

    @Test func aClientOfAnotherVersionThanTheSessionsAgentIsRefused() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let joining = try RemoteTestClient(home, path: "/acp?session=\(editor.sessionId)")
            let refusal = try joining.wire.call("initialize", Self.version2)["error"]
            #expect(refusal?["code"]?.int64Value == -32022)
            let message = try #require(refusal?["message"]?.stringValue)
            #expect(message.contains("version 1") && message.contains("version 2"))
            // An editor has the agent, which cannot give the session up.
            #expect(message.contains("`acpbridge stop \(editor.sessionId)`"), "\(message)")
        }
    }

    @Test func aSessionOfAnotherVersionCannotBeLoadedOrPrompted() throws {
        try BridgeHome.with { home in
            try home.addAgent("demo", [Binary.demoAgent])
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try RemoteTestClient(home, path: "/acp?agent=demo")
            _ = try client.wire.call("initialize", Self.version2)
            let cwd = #"{"sessionId":"\#(editor.sessionId)","cwd":"/","mcpServers":[]}"#
            for (method, params) in [
                ("session/resume", cwd), ("session/prompt", RemoteTestClient.prompt(editor.sessionId, "hello")),
            ] {
                #expect(try client.wire.call(method, params)["error"]?["code"]?.int64Value == -32022)
            }
        }
    }

    /// An earlier fault: the editor's own agent got the request, and opened the session a second time.
    @Test(arguments: [(1, 2), (2, 1)])
    func anEditorOfAnotherVersionCannotOpenALiveSession(running: Int, asking: Int) throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home, version: running)
            let second = try EditorSession([Binary.demoAgent], in: home, version: asking)
            for method in ["session/load", "session/resume"] {
                let params = #"{"sessionId":"\#(first.sessionId)","cwd":"/","mcpServers":[]}"#
                let refusal = try second.ask(method, params)["error"]
                #expect(refusal?["code"]?.int64Value == -32022)
                let message = try #require(refusal?["message"]?.stringValue)
                #expect(message.contains("version \(running)") && message.contains("version \(asking)"))
            }
            // The editor's own session is not affected.
            try second.prompt("hello 3 chunks pace=0 no permission")
        }
    }

    /// The same after the session's editor has left: the second agent does not have the session, so that the first one keeps it.
    @Test func anEditorOfAnotherVersionCannotOpenAKeptSessionThatItsAgentDoesNotHave() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home, options: ["--keep"], version: 2)
            try first.end()
            let second = try EditorSession([Binary.demoAgent], in: home, version: 1)
            let params = #"{"sessionId":"\#(first.sessionId)","cwd":"/","mcpServers":[]}"#
            #expect(try second.ask("session/load", params)["error"]?["code"]?.int64Value == -32022)
            let agents = try TinyvexTestClient(home).query("agents:list", "{}")
            #expect(agents?["running"]?.elements.count == 2)
        }
    }

    @Test func aChildOfALiveSessionCannotBeLoaded() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home, capabilities: #"{"subagents":{}}"#)
            try editor.prompt("hello 3 chunks pace=0 no permission 1 subagents")
            let update = try #require(
                editor.updates.lazy.compactMap { try? JSONValue(validating: $0)["params"]?["update"] }.first {
                    $0["sessionUpdate"]?.stringValue == "subagent_update"
                })
            let child = try #require(update["sessionId"]?.stringValue)
            let client = try RemoteTestClient(home, path: "/acp?session=\(editor.sessionId)")
            try client.initialize()
            let second = try EditorSession([Binary.demoAgent], in: home)
            for method in ["session/load", "session/resume"] {
                let params = #"{"sessionId":"\#(child)","cwd":"/","mcpServers":[]}"#
                for refusal in [try client.wire.call(method, params), try second.ask(method, params)] {
                    #expect(refusal["error"]?["message"]?.stringValue?.contains("child of \(editor.sessionId)") == true)
                }
            }
        }
    }

    /// An earlier fault: a client that resumed a session of version 2 from its start got no history.
    @Test func aResumeFromTheStartSendsTheHistoryAndTheStateBeforeTheAnswer() throws {
        try BridgeHome.with { home in
            try home.addAgent("demo", [Binary.demoAgent])
            _ = try Daemon(home)
            let owner = try RemoteTestClient(home, path: "/acp?agent=demo")
            _ = try owner.wire.call("initialize", Self.version2)
            let session = try owner.newSession(home)
            try owner.ask("p", "session/prompt", RemoteTestClient.prompt(session, "hello 3 chunks no permission"))
            while try owner.wire.next("session/update")["params"]?["update"]?["stopReason"] == nil {}
            let client = try RemoteTestClient(home, path: "/acp?session=\(session)")
            _ = try client.wire.call("initialize", Self.version2)
            let params = #"{"sessionId":"\#(session)","cwd":"/","replayFrom":{"type":"start"}}"#
            try client.ask("r", "session/resume", params)
            let kinds = try client.messages(untilAnswerTo: "r").named("session/update").compactMap {
                $0["params"]?["update"]?["sessionUpdate"]?.stringValue
            }
            #expect(kinds.contains("user_message") && kinds.contains("agent_message_chunk"))
            #expect(kinds.suffix(2) == ["replay_complete", "state_update"])
            try client.ask("s", "session/resume", #"{"sessionId":"\#(session)","cwd":"/"}"#)
            let later = try client.messages(untilAnswerTo: "s").named("session/update").compactMap {
                $0["params"]?["update"]?["sessionUpdate"]?.stringValue
            }
            #expect(later.last == "state_update" && !later.contains("user_message"))
            let unknown = #"{"sessionId":"\#(session)","cwd":"/","replayFrom":{"type":"middle"}}"#
            #expect(try client.wire.call("session/resume", unknown)["error"]?["code"]?.int64Value == -32602)
        }
    }

    /// An earlier fault: a new agent's repetition for `session/resume` was stored as a second history.
    @Test(arguments: ["/acp", "/tinyvex"]) func aNewAgentsRepetitionIsStoredOnce(path: String) throws {
        try BridgeHome.with { home in
            let state = SystemString("ACP_DEMO_STATE=\(home.path)/demo")
            try home.addAgent("demo", ["/usr/bin/env", state, Binary.demoAgent])
            _ = try Daemon(home)
            let owner = try RemoteTestClient(home, path: "\(path)?agent=demo")
            _ = try owner.wire.call("initialize", Self.version2)
            let session = try owner.newSession(home)
            let prompt = RemoteTestClient.prompt(session, "hello 3 chunks pace=0 no permission")
            #expect(try owner.wire.call("session/prompt", prompt)["result"] != nil)
            func stored() throws -> [String] {
                try TinyvexTestClient(home).history(of: session).map { String(decoding: $0.line, as: UTF8.self) }
            }
            try eventually("the turn is stored") { try stored().last?.contains(#""stopReason":"end_turn""#) == true }
            let before = try stored()
            #expect(try home.run("stop").status == .exited(code: 0))

            _ = try Daemon(home)
            let client = try RemoteTestClient(home, path: "\(path)?agent=demo")
            _ = try client.wire.call("initialize", Self.version2)
            let params = #"{"sessionId":"\#(session)","cwd":"\#(home.path)","replayFrom":{"type":"start"}}"#
            try client.ask("r", "session/resume", params)
            let messages = try client.messages(untilAnswerTo: "r")
            #expect(messages.last?["result"] != nil)
            try home.waitUntilStored()
            // The new agent also writes its present state, which is no repetition.
            let after = try stored()
            #expect(Array(after.prefix(before.count)) == before)
            #expect(after.dropFirst(before.count).allSatisfy { $0.contains(#""state_update""#) })
            // A client on `/tinyvex` subscribes to get a history.
            guard path == "/acp" else { return }
            let history = messages.named("session/update").map(\.rawString)
            #expect(Array(history.prefix(before.count)) == before)
            #expect(history.count { $0.contains(#""replay_complete""#) } == 1)
        }
    }

    @Test(arguments: [("acp.v1, tinyvex.v1", "acp.v1"), ("tinyvex.v1", "tinyvex.v1")])
    func theSubprotocolOfACPIsSelectedIfItIsOffered(offered: String, selected: String) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let raw = try RawConnection(.unix(path: home.socket))
            let response = try raw.response(
                to:
                    "GET /acp?agent=demo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "Sec-WebSocket-Protocol: \(offered)\r\n\r\n")
            #expect(response.headers.all("Sec-WebSocket-Protocol") == [selected])
        }
    }
}
