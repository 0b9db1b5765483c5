import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// A new editor replaces an editor that has gone.
@Suite(.blocking) struct TakingOverTests {
    private let keep: [SystemString] = ["--keep"]

    /// A session with some history, after its editor has left.
    private func leftBehind(in home: BridgeHome) throws -> String {
        let editor = try EditorSession([Binary.demoAgent], in: home, options: keep)
        try editor.prompt("hello 20 chunks no permission")
        editor.process.closeInput()
        #expect(try editor.process.exitStatus() == .exited(code: 0))
        return editor.sessionId
    }

    private func agents(in home: BridgeHome) -> [pid_t] {
        home.processes.filter { $0.command.first?.hasSuffix("acpbridge-demo-agent") == true }.map(\.pid)
    }

    @Test func aLoadSendsTheWholeHistoryBeforeItsResponse() throws {
        try BridgeHome.with { home in
            let session = try leftBehind(in: home)
            let before = agents(in: home)
            let stored = try TinyvexTestClient(home).history(of: session).map {
                String(decoding: $0.line, as: UTF8.self)
            }
            let editor = try EditorProcess([Binary.acpbridge] + keep + ["--", Binary.demoAgent], in: home)
            try editor.exchange(
                #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#, until: #""id":0"#)
            let lines = try editor.exchange(
                #"{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"\#(session)","cwd":"/","mcpServers":[]}}"#,
                until: #""id":1"#)
            let updates = lines.dropLast().map { $0.trimmingLineFeed }
            #expect(updates.filter { !$0.contains("user_message_chunk") } == stored)
            #expect(updates.count == stored.count + 1, "the prompt is in the history, too")
            #expect(lines.last?.contains(#""modes""#) == true)
            #expect(agents(in: home) == before)

            // The session now belongs to this editor: it sends prompts, receives requests, and sees the updates.
            try editor.sendLine(
                #"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":\#(RemoteTestClient.prompt(session, "hello 5 chunks no permission"))}"#
            )
            let turn = try editor.readLines(until: #""id":2"#)
            #expect(turn.last?.contains("end_turn") == true)
            #expect(turn.count { $0.contains("agent_message_chunk") } == 5)
        }
    }

    /// An earlier fault: the shim ended with the input, and two answers were lost.
    @Test func anEditorWhoseInputEndsGetsAllAnswers() throws {
        try BridgeHome.with { home in
            let session = try leftBehind(in: home)
            let editor = try EditorProcess([Binary.acpbridge] + keep + ["--", Binary.demoAgent], in: home)
            let place = #""sessionId":"\#(session)","cwd":"/","mcpServers":[]"#
            let prompt = RemoteTestClient.prompt(session, "hello 5 chunks no permission")
            let requests = [
                #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#,
                #"{"jsonrpc":"2.0","id":1,"method":"session/load","params":{\#(place)}}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":\#(prompt)}"#,
            ]
            editor.post(Array(requests.map { $0 + "\n" }.joined().utf8))
            editor.closeInput()
            let outcome = try editor.outcome()
            let messages = try wholeLines(of: outcome.output).map { try JSONValue(validating: $0) }
            #expect(outcome.status == .exited(code: 0))
            #expect(messages.filter { $0["result"] != nil }.compactMap { $0["id"]?.int64Value }.sorted() == [0, 1, 2])
            #expect(agents(in: home).count == 1)
        }
    }

    /// The stored updates of each child follow those of its parent. The current rights come after the answer.
    @Test(arguments: [1, 2]) func theHistoryIncludesTheChildren(version: Int) throws {
        try BridgeHome.with { home in
            let capabilities = version == 1 ? #"{"subagents":{}}"# : "{}"
            let first = try EditorSession(
                [Binary.demoAgent], in: home, options: keep, capabilities: capabilities, version: version)
            try first.prompt("hello 2 subagents quiet pace=0 no permission")
            first.process.closeInput()
            #expect(try first.process.exitStatus() == .exited(code: 0))
            try home.waitUntilStored()
            let viewer = try TinyvexTestClient(home)
            let root = try viewer.history(of: first.sessionId).map(\.line)
            let children = try root.compactMap { line -> String? in
                let update = try JSONValue(validating: line)["params"]?["update"]
                guard update?["sessionUpdate"]?.stringValue == "subagent_update" else { return nil }
                return update?["sessionId"]?.stringValue
            }
            #expect(Set(children).count == 2)

            let client = try RemoteTestClient(home, path: "/acp?session=\(first.sessionId)")
            let info =
                version == 1 ? #""clientCapabilities":{}"# : #""info":{"name":"t","version":"1"},"capabilities":{}"#
            _ = try client.wire.call("initialize", #"{"protocolVersion":\#(version),\#(info)}"#)
            let (method, place) =
                version == 1 ? ("session/load", "") : ("session/resume", #","replayFrom":{"type":"start"}"#)
            try client.ask(
                "l", method, #"{"sessionId":"\#(first.sessionId)","cwd":"/","mcpServers":[]\#(place)}"#)
            let loaded = try client.messages(untilAnswerTo: "l").named("session/update")
            func kind(_ message: JSONValue) -> String? { message["params"]?["update"]?["sessionUpdate"]?.stringValue }
            for child in Set(children) {
                let own = loaded.filter { $0["params"]?["sessionId"]?.stringValue == child }
                let ends = own.filter { kind($0) == "replay_complete" }.count
                #expect(ends == version - 1)
                let stored = try viewer.history(of: child).map { String(decoding: $0.line, as: UTF8.self) }
                #expect(!stored.isEmpty)
                #expect(own.filter { kind($0) != "replay_complete" }.map(\.rawString) == stored)
            }
            let next = try client.wire.next("session/update")
            #expect(kind(next) == "subagent_update" && next["params"]?["update"]?["capabilities"] != nil)
            // In version 1 only the parent reports a child's state.
            let state = next["params"]?["update"]?["state"]?["state"]?.stringValue
            #expect(state == (version == 1 ? "idle" : nil))
        }
    }

    @Test func aNewEditorGetsTheAgentsOwnInitializeResult() throws {
        try BridgeHome.with { home in
            let first = try EditorProcess([Binary.acpbridge] + keep + ["--", Binary.demoAgent], in: home)
            let hello = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":\#(RemoteTestClient.hello)}"#
            let own = try #require(try first.exchange(hello, until: #""id":0"#).last)
            try first.exchange(
                #"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}"#,
                until: #""id":1"#)
            first.closeInput()
            #expect(try first.exitStatus() == .exited(code: 0))
            let before = agents(in: home)
            let second = try EditorProcess([Binary.acpbridge] + keep + ["--", Binary.demoAgent], in: home)
            let told = try #require(try second.exchange(hello, until: #""id":0"#).last)
            #expect(
                try JSONValue(validating: Array(told.utf8))["result"]?.rawString
                    == JSONValue(validating: Array(own.utf8))["result"]?.rawString)
            #expect(agents(in: home) == before)
        }
    }

    @Test func aNewAgentLoadsTheSessionWithoutStoringItTwice() throws {
        try BridgeHome.with { home in
            let environment: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let first = try EditorSession([Binary.demoAgent], in: home, environment: environment)
            try first.prompt("hello 20 chunks no permission")
            try first.end()
            func chunks() throws -> [[UInt8]] {
                try TinyvexTestClient(home).history(of: first.sessionId).map(\.line).filter {
                    String(decoding: $0, as: UTF8.self).contains("agent_message_chunk")
                }
            }
            let stored = try chunks()
            #expect(stored.count == 20)
            let second = try EditorSession(
                [Binary.demoAgent], in: home, loading: first.sessionId, environment: environment)
            #expect(second.updates.contains { String(decoding: $0, as: UTF8.self).contains("agent_message_chunk") })
            expectSame(try chunks(), stored)
            try second.prompt("hello 5 chunks no permission")
            expectSame(Array(try chunks().prefix(20)), stored)
            #expect(try chunks().count == 25)
        }
    }

    /// An earlier fault: each child that the new agent announced in the history became a second session with the same
    /// updates.
    @Test(arguments: [1, 2]) func aNewAgentContinuesTheStoredChildren(version: Int) throws {
        try BridgeHome.with { home in
            func editor() throws -> EditorSession {
                try EditorSession(
                    [Binary.demoAgent], in: home, environment: [SystemString("ACP_DEMO_STATE=\(home.path)/demo")],
                    capabilities: version == 1 ? #"{"subagents":{}}"# : "{}", version: version)
            }
            let first = try editor()
            func children() throws -> [String] {
                let rows = try wholeLines(of: home.run("sessions", "--all", "--tree", "--json").output)
                    .map { try JSONValue(validating: $0) }
                return rows.filter { $0["parentId"]?.stringValue == first.sessionId }.map {
                    "\($0["sessionId"]?.stringValue ?? ""): \($0["updateCount"]?.int64Value ?? 0)"
                }.sorted()
            }
            try first.prompt("hello 2 subagents quiet pace=0 no permission")
            try first.end()
            try home.waitUntilStored()
            let before = try children()
            #expect(before.count == 2)
            let second = try editor()
            let (method, place) =
                version == 1 ? ("session/load", "") : ("session/resume", #","replayFrom":{"type":"start"}"#)
            let params = #"{"sessionId":"\#(first.sessionId)","cwd":"\#(home.path)","mcpServers":[]\#(place)}"#
            #expect(try second.ask(method, params)["result"] != nil)
            let after = try children()
            #expect(after == before, "\(after) instead of \(before)")
        }
    }

    @Test func aResumeSendsNoHistory() throws {
        try BridgeHome.with { home in
            let session = try leftBehind(in: home)
            let client = try RemoteTestClient(home, path: "/acp?session=\(session)")
            try client.initialize()
            try client.ask("r", "session/resume", #"{"sessionId":"\#(session)","cwd":"/","mcpServers":[]}"#)
            #expect(try client.messages(untilAnswerTo: "r").count == 1)
        }
    }

    @Test func keptSessionsAreListed() throws {
        try BridgeHome.with { home in
            let session = try leftBehind(in: home)
            let editor = try EditorSession([Binary.demoAgent], in: home, loading: session, options: keep)
            let list = try editor.ask("session/list", "{}")
            let listed = list["result"]?["sessions"]?.elements.compactMap { $0["sessionId"]?.stringValue }
            #expect(listed?.contains(session) == true)
            let times = list["result"]?["sessions"]?.elements.compactMap { $0["updatedAt"]?.stringValue }
            #expect(times?.allSatisfy { $0.hasSuffix("Z") } == true && times?.count == listed?.count)
        }
    }

    @Test func aShimThatOpensANewSessionGetsItsOwnAgent() throws {
        try BridgeHome.with { home in
            let session = try leftBehind(in: home)
            let editor = try EditorSession([Binary.demoAgent], in: home, options: keep)
            #expect(editor.sessionId != session)
            #expect(agents(in: home).count == 2)
            try editor.prompt("hello 5 chunks no permission")
        }
    }

    @Test func pendingRequestsAreSentAfterTheLoadResponse() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home)
            try first.send(prompt: "hello 3 chunks")
            _ = try first.process.readLines(until: "session/request_permission")
            first.process.kill(SIGKILL)
            _ = try first.process.exitStatus()
            let second = try EditorSession([Binary.demoAgent], in: home, loading: first.sessionId)
            let asked = try #require(try second.process.readLines(until: "session/request_permission").last)
            let request = try JSONValue(validating: Array(asked.utf8))
            let option = request["params"]?["options"]?.elements.first?["optionId"]?.stringValue ?? ""
            try second.process.sendLine(
                #"{"jsonrpc":"2.0","id":\#(request["id"]?.rawString ?? ""),"result":{"outcome":{"outcome":"selected","optionId":"\#(option)"}}}"#
            )
            let viewer = try TinyvexTestClient(home)
            _ = try viewer.subscribe(first.sessionId, after: 0, stream: "sessions:timeline")
            while try viewer.next("tinyvex/data")["params"]?["value"]?["kind"]?.stringValue != "turn_end" {}
        }
    }

    /// The agent was started with file capabilities, and no message revokes them. The agent therefore requests files. The
    /// bridge answers for a client that does not support them.
    @Test func theBridgeRefusesFileRequestsToAClientWithoutFiles() throws {
        try BridgeHome.with { home in
            let files = #"{"fs":{"readTextFile":true,"writeTextFile":true}}"#
            let first = try EditorSession([Binary.demoAgent], in: home, options: keep, capabilities: files)
            first.process.closeInput()
            #expect(try first.process.exitStatus() == .exited(code: 0))
            let client = try TinyvexTestClient(home)
            _ = try client.watch("sessions:get", #"{"sessionId":"\#(first.sessionId)"}"#)
            #expect(try client.nextValue().value["missingCapabilities"] == nil)
            let second = try EditorSession([Binary.demoAgent], in: home, loading: first.sessionId, options: keep)
            let missing = try client.value { $0["missingCapabilities"] != nil }["missingCapabilities"]
            #expect(missing?.rawString == #"["fs.readTextFile","fs.writeTextFile"]"#)
            try second.prompt("hello 3 chunks no permission")
            let seen = String(decoding: second.process.outputBytes, as: UTF8.self)
            #expect(!seen.contains(#""method":"fs/"#))
            let updates = try TinyvexTestClient(home).history(of: first.sessionId).map {
                String(decoding: $0.line, as: UTF8.self)
            }
            #expect(updates.contains { $0.contains(#""status":"failed""#) && $0.contains("does not support fs.") })
        }
    }

    @Test func theShimEndsWithTheAgentsSignal() throws {
        try BridgeHome.with { home in
            let session = try leftBehind(in: home)
            let editor = try EditorSession([Binary.demoAgent], in: home, loading: session, options: keep)
            kill(try #require(agents(in: home).first), SIGKILL)
            #expect(try editor.process.exitStatus() == .signaled(signal: SIGKILL))
        }
    }
}

extension String {
    fileprivate var trimmingLineFeed: String { last == "\n" ? String(dropLast()) : self }
}
