import AgentProcess
import Glibc
import JSONScan
import Testing

/// `acpbridge connect SESSION`: a second editor joins a session that runs.
@Suite(.blocking) struct ConnectSessionTests {
    /// A second editor. It begins with `initialize` and `session/new`, as editors do.
    private func join(_ name: String, in home: BridgeHome, version: Int = 1) throws -> EditorSession {
        try EditorSession([], in: home, options: ["connect", SystemString(name)], version: version)
    }

    private func kinds(_ lines: [String]) -> [String] {
        lines.compactMap { line in
            let value = try? JSONValue(validating: Array(line.utf8))
            return value?["params"]?["update"]?["sessionUpdate"]?.stringValue ?? value?["method"]?.stringValue
        }
    }

    private func expectTurn(of editor: EditorSession, _ word: String) throws {
        try editor.send(prompt: "\(word) 2 chunks pace=0 no permission")
        let answer = try editor.waitForAnswer()
        #expect(answer["result"]?["stopReason"]?.stringValue == "end_turn", "\(answer.rawString)")
    }

    /// Waits until the editor has everything that its agent has written up to now.
    private func settle(_ editor: EditorSession) throws { try editor.ask("no/such/method", "{}") }

    @Test func aSecondEditorWorksInTheSessionBesideTheFirst() throws {
        try BridgeHome.with { home in
            let asked = "\(home.path)/asked"
            let first = try EditorSession(shell(#"tee "$1" | "$2""#, SystemString(asked), Binary.demoAgent), in: home)
            try first.prompt("one 3 chunks pace=0 no permission")
            try first.send(prompt: "two 3 chunks pace=0")
            let request = try #require(try first.process.readLines(until: "session/request_permission").last)

            let second = try join("latest", in: home)
            #expect(second.sessionId == first.sessionId)
            #expect(second.opening?["result"]?["modes"]?.rawString == first.opening?["result"]?["modes"]?.rawString)
            let history = try second.process.readLines(until: "session/request_permission")
            #expect(history.last == request)
            let prompts = history.filter { $0.contains("user_message_chunk") }
            #expect(prompts.count == 2 && prompts.first?.contains("one 3 chunks") == true, "\(prompts)")
            try second.process.waitForError("acpbridge: joining \(first.sessionId) of ")

            let asking = try JSONValue(validating: Array(request.utf8))
            let id = try #require(asking["id"]?.rawString)
            let option = try #require(asking["params"]?["options"]?.elements.first?["optionId"]?.stringValue)
            let answer = #"{"outcome":{"outcome":"selected","optionId":"\#(option)"}}"#
            try second.process.sendLine(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(answer)}"#)
            #expect(try first.process.readLines(until: "$/cancel_request").last?.contains(id) == true)
            #expect(try first.waitForAnswer()["result"]?["stopReason"]?.stringValue == "end_turn")

            try expectTurn(of: second, "three")
            try expectTurn(of: first, "four")
            try settle(first)
            try eventually("the second editor has the updates") {
                _ = try second.process.lineAtHand(within: .milliseconds(20))
                return second.updates.filter { !String(decoding: $0, as: UTF8.self).contains("user_message_chunk") }
                    == first.updates
            }
            // The agent has no request of the second editor but its prompt, and the first editor sees none of its answers.
            let read = try #require(FileBytes.read(asked))
            let lines = wholeLines(of: read).map { String(decoding: $0, as: UTF8.self) }
            #expect(lines.count { $0.contains(#""session/new""#) } == 1)
            #expect(lines.count { $0.contains(#""initialize""#) } == 1)
            #expect(lines.count { $0.contains(#""session/prompt""#) } == 4)
            let bytes = String(decoding: first.process.outputBytes, as: UTF8.self)
            #expect(
                !bytes.contains("user_message_chunk")
                    && bytes.split(separator: "\n").count { $0.contains("end_turn") } == 3)
            try second.end()
            try expectTurn(of: first, "five")
        }
    }

    @Test func aSecondEditorInVersion2GetsTheHistoryAndThenTheStateAndTheRequests() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home, version: 2)
            try first.send(prompt: "one 3 chunks pace=0")
            _ = try first.process.readLines(until: "session/request_permission")
            let second = try join(String(first.sessionId.dropLast()), in: home, version: 2)
            #expect(second.sessionId == first.sessionId)
            let found = kinds(try second.process.readLines(until: "session/request_permission"))
            let completed = try #require(found.firstIndex(of: "replay_complete"))
            #expect(found[..<completed].contains("user_message"), "\(found)")
            #expect(found[completed...].contains("state_update"), "\(found)")
            #expect(found.last == "session/request_permission")
        }
    }

    @Test func theSecondEditorContinuesAfterAReplacementOfTheBridgeAndTheEndOfTheFirst() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home)
            let second = try join("latest", in: home)
            try expectTurn(of: second, "one")
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            try expectTurn(of: second, "two")
            first.process.kill(SIGKILL)
            _ = try first.process.exitStatus()
            try expectTurn(of: second, "three")
            #expect(try home.run("stop", SystemString(second.sessionId)).status == .exited(code: 0))
            _ = try second.process.outcome()
        }
    }

    @Test func theSecondEditorContinuesAfterTheFirstHasClosedItsInput() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home)
            let second = try join("latest", in: home)
            #expect(try first.end().status == .exited(code: 0))
            try expectTurn(of: second, "one")
            try second.end()
        }
    }

    @Test func anEditorThatClosesItsInputDuringATurnGetsItsAnswerBeforeItLeaves() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home)
            let second = try join("latest", in: home)
            try first.send(prompt: "one 300 chunks pace=0, no permission")
            let outcome = try first.end()
            #expect(outcome.status == .exited(code: 0))
            #expect(outcome.outputText.contains("end_turn"))
            try expectTurn(of: second, "two")
            try second.end()
        }
    }

    @Test func theSecondEditorGetsTheAgentsExitStatus() throws {
        try BridgeHome.with { home in
            let first = try EditorSession(rude("crash", "--on", "prompt", "--code", "7"), in: home)
            let second = try join("latest", in: home)
            try first.send(prompt: "x")
            #expect(try second.process.exitStatus() == .exited(code: 7))
        }
    }

    @Test func aSecondEditorOfAnotherVersionIsRefused() throws {
        try BridgeHome.with { home in
            let first = try EditorSession([Binary.demoAgent], in: home)
            let second = try EditorProcess([Binary.acpbridge, "connect", SystemString(first.sessionId)], in: home)
            let hello = #"{"protocolVersion":2,"info":{"name":"test","version":"1"},"capabilities":{}}"#
            let refused = try second.exchange(
                #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":\#(hello)}"#, until: #""error""#)
            #expect(refused.last?.contains("-32022") == true)
        }
    }

    @Test func withoutARunningSessionNothingIsJoinedOrStarted() throws {
        try BridgeHome.with { home in
            let none = try home.run("connect", "latest")
            #expect(none.status == .exited(code: 3) && none.output.isEmpty)
            #expect(none.errorText.contains("no session is running"), "\(none.errorText)")
            #expect(home.processes.isEmpty)
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let unknown = try home.run("connect", "never-was")
            #expect(unknown.status == .exited(code: 3))
            #expect(unknown.errorText.contains("no session matches 'never-was'"), "\(unknown.errorText)")
            try editor.prompt("one 1 chunks pace=0 no permission")
            try editor.end()
            try home.waitUntilEnded()
            let ended = try home.run("connect", SystemString(editor.sessionId))
            #expect(ended.status == .exited(code: 1) && ended.output.isEmpty)
            #expect(ended.errorText.contains("has ended"), "\(ended.errorText)")
        }
    }

    /// Editors show the error of `initialize`, and hide the standard error of their agents.
    @Test func anEditorIsToldInTheAnswerToInitializeWhyItCannotJoin() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess([Binary.acpbridge, "connect", "latest"], in: home)
            let hello = #"{"protocolVersion":1,"clientCapabilities":{}}"#
            let refused = try editor.exchange(
                #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":\#(hello)}"#, until: #""error""#)
            let answer = try JSONValue(validating: Array((refused.last ?? "").utf8))
            #expect(answer["id"]?.stringValue == "a" && answer["error"]?["code"]?.int64Value == -32002)
            #expect(answer["error"]?["message"]?.stringValue?.contains("no session is running") == true)
            let outcome = try editor.outcome()
            #expect(outcome.status == .exited(code: 3) && outcome.errorText.contains("no session is running"))
        }
    }

    @Test func oneOfSeveralSessionsWithAnIdIsJoinedByItsAgent() throws {
        try BridgeHome.with { home in
            let link = home.path + "/other-agent"
            #expect(symlink(Binary.rudeAgent.description, link) == 0)
            let one = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let other = try EditorSession([SystemString(link), "echo"], in: home)
            let several = try home.run("connect", "rude-1")
            #expect(several.status == .exited(code: 3) && several.output.isEmpty)
            #expect(several.errorText.contains("rude-agent:rude-1") && several.errorText.contains("other-agent:rude-1"))
            let joined = try join("other-agent:rude-1", in: home)
            #expect(joined.sessionId == "rude-1")
            let countBefore = one.updates.count
            try joined.prompt("hello")
            _ = try other.process.readLines(until: #""update 2""#)
            try settle(one)
            #expect(one.updates.count == countBefore)
        }
    }

    @Test func aSessionOfAPeerIsReportedAsSuch() throws {
        try BridgeHome.with { there in
            _ = try Daemon(there)
            let editor = try EditorSession([Binary.demoAgent], in: there)
            try BridgeHome.with { home in
                _ = try Daemon(home, ["--no-tcp", "--peer", SystemString("unix:\(there.socket)")])
                try eventually("the peer's session is listed") {
                    try home.run("sessions").outputText.contains(editor.sessionId)
                }
                let outcome = try home.run("connect", SystemString(editor.sessionId))
                #expect(outcome.status == .exited(code: 1))
                #expect(outcome.errorText.contains("runs at the bridge"), "\(outcome.errorText)")
                #expect(outcome.errorText.contains("/acp?session=\(editor.sessionId)"), "\(outcome.errorText)")
            }
        }
    }
}
