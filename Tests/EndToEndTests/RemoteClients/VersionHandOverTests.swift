import AgentProcess
import JSONScan
import Testing

/// Idle sessions of kept agents that a client of another version of ACP continues.
@Suite(.blocking) struct VersionHandOverTests {
    private static let text = "hello 3 chunks pace=0 no permission"

    /// Adds the agent `lasting`, which stores its sessions.
    private func addAgent(_ home: BridgeHome) throws {
        try home.addAgent("lasting", ["env", SystemString("ACP_DEMO_STATE=\(home.path)/demo"), Binary.demoAgent])
    }

    /// Starts a bridge, begins a session without an editor, in version 2, and waits for the end of its first turn.
    private func begin(_ home: BridgeHome) throws -> (client: TinyvexTestClient, session: String, pid: Int64) {
        _ = try Daemon(home)
        try addAgent(home)
        let client = try TinyvexTestClient(home)
        let begun = try client.actionValue("sessions:begin", #"{"agent":"lasting","cwd":"\#(home.path)"}"#)
        let session = try #require(begun["sessionId"]?.stringValue)
        _ = try client.actionValue("sessions:prompt", #"{"sessionId":"\#(session)","text":"\#(Self.text)"}"#)
        return (client, session, try #require(try pids(client).first))
    }

    private func editor(
        _ home: BridgeHome, loading session: String? = nil, version: Int, options: [SystemString] = []
    ) throws -> EditorSession {
        try EditorSession([], in: home, loading: session, options: ["--agent", "lasting"] + options, version: version)
    }

    private func pids(_ client: TinyvexTestClient) throws -> [Int64] {
        try client.query("agents:list", "{}")?["running"]?.elements.compactMap { $0["pid"]?.int64Value } ?? []
    }

    private func code(_ answer: JSONValue?) -> Int64? { answer?["error"]?["code"]?.int64Value }

    private func nextUpdate(_ client: TinyvexTestClient) throws -> [UInt8] {
        do {
            return try client.nextUpdate()
        } catch let other as TinyvexTestClient.NotAnUpdate where other.message.contains("tinyvex/ended") {
            return try client.nextUpdate()
        }
    }

    @Test func anEditorOfVersion1ContinuesAnIdleSessionOfVersion2() throws {
        try BridgeHome.with { home in
            let (client, session, first) = try begin(home)
            let watching = try TinyvexTestClient(home)
            #expect(try watching.subscribe(session, after: 0)["error"] == nil)
            try home.waitUntilStored()
            let before = try client.history(of: session)
            #expect(!before.isEmpty)

            let editor = try editor(home, loading: session, version: 1)
            #expect(editor.opening?["result"] != nil, "\(editor.opening?.rawString ?? "")")
            #expect(editor.updates.contains { String(decoding: $0, as: UTF8.self).contains("agent_message_chunk") })
            try editor.prompt(Self.text)
            #expect(try !pids(client).contains(first), "the former agent has ended")
            try home.waitUntilStored()
            let after = try client.history(of: session)
            #expect(after.count > before.count)
            #expect(after.map(\.seq) == (1...Int64(after.count)).map(\.self), "the incarnation continues")
            #expect(after.prefix(before.count).map(\.line) == before.map(\.line))
            // A reader that came before gets all of it. Between the agents it can get the first one's end.
            for update in after { #expect(try nextUpdate(watching) == update.line) }
        }
    }

    @Test func theRefusalToJoinAnIdleSessionNamesTheAddressThatContinuesIt() throws {
        try BridgeHome.with { home in
            let (_, session, _) = try begin(home)
            let version1 = #"{"protocolVersion":1,"clientCapabilities":{}}"#
            let joining = try RemoteTestClient(home, path: "/acp?session=\(session)")
            let refusal = try joining.wire.call("initialize", version1)["error"]
            let advice = "or load the session through /acp?agent=lasting: the idle agent gives it up"
            #expect(refusal?["code"]?.int64Value == -32022)
            #expect(refusal?["message"]?.stringValue?.hasSuffix(advice) == true, "\(refusal?.rawString ?? "")")
            let client = try RemoteTestClient(home, path: "/acp?agent=lasting")
            _ = try client.wire.call("initialize", version1)
            let load = #"{"sessionId":"\#(session)","cwd":"\#(home.path)","mcpServers":[]}"#
            let answer = try client.wire.call("session/load", load)
            #expect(answer["result"] != nil, "\(answer.rawString)")
        }
    }

    @Test func anEditorOfVersion2ContinuesAnIdleSessionOfVersion1() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try addAgent(home)
            let first = try editor(home, version: 1, options: ["--keep"])
            try first.prompt(Self.text)
            try first.end()
            let second = try editor(home, loading: first.sessionId, version: 2)
            #expect(second.opening?["result"] != nil, "\(second.opening?.rawString ?? "")")
            try second.prompt(Self.text)
        }
    }

    @Test(arguments: ["/acp", "/tinyvex"]) func aRemoteClientContinuesASessionOfAnotherVersion(path: String) throws {
        try BridgeHome.with { home in
            let (client, session, first) = try begin(home)
            let remote = try RemoteTestClient(home, path: "\(path)?agent=lasting")
            try remote.initialize()
            let params = #"{"sessionId":"\#(session)","cwd":"\#(home.path)","mcpServers":[]}"#
            let opening = try remote.wire.call("session/load", params)
            #expect(opening["result"] != nil, "\(opening.rawString)")
            try remote.ask("p", "session/prompt", RemoteTestClient.prompt(session, Self.text))
            let answer = try remote.messages(untilAnswerTo: "p").last
            #expect(answer?["result"]?["stopReason"]?.stringValue == "end_turn")
            #expect(try !pids(client).contains(first))
        }
    }

    /// The former agent closes only the session, and only while no client has it.
    @Test func theFormerAgentKeepsItsOtherSessions() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            try addAgent(home)
            let owner = try editor(home, version: 2, options: ["--keep"])
            let params = #"{"cwd":"\#(home.path)","mcpServers":[]}"#
            let other = try #require(try owner.ask("session/new", params)["result"]?["sessionId"]?.stringValue)
            try owner.prompt(Self.text)
            let client = try TinyvexTestClient(home)
            let first = try #require(try pids(client).first)
            #expect(code(try editor(home, loading: owner.sessionId, version: 1).opening) == -32022)
            try owner.end()
            let editor = try editor(home, loading: owner.sessionId, version: 1)
            #expect(editor.opening?["result"] != nil, "\(editor.opening?.rawString ?? "")")
            try editor.prompt(Self.text)
            #expect(try pids(client).contains(first))
            let text = #"{"sessionId":"\#(other)","text":"\#(Self.text)"}"#
            #expect(try client.actionValue("sessions:prompt", text)["stopReason"]?.stringValue == "end_turn")
        }
    }

