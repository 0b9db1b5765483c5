import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Testing

/// Traces of turns, from the agent to the collector.
@Suite(.blocking) struct TraceTests {
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private static func serve(_ home: BridgeHome, _ collector: WebhookServer, _ options: [SystemString] = []) throws {
        _ = try Daemon(
            home, ["--no-tcp", "--otlp-endpoint", SystemString("http://127.0.0.1:\(collector.port)/")] + options)
    }

    /// Runs a turn of the demo agent with a tool call and a permission.
    private static func runTurn(_ editor: EditorSession, meta: String? = nil) throws {
        let text = #"{"type":"text","text":"hello 3 chunks"}"#
        let members = meta.map { #","_meta":\#($0)"# } ?? ""
        try editor.process.sendLine(
            #"{"jsonrpc":"2.0","id":"traced","method":"session/prompt","params":{"sessionId":"\#(editor.sessionId)","prompt":[\#(text)]\#(members)}}"#
        )
        let asked = try editor.process.readLines(until: "session/request_permission").last ?? ""
        let id = try #require(try JSONValue(validating: Array(asked.utf8))["id"]?.rawString)
        try editor.process.sendLine(
            #"{"jsonrpc":"2.0","id":\#(id),"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}"#)
        _ = try editor.process.readLines(until: #""id":"traced""#)
    }

    private static func spans(_ received: WebhookServer.Received) -> [JSONValue] {
        received.body?["resourceSpans"]?.elements.first?["scopeSpans"]?.elements.first?["spans"]?.elements ?? []
    }

    @Test func aTurnReachesTheCollectorUnderItsParentWithoutContent() throws {
        try BridgeHome.with { home in
            let collector = try WebhookServer([200])
            try Self.serve(home, collector)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try Self.runTurn(editor, meta: #"{"traceparent":"\#(Self.parent)"}"#)
            try eventually("the collector gets the turn") { !collector.received.isEmpty }
            let received = try #require(collector.received.first)
            #expect(received.request.head.target == "/v1/traces")
            #expect(received.field("Content-Type") == "application/json")
            let spans = Self.spans(received)
            let names = spans.compactMap { $0["name"]?.stringValue }
            #expect(names.first == "invoke_agent acpbridge-demo-agent")
            #expect(names.contains { $0.hasPrefix("execute_tool ") } && names.contains("permission"))
            #expect(spans.allSatisfy { $0["traceId"]?.stringValue == "0af7651916cd43dd8448eb211c80319c" })
            #expect(spans.first?["parentSpanId"]?.stringValue == "b7ad6b7169203331")
            let body = String(decoding: received.request.body, as: UTF8.self)
            #expect(!body.contains("hello 3 chunks"))
            try editor.end()
        }
    }

    @Test func contentIsSentOnlyOnRequest() throws {
        try BridgeHome.with { home in
            let collector = try WebhookServer([200])
            try Self.serve(home, collector, ["--otlp-content"])
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try Self.runTurn(editor)
            try eventually("the collector gets the turn") { !collector.received.isEmpty }
            let body = String(decoding: try #require(collector.received.first).request.body, as: UTF8.self)
            #expect(body.contains("hello 3 chunks"))
            try editor.end()
        }
    }

    @Test func aBridgeThatStopsSendsTheLastTurnWithTheFieldsOfTheFile() throws {
        try BridgeHome.with { home in
            let collector = try WebhookServer([200])
            let file = home.path + "/fields"
            try FileBytes.write(Array("Authorization: Bearer s3cret\n".utf8), to: file)
            #expect(chmod(file, 0o600) == 0)
            try Self.serve(home, collector, ["--otlp-headers", SystemString(file)])
            let shown = try home.run(
                "config", "show", "--json", environment: [SystemString("ACPBRIDGE_OTLP_HEADERS=\(file)")])
            #expect(!shown.outputText.contains("s3cret"))
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try Self.runTurn(editor)
            #expect(try home.run("stop").status == .exited(code: 0))
            let received = try #require(collector.received.first)
            #expect(received.field("Authorization") == "Bearer s3cret")
            #expect(!Self.spans(received).isEmpty)
        }
    }

    @Test(arguments: [
        ("Authorization: Bearer s3cret\n", 0o644, "can be read by every user"),
        ("Authorization: Bearer s3cret\nContent-Length: 3\n", 0o600, "line 2: "),
    ])
    func aWrongFileOfFieldsIsRefused(text: String, mode: Int, reason: String) throws {
        try BridgeHome.with { home in
            let file = home.path + "/fields"
            try FileBytes.write(Array(text.utf8), to: file)
            #expect(chmod(file, mode_t(mode)) == 0)
            let outcome = try home.run(
                "serve", "--no-tcp", "--otlp-endpoint", "http://127.0.0.1:9", "--otlp-headers", SystemString(file))
            #expect(outcome.status == .exited(code: 78))
            #expect(outcome.errorText.contains(reason) && !outcome.errorText.contains("s3cret"))
        }
    }

    @Test func anUnavailableCollectorGetsTheSpansAgain() throws {
        try BridgeHome.with { home in
            let collector = try WebhookServer([503, 200])
            try Self.serve(home, collector)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try Self.runTurn(editor)
            try eventually("the collector gets the turn twice") { collector.received.count == 2 }
            let bodies = collector.received.map(\.request.body)
            #expect(bodies.first == bodies.last)
            try editor.end()
        }
    }

    @Test(.enabled(if: PythonSDK.isInstalled, "Tests/run.sh installs OpenTelemetry's messages into .venv"))
    func openTelemetrysOwnMessagesReadTheRequest() throws {
        try BridgeHome.with { home in
            let collector = try WebhookServer([200])
            try Self.serve(home, collector, ["--otlp-content"])
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try Self.runTurn(editor)
            try eventually("the collector gets the turn") { !collector.received.isEmpty }
            let file = home.path + "/spans.json"
            try FileBytes.write(try #require(collector.received.first).request.body, to: file)
            let outcome = try EditorProcess(
                [PythonSDK.python, PythonSDK.script("traces.py"), SystemString(file)], in: home
            ).outcome()
            #expect(outcome.status == .exited(code: 0), "\(outcome.outputText)\(outcome.errorText)")
            #expect(outcome.outputText.contains("permission < execute_tool "))
            try editor.end()
        }
    }

    @Test(arguments: ["collector:4318", "ftp://collector", "http://", "http://user:secret@collector", "http://a?b"])
    func aWrongURLIsRefused(url: String) throws {
        try BridgeHome.with { home in
            let outcome = try home.run("serve", "--no-tcp", "--otlp-endpoint", SystemString(url))
            #expect(outcome.status == .exited(code: 64))
            #expect(outcome.errorText.contains("--otlp-endpoint"))
        }
    }
}
