import AgentProcess
import Glibc
import JSONScan
import Testing

/// One conversation of ACP version 2 through a bridge, with a scripted agent: turns, background work, a withdrawn
/// permission request, a queued prompt, a child, an elicitation, and an editor that takes the session over. At each
/// mark of the script the state that clients see is checked.
@Suite(.blocking) struct Version2ConversationTests {
    @Test func everyStepHasTheStateThatClientsSee() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let conversation = try ScriptedConversation(home)
            try conversation.play()
            try conversation.takeOver()
        }
    }
}

private enum ScriptStep {
    /// A line that the editor sends.
    case editor(String)
    /// A line that the agent writes. `@ID@` in it is the id of the request before, which the bridge has chosen.
    case agent(String)
    case mark(String)

    /// Nil for a line that another client causes.
    init?(_ line: Substring) {
        if line.hasPrefix("A ") {
            self = .agent(String(line.dropFirst(2)))
        } else if line.hasPrefix("C {\"") {
            self = .editor(String(line.dropFirst(2)))
        } else if line.hasPrefix("# ") {
            self = .mark(String(line.dropFirst(2)))
        } else {
            return nil
        }
    }
}

private final class ScriptedConversation {
    private let home: BridgeHome
    private let steps: [ScriptStep]
    private let editor: EditorProcess
    private let viewer: TinyvexTestClient
    /// Sends the prompt that waits for the end of a turn.
    private let prompter: TinyvexTestClient

    init(_ home: BridgeHome) throws {
        self.home = home
        let script = try #require(Fixture.bytes("version2.conversation.txt"))
        steps = String(decoding: script, as: UTF8.self).split(separator: "\n").compactMap(ScriptStep.init)
        editor = try EditorProcess(Self.command(home), in: home)
        viewer = try TinyvexTestClient(home)
        prompter = try TinyvexTestClient(home)
    }

    private static func command(_ home: BridgeHome) -> [SystemString] {
        let files = [Fixture.path("scripted-agent.sh"), Fixture.path("version2.conversation.txt"), received(home)]
        return BridgeHome.bridged(["/bin/sh"] + files.map { SystemString($0) })
    }

    /// The file with every line that the agent has read.
    private static func received(_ home: BridgeHome) -> String { "\(home.path)/received" }

