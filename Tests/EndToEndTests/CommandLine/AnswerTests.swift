import AgentProcess
import Glibc
import JSONScan
import Testing

/// `answer`, and the same questions at a terminal.
@Suite(.blocking) struct AnswerTests {
    private static let asksForm = "ask form quiet pace=0"

    /// An editor with an agent that waits for the answer to a request of this method.
    private func whileAsked(
        _ method: String, by prompt: String, _ body: (BridgeHome, EditorSession) throws -> Void
    ) throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(
                [Binary.demoAgent], in: home, capabilities: #"{"elicitation":{"form":{},"url":{}}}"#)
            try editor.send(prompt: prompt)
            try editor.process.readLines(until: method)
            try body(home, editor)
            try editor.end()
        }
    }

    private func answer(_ arguments: [SystemString], in home: BridgeHome) throws -> Outcome {
        let process = try EditorProcess([Binary.acpbridge, "answer"] + arguments, in: home)
        process.closeInput()
        return try process.outcome()
    }

    private func rows(_ home: BridgeHome, _ arguments: SystemString...) throws -> [JSONValue] {
        let outcome = try answer(arguments + ["--json"], in: home)
        #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
        return try wholeLines(of: outcome.output).map(JSONValue.init(validating:))
    }

    private func expect(
        _ arguments: [SystemString], in home: BridgeHome, status: Int32, says words: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try answer(arguments, in: home)
        #expect(outcome.status == .exited(code: status), "\(outcome.errorText)", sourceLocation: sourceLocation)
        #expect(
            words.isEmpty || outcome.errorText.contains(words), "\(outcome.errorText)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("session/request_permission", "hello 3 chunks pace=0"), ("elicitation/create", asksForm),
    ])
    func aSessionThatWaitsIsListedFirst(method: String, prompt: String) throws {
        try whileAsked(method, by: prompt) { home, editor in
            let other = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try other.prompt("later")
            let rows = try home.run("sessions").outputText.split(separator: "\n").dropFirst()
            #expect(rows.count == 2)
            #expect(rows.first?.contains(editor.sessionId) == true && rows.first?.contains("waiting") == true)
            #expect(rows.last?.contains("waiting") == false)
            let pending = try wholeLines(of: home.run("sessions", "--json").output).map(JSONValue.init(validating:))
                .filter { $0["pending"]?.int64Value == 1 }
            #expect(pending.map { $0["sessionId"]?.stringValue } == [editor.sessionId])
            try other.end()
            let answer: [SystemString] = method == "elicitation/create" ? ["--cancel"] : ["--option", "allow"]
            try expect([SystemString(editor.sessionId)] + answer, in: home, status: 0)
            try editor.waitForAnswer()
        }
    }

    @Test func aPermissionRequestIsListedAndAnswered() throws {
        try whileAsked("session/request_permission", by: "hello 3 chunks pace=0") { home, editor in
            let row = try #require(rows(home).first)
            #expect(row["kind"]?.stringValue == "permission")
            #expect(row["sessionId"]?.stringValue == editor.sessionId)
            #expect(try home.run("answer").outputText.contains("allow, allow-always, reject, reject-always"))
            try expect(["latest", "--option", "Allow"], in: home, status: 64, says: "no option 'Allow'")
            try expect(["latest", "--accept"], in: home, status: 64, says: "'allow'")
            try expect(["latest", "nothing", "--cancel"], in: home, status: 1, says: "'nothing'")

            let id = try #require(row["requestId"])
            let answer = try home.run(
                "answer", "latest", SystemString(id.stringValue ?? id.rawString), "--option", "allow", "--json")
            #expect(answer.status == .exited(code: 0), "\(answer.errorText)")
            #expect(answer.outputText.contains(#""answered":true"#))
            try editor.waitForAnswer()
            try expect(["latest", "--option", "allow"], in: home, status: 1, says: "no request")
        }
    }

    @Test func aFormIsCheckedAndAnswered() throws {
        try whileAsked("elicitation/create", by: Self.asksForm) { home, editor in
            let row = try #require(rows(home, "latest").first)
            #expect(row["kind"]?.stringValue == "elicitation" && row["mode"]?.stringValue == "form")
            try expect(["latest", "--accept"], in: home, status: 64, says: "'topic' is missing")
            try expect(
                ["latest", "--field", "topic=sea", "--field", "lines=many"], in: home, status: 64,
                says: "'lines' must be a whole number")
            try expect(["latest", "--field", "colour=pink"], in: home, status: 64, says: "'red', 'green' or 'blue'")
            try expect(["latest", "--option", "1"], in: home, status: 64, says: "--accept")
            try expect(["latest", "--accept", "--field", "topic=sea", "--field", "lines=3"], in: home, status: 0)
            try editor.waitForAnswer()
            let stored = try home.run("attach", "latest", "--all", "--no-follow").outputText
            #expect(stored.contains(#""kind":"elicitation_request""#))
            #expect(stored.contains(#""content":{"topic":"sea","lines":3}"#))
            let shown = try home.run("attach", "latest", "--pretty", "--no-follow").outputText
            #expect(shown.contains("? How should the demo continue?\n  accept ("))
        }
    }

    @Test(arguments: ["--decline", "--cancel"]) func aPageIsRefused(option: String) throws {
        try whileAsked("elicitation/create", by: "ask url quiet pace=0") { home, editor in
            try expect(["latest", SystemString(option)], in: home, status: 0)
            try editor.waitForAnswer()
            #expect(try rows(home).isEmpty)
        }
    }

    @Test func withoutABridgeNothingWaits() throws {
        try BridgeHome.with { home in
            let outcome = try home.run("answer")
            #expect(outcome.status == .exited(code: 0) && outcome.output.isEmpty)
            #expect(outcome.errorText == "No request waits for an answer.\n")
            #expect(home.daemon == nil)
        }
    }

    @Test func anUnknownSessionHasItsOwnStatus() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try expect(["unheard-of"], in: home, status: 3)
            try expect([SystemString(editor.sessionId)], in: home, status: 0, says: "No request")
            try editor.end()
        }
    }

    /// Only one client's answer counts, and the dialogs of the others end.
    @Test func aTerminalFillsInAForm() throws {
        try whileAsked("elicitation/create", by: Self.asksForm) { home, editor in
            let terminal = try EditorProcess([Binary.acpbridge, "answer", "latest"], in: home, wiring: .terminal)
            func wait(_ words: String) throws {
                try terminal.wait(until: "the terminal shows '\(words)'") {
                    String(decoding: terminal.outputBytes, as: UTF8.self).contains(words)
                }
            }
            try wait("1 Answer  2 Decline  3 Cancel: ")
            try terminal.sendLine("1")
            try wait("Topic: ")
            try terminal.sendLine("the sea")
            try wait("Lines (a whole number): ")
            try terminal.sendLine("many")
            try wait("'lines' must be a whole number.")
            try terminal.sendLine("3")
            try wait("Are you sure? (yes or no): ")
            try terminal.sendLine("yes")
            try wait("Colour (1 red  2 green  3 blue): ")
            try terminal.sendLine("")
            #expect(try terminal.outcome().status == .exited(code: 0))
            try editor.waitForAnswer()
            let stored = try home.run("attach", "latest", "--all", "--no-follow").outputText
            #expect(stored.contains(#""content":{"topic":"the sea","lines":3,"sure":true}"#))
        }
    }

    @Test func anAttachedTerminalAsksForTheAnswerToAForm() throws {
        try whileAsked("elicitation/create", by: Self.asksForm) { home, editor in
            let viewer = try EditorProcess(
                [Binary.acpbridge, "attach", "latest", "--pretty"], in: home, wiring: .terminal)
            func wait(_ words: String) throws {
                try viewer.wait(until: "the terminal shows '\(words)'") {
                    String(decoding: viewer.outputBytes, as: UTF8.self).contains(words)
                }
            }
            try wait("1 Answer  2 Decline  3 Cancel: ")
            try viewer.sendLine("2")
            try wait("decline (")
            try editor.waitForAnswer()
        }
    }

    /// An agent that asks its client to log in before it accepts the first prompt. The request has no session.
    private static let agentWithLogin = shell(
        #"""
        while read -r line; do case $line in
        *'"initialize"'*) echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}' ;;
        *'"session/new"'*) echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s-login"}}' ;;
        *'"session/prompt"'*) echo '{"jsonrpc":"2.0","id":"login","method":"elicitation/create","params":{"requestId":3,"mode":"url","elicitationId":"e","message":"Enter the code AB-12","url":"https://example.com/device"}}' ;;
        *'"action"'*) echo '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}' ;;
        esac; done
        """#)

    /// The editor, an observer and a controller see the login; one answer counts.
    @Test(arguments: ["s-login", "pid"]) func aLoginReachesEveryViewer(name: String) throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(
                Self.agentWithLogin, in: home, capabilities: #"{"elicitation":{"url":{}}}"#)
            let viewers = try [SystemString("--pretty"), "--envelope"].map {
                try EditorProcess([Binary.acpbridge, "attach", "s-login", $0], in: home)
            }
            try editor.send(prompt: "hello")
            try editor.process.readLines(until: "elicitation/create")
            for viewer in viewers { try viewer.waitForError("Enter the code AB-12 https://example.com/device") }
            let row = try #require(rows(home).first)
            #expect(row["sessionId"] == nil && row["requestId"]?.stringValue == "login")
            let process = try #require(row["pid"]?.int64Value)
            #expect(try home.run("answer").outputText.contains("pid:\(process)"))
            let asker = name == "pid" ? "pid:\(process)" : name
            try expect([SystemString(asker), "--accept"], in: home, status: 0)
            try editor.waitForAnswer()
            #expect(try rows(home).isEmpty)
        }
    }

    @Test func anAttachedTerminalAsksForTheAnswerToALogin() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession(
                Self.agentWithLogin, in: home, capabilities: #"{"elicitation":{"url":{}}}"#)
            let viewer = try EditorProcess(
                [Binary.acpbridge, "attach", "latest", "--pretty"], in: home, wiring: .terminal)
            try editor.send(prompt: "hello")
            try viewer.wait(until: "the terminal asks") {
                String(decoding: viewer.outputBytes, as: UTF8.self).contains("1 Accept  2 Decline  3 Cancel: ")
            }
            try viewer.sendLine("1")
            try editor.waitForAnswer()
        }
    }

    @Test func subagentsAreListedBelowTheirParent() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home, capabilities: #"{"subagents":{}}"#)
            try editor.prompt("2 subagents quiet pace=0")
            let plain = try wholeLines(of: home.run("sessions", "--json").output)
            #expect(plain.count == 1)
            let rows = try wholeLines(of: home.run("sessions", "--tree", "--json").output).map(
                JSONValue.init(validating:))
            #expect(rows.count == 3)
            #expect(rows.first?["sessionId"]?.stringValue == editor.sessionId)
            #expect(rows.dropFirst().allSatisfy { $0["parentId"]?.stringValue == editor.sessionId })
            #expect(try home.run("sessions", "--tree").outputText.contains("\n  "))
            let shown = try home.run("attach", "latest", "--pretty", "--no-follow").outputText
            for number in 1...2 {
                #expect(shown.contains("\nsubagent \(number): "))
                #expect(shown.contains("\n    [\(number)] message from \(editor.sessionId) to "))
            }
            try editor.end()
        }
    }
}