    @Test func aSessionThatWaitsForAnAnswerStaysWithItsAgent() throws {
        try BridgeHome.with { home in
            let (client, session, first) = try begin(home)
            let asking = try RemoteTestClient(home, path: "/tinyvex")
            let text = #"{"sessionId":"\#(session)","text":"hello 3 words"}"#
            try asking.ask("p", "tinyvex/action", TinyvexTestClient.action("sessions:prompt", text))
            try eventually("the agent asks") {
                try client.query("permissions:pending", "{}")?.elements.isEmpty == false
            }
            #expect(code(try editor(home, loading: session, version: 1).opening) == -32022)
            #expect(try pids(client).contains(first))
        }
    }

    /// A client that has joined the session would lose it.
    @Test func aSessionOfAnotherClientStaysWithItsAgent() throws {
        try BridgeHome.with { home in
            let (client, session, _) = try begin(home)
            let joined = try RemoteTestClient(home, path: "/tinyvex")
            let option = #"{"sessionId":"\#(session)","prompt":[{"type":"text","text":"\#(Self.text)"}]}"#
            _ = try joined.wire.call("initialize", #"{"protocolVersion":2,"info":{"name":"t","version":"1"}}"#)
            #expect(try joined.wire.call("session/prompt", option)["result"] != nil)
            try eventually("the turn has ended") {
                try client.query("sessions:get", #"{"sessionId":"\#(session)"}"#)?["turnRunning"]?.boolValue != true
            }
            #expect(code(try editor(home, loading: session, version: 1).opening) == -32022)
        }
    }
}