    private var receivedLines: [String] {
        wholeLines(of: FileBytes.read(Self.received(home)) ?? []).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: The first editor

    /// Plays the script up to the mark at which the first editor is killed.
    func play() throws {
        for step in steps {
            switch step {
            case .editor(let line): try editor.sendLine(line)
            // The answer to a request of the bridge is not the editor's.
            case .agent(let line): if !line.contains("@ID@") { #expect(try editor.readLine() == line) }
            case .mark("alone"): return try leave()
            case .mark(let name): try check(name)
            }
        }
    }

    private func check(_ mark: String) throws {
        switch mark {
        case "open": break
        case "first permission":
            try expect("running")
            try expectPending("permissions:pending", ["S1 0"])
        case "background":
            try expect("idle busy 1")
            try expectPending("permissions:pending", [])
        case "second permission":
            try expect("running 1")
            try expectPending("permissions:pending", ["S1 1"])
            try queuePrompt()
        case "withdrawn":
            try expectPending("permissions:pending", [])
            try expect("running 1")
            #expect(!receivedLines.contains { $0.contains("then commit") })
        case "cancelled": break  // The bridge sends the queued prompt at once.
        case "queued": try checkQueuedPrompt()
        case "background ended": try expect("idle")
        case "child permission": try checkChild()
        case "child idle":
            try expect("idle")
            try expect("idle", of: "S1.a")
        case "elicitation": try answerElicitation()
        default: Issue.record("the script has the unknown mark \(mark)")
        }
    }

    /// Both prompts use one connection, so the second is read after the first is queued.
    private func queuePrompt() throws {
        try prompter.send(
            #"{"jsonrpc":"2.0","id":"q","method":"tinyvex/action","params":"#
                + action("sessions:prompt", #"{"sessionId":"S1","text":"then commit","queue":true}"#) + "}")
        let refused = try prompter.call(
            "tinyvex/action", action("sessions:prompt", #"{"sessionId":"S1","text":"now"}"#))
        #expect(refused.errorCode == "TVX012")
    }

    private func checkQueuedPrompt() throws {
        let answer = try JSONValue(validating: try prompter.nextMessage())
        #expect(answer["id"]?.stringValue == "q")
        #expect(answer["result"]?["value"]?["messageId"]?.stringValue == "u3")
        #expect(answer["result"]?["value"]?["stopReason"]?.stringValue == "end_turn")
        try expect("idle busy 1")
    }

    private func checkChild() throws {
        try expect("idle busy")
        try expect("running", of: "S1.a")
        #expect(try row("S1.a")?["parentId"]?.stringValue == "S1")
        try expectPending("permissions:pending", ["S1.a 2"])
        let prompt = try viewer.call(
            "tinyvex/action", action("sessions:prompt", #"{"sessionId":"S1.a","text":"now"}"#))
        #expect(prompt.errorCode == "-32602")
    }

    private func answerElicitation() throws {
        try expectPending("elicitations:pending", ["S1.a 3"])
        let answer = #"{"sessionId":"S1.a","requestId":3,"action":"accept","content":{"branch":"main"}}"#
        #expect(
            try viewer.mutate("elicitations:answer", answer)["result"]?["value"]?["answered"]?.boolValue == true)
        // The editor's dialog closes.
        #expect(
            try editor.readLine() == #"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":3}}"#)
    }

    /// The editor is killed while only background work keeps the agent.
    private func leave() throws {
        try expect("idle busy 1")
        for session in ["S1", "S1.a"] {
            let wanted = updates(of: session)
            try eventually("the updates of \(session) are stored") {
                try viewer.history(of: session).count == wanted.count
            }
            #expect(try viewer.history(of: session).map { String(decoding: $0.line, as: UTF8.self) } == wanted)
        }
        editor.kill(SIGKILL)
        _ = try editor.exitStatus()
    }

    // MARK: The second editor

    func takeOver() throws {
        let second = try EditorProcess(Self.command(home), in: home)
        try second.exchange(
            #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2,"info":{"name":"second","version":"1"},"capabilities":{"elicitation":{"form":{}}}}}"#,
            until: #""id":0"#)
        let resumed = try second.exchange(
            #"{"jsonrpc":"2.0","id":1,"method":"session/resume","params":{"sessionId":"S1","cwd":"/w","replayFrom":{"type":"start"}}}"#,
            until: #""id":1,"#
        )
        let state =
            #"{"sessionUpdate":"state_update","state":"idle","background":[{"type":"terminal","terminalId":"t3"}]}"#
        let end = #"{"sessionUpdate":"replay_complete"}"#
        #expect(
            resumed
                == updates(of: "S1") + [update("S1", end)] + updates(of: "S1.a") + [update("S1.a", end)]
                + [update("S1", state)]
                + [
                    #"{"jsonrpc":"2.0","id":1,"result":{"configOptions":[],"availableCommands":[{"name":"mcp","description":"servers"}]}}"#
                ]
        )
        let child = #"{"sessionUpdate":"subagent_update","sessionId":"S1.a","capabilities":{"cancel":{}}}"#
        #expect(try second.readLine() == update("S1", child))
        #expect(
            try second.readLine()
                == update("S1.a", #"{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}"#))
        try endBackground(second)
        try endSession(second)
    }

    private func endBackground(_ second: EditorProcess) throws {
        let lines = try second.exchange(
            #"{"jsonrpc":"2.0","id":2,"method":"terminal/cancel","params":{"sessionId":"S1","terminalId":"t3"}}"#,
            until: #""background":[]"#
        )
        let script = steps.compactMap { step in if case .agent(let line) = step { line } else { nil } }
        #expect(lines == [#"{"jsonrpc":"2.0","id":2,"result":{}}"#] + script.suffix(2))
        try expect("idle")
    }

    /// Nothing keeps the agent any longer.
    private func endSession(_ second: EditorProcess) throws {
        second.closeInput()
        #expect(try second.exitStatus() == .exited(code: 0))
        for session in ["S1", "S1.a"] { try expect("ended", of: session) }
        let sent = steps.compactMap { step in if case .editor(let line) = step { line } else { nil } }
        let own = receivedLines.filter { !$0.contains("then commit") && !$0.contains(#""t3""#) }
        let elicited = #"{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":{"branch":"main"}}}"#
        #expect(own == sent + [elicited])
        #expect(receivedLines.count == own.count + 2)
    }

    // MARK: The messages of the script and of the bridge

    /// The updates of a session in the script, up to the mark at which the first editor is killed.
    private func updates(of session: String) -> [String] {
        let before = steps.prefix { step in if case .mark("alone") = step { false } else { true } }
        return before.compactMap { step in
            guard case .agent(let line) = step,
                line.hasPrefix(#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(session)","#)
            else { return nil }
            return line
        }
    }

    private func update(_ session: String, _ update: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"\#(session)","update":\#(update)}}"#
    }

    private func action(_ name: String, _ args: String) -> String {
        #"{"requestId":"r","name":"\#(name)","args":\#(args)}"#
    }

    private func row(_ session: String) throws -> JSONValue? {
        let rows = try viewer.call("tinyvex/history.recentSessions", #"{"limit":10,"sessionId":"\#(session)"}"#)
        return rows["result"]?.elements.first
    }

    /// Waits until a session's row has a state: its word, `busy` if something keeps the agent, and the number of
    /// background items.
    private func expect(_ wanted: String, of session: String = "S1") throws {
        try eventually("\(session) is \(wanted)") {
            guard let row = try row(session) else { return false }
            let words = [
                row["state"]?.stringValue, row["busy"]?.boolValue == true ? "busy" : nil,
                row["background"]?.int64Value.map { "\($0)" },
            ]
            return words.compactMap(\.self).joined(separator: " ") == wanted
        }
    }

    /// Waits until these requests wait for an answer, each as its session and its id.
    private func expectPending(_ name: String, _ wanted: [String]) throws {
        try eventually("\(name) has \(wanted)") {
            let rows = try viewer.query(name, "{}")?.elements ?? []
            return rows.map { "\($0["sessionId"]?.stringValue ?? "") \($0["requestId"]?.rawString ?? "")" } == wanted
        }
    }
}
