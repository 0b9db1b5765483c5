import AgentProcess
import EventLoop
import Glibc
import JSONScan
import Posix
import Testing

/// Text from agents, servers and files that tries to control a terminal or to deceive its reader.
@Suite(.blocking) struct HostileTextTests {
    /// Sets a terminal's title.
    private static let command = "\u{1b}]0;pwned\u{7}"
    private static let commandShown = "<U+001B>]0;pwned<U+0007>"

    /// The lines that the agent writes after it has created its session, in the order of their ids.
    private static let recording = [
        #"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}"#,
        #"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"hostile-1"}}"#,
        update(#""sessionUpdate":"session_info_update","title":"T\u001b]0;pwned\u0007\nFAKE\u202e""#),
        update(
            #""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"one\ntwo\u001b[2J\u202eend"}"#),
        update(
            #""sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"raw "#
                + "\u{9b}2J\u{7f}\u{202e}" + #""}"#),
        update(#""sessionUpdate":"plan","entries":[{"content":"step\nFAKE\u202e","status":"pending"}]"#),
        update(
            #""sessionUpdate":"tool_call","toolCallId":"t","title":"list\u001b]0;pwned\u0007","#
                + #""status":"completed","content":[{"type":"diff","path":"a\nFAKE\u2066b","newText":""}]"#),
        #"{"jsonrpc":"2.0","id":100,"method":"session/request_permission","params":{"sessionId":"hostile-1","#
            + #""toolCall":{"toolCallId":"u","title":"rm \u202egpj.txt\nFAKE"},"#
            + #""options":[{"optionId":"yes","name":"Allow\nFAKE","kind":"allow_once"},"#
            + #"{"optionId":"no","name":"Reject\u001b[8m","kind":"reject_once"}]}}"#,
    ]

    private static func update(_ members: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"hostile-1","update":{"# + members + "}}}"
    }

    private func withHostileSession(_ body: (BridgeHome, EditorSession) throws -> Void) throws {
        try BridgeHome.with { home in
            let file = "\(home.path)/recording.ndjson"
            try FileBytes.write(Array(Self.recording.joined(separator: "\n").utf8) + [0x0a], to: file)
            let editor = try EditorSession([Binary.rudeAgent, "replay", SystemString(file)], in: home)
            _ = try editor.process.readLines(until: "session/request_permission")
            try body(home, editor)
            try editor.end()
        }
    }

    /// Expects no control characters except line feeds and the program's own sequences, and no directional characters.
    private func expectHarmless(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        var rest = text
        for own in ["0", "1", "2", "31", "32", "33", "36"] { rest = rest.split(separator: "\u{1b}[\(own)m").joined() }
        rest = rest.split(separator: "\r\u{1b}[K").joined()
        let harmful = rest.unicodeScalars.filter { scalar in
            scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
        }
        #expect(harmful.isEmpty, "\(rest.debugDescription)", sourceLocation: sourceLocation)
        #expect(!rest.contains("\nFAKE"), sourceLocation: sourceLocation)
    }

    private func text(_ process: EditorProcess) -> String { String(decoding: process.outputBytes, as: UTF8.self) }

    @Test func hiddenCharactersAreShownOnATerminal() throws {
        try withHostileSession { home, editor in
            let viewer = try EditorProcess(
                [Binary.acpbridge, "attach", "latest", "--pretty"], in: home, wiring: .terminal)
            try viewer.wait(until: "the dialog is shown") { text(viewer).hasSuffix("[8m: ") }
            let shown = text(viewer)
            #expect(shown.contains("one\ntwo[2J<U+202E>end"))
            #expect(shown.contains("[ ] step⏎FAKE<U+202E>"))
            #expect(shown.contains("✓ list\(Self.commandShown)"))
            #expect(shown.contains("  diff a⏎FAKE<U+2066>b"))
            #expect(shown.contains("? permission: rm <U+202E>gpj.txt⏎FAKE"))
            #expect(shown.hasSuffix("\n\u{07}1 Allow⏎FAKE  2 Reject<U+001B>[8m: "))
            try viewer.sendLine("allow")
            try viewer.wait(until: "the answer is shown") { text(viewer).contains("Allow⏎FAKE (") }
            // The program's own bell comes before the question.
            expectHarmless(text(viewer).replacing("\u{07}1 Allow", with: "1 Allow"))
        }
    }

    @Test func machineReadableLinesAreEscapedOnlyOnATerminal() throws {
        try withHostileSession { home, _ in
            let wanted = Self.recording.filter { $0.contains("session/update") }
            let piped = try home.run("attach", "latest", "--no-follow")
            expectSame(wholeLines(of: piped.output), wanted.map { Array($0.utf8) })
            for arguments: [SystemString] in [
                ["attach", "latest", "--no-follow", "--format", "lines"], ["sessions", "--json"],
            ] {
                let process = try EditorProcess([Binary.acpbridge] + arguments, in: home, wiring: .terminal)
                let shown = try process.outcome().outputText
                expectHarmless(shown)
                #expect(shown.contains("raw <U+009B>2J<U+007F><U+202E>") == (arguments[0] == "attach"))
            }
        }
    }

    @Test func titlesAreEscapedInTablesAndRecordings() throws {
        try withHostileSession { home, editor in
            let table = try home.run("sessions")
            expectHarmless(table.outputText)
            #expect(table.outputText.contains("T\(Self.commandShown)⏎FAKE<U+202E>"))
            let client = try TinyvexTestClient(home)
            let args = #"{"sessionId":"hostile-1","format":"asciicast"}"#
            let answer = try client.call(
                "tinyvex/action", #"{"requestId":"1","name":"sessions:export","args":\#(args)}"#)
            let recording = try #require(answer["result"]?["value"]?["text"]?.stringValue)
            let lines = try recording.split(separator: "\n").map { try JSONValue(validating: Array($0.utf8)) }
            #expect(lines.first?["title"]?.stringValue == "T\(Self.commandShown)⏎FAKE<U+202E>")
            let screen = lines.dropFirst().compactMap { $0.elements[2].stringValue }.joined()
            expectHarmless(screen.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n"))
            #expect(screen.contains("rm <U+202E>gpj.txt⏎FAKE"))
        }
    }

    @Test func anAgentsErrorIsEscaped() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home, options: ["--keep"])
            editor.process.closeInput()
            _ = try editor.process.exitStatus()
            let words = SystemString("/fail no luck \(Self.command)\u{9b}2J\u{202e}")
            for wiring in [Wiring.pipes, .terminal] {
                let prompt = try EditorProcess(
                    [Binary.acpbridge, "prompt", "latest", "--pretty", words], in: home, wiring: wiring)
                let outcome = try prompt.outcome()
                expectHarmless(outcome.outputText)
                expectHarmless(outcome.errorText)
                let shown = "no luck \(Self.commandShown)<U+009B>2J<U+202E>"
                #expect(outcome.errorText.contains("Error: the agent returned an error: \(shown)"))
                #expect(outcome.outputText.contains("— error: \(shown)"))
            }
        }
    }

    @Test func aServersErrorResponseIsEscaped() throws {
        try BridgeHome.with { home in
            let listener = try Sockets.listen(on: .ip(host: "127.0.0.1", port: 0))
            let url = SystemString("ws://127.0.0.1:\(Sockets.localPort(of: listener))/tinyvex")
            let body = "go away \(Self.command)\u{9b}2J\u{202e}"
            let answer = "HTTP/1.1 418 No\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let status = try EditorProcess([Binary.acpbridge, "status", "--url", url], in: home)
            // The socket stays open until the end, because closing a socket with unread bytes discards the bytes that
            // were sent.
            var client: Int32 = -1
            try status.wait(until: "the command connects") {
                client = try Sockets.accept(on: listener)?.release() ?? -1
                return client >= 0
            }
            defer { close(client) }
            #expect(send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL)) == answer.utf8.count)
            let outcome = try status.outcome()
            expectHarmless(outcome.errorText)
            #expect(outcome.errorText.contains("(418): go away \(Self.commandShown)<U+009B>2J<U+202E>"))
        }
    }

    @Test func anAgentProfileIsEscaped() throws {
        try BridgeHome.with { home in
            for folder in ["config", "config/agents"] { mkdir("\(home.path)/\(folder)", 0o700) }
            let profile =
                #"{"name":"evil","title":"Evil\u001b]0;pwned\u0007","command":["none\nFAKE","\u009b2J\u202e"],"#
                + #""install":"run\u001b]0;pwned\u0007\nFAKE"}"#
            try FileBytes.write(Array(profile.utf8), to: "\(home.path)/config/agents/evil.json")
            try FileBytes.write([0x7b], to: "\(home.path)/config/agents/\(Self.command)\nFAKE.json")
            let report = try home.run("agents")
            expectHarmless(report.outputText)
            expectHarmless(report.errorText)
            #expect(report.outputText.contains("Evil\(Self.commandShown)"))
            #expect(report.outputText.contains("none⏎FAKE <U+009B>2J<U+202E>"))
            #expect(report.errorText.contains("\(Self.commandShown)⏎FAKE.json is not a valid agent profile"))
            let start = try home.run("--agent", "evil")
            #expect(start.status == .exited(code: 127))
            expectHarmless(start.errorText)
            #expect(start.errorText.contains("run\(Self.commandShown)⏎FAKE"))
        }
    }
}
