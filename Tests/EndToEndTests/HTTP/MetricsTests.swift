import AgentProcess
import EventLoop
import HTTP1
import JSONScan
import Posix
import Testing

/// The text of `/metrics`, and the dashboard that shows it.
@Suite(.blocking) struct MetricsTests {
    private static let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    private static func text(_ home: BridgeHome, _ address: SocketAddress) throws -> String {
        let client = HTTPClient(address, token: try TokenTests.create(home, "--role", "observe"))
        return String(decoding: try client.get("/metrics").body, as: UTF8.self)
    }

    /// Runs a turn of the demo agent, and answers its request for a permission.
    private static func runTurn(_ editor: EditorSession) throws {
        try editor.send(prompt: "hello 3 chunks")
        let asked = try editor.process.readLines(until: "session/request_permission").last ?? ""
        let id = try #require(try JSONValue(validating: Array(asked.utf8))["id"]?.rawString)
        try editor.process.sendLine(
            #"{"jsonrpc":"2.0","id":\#(id),"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}"#)
        try editor.waitForAnswer()
    }

    @Test func aTurnIsCountedAndMeasured() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let client = try TinyvexTestClient(home)
            _ = try client.subscribe(editor.sessionId)
            try Self.runTurn(editor)
            _ = try client.updates(1)
            try eventually("the turn is counted") {
                let text = try Self.text(home, address)
                let agent = #"agent="acpbridge-demo-agent""#
                return text.contains("\nacpbridge_agent_turns_total{\(agent),outcome=\"end_turn\"} 1\n")
                    && text.contains("\nacpbridge_agent_prompts_total{\(agent)} 1\n")
                    && text.contains("\nacpbridge_agent_starts_total{\(agent)} 1\n")
                    && text.contains("\nacpbridge_agent_permission_requests_total{\(agent)} 1\n")
                    && text.contains("\nacpbridge_turn_duration_seconds_count 1\n")
                    && text.contains("\nacpbridge_permission_wait_seconds_count 1\n")
                    && !text.contains("\nacpbridge_append_latency_seconds_count 0\n")
                    && !text.contains("\nacpbridge_delivery_latency_seconds_count 0\n")
            }
            try editor.end()
        }
    }

    /// An earlier fault: in version 2, the timeline has no entry of a turn's end, and no turn was counted.
    @Test(arguments: ["--v1", "--v2"])
    func aTurnOfEachVersionIsCountedOnce(version: SystemString) throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            try home.addAgent("agent", [Binary.demoAgent, version])
            let outcome = try home.run("run", "--agent", "agent", "--pretty", "hello, no permission, quiet, 3 words")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            try eventually("the turn is counted") {
                try Self.text(home, address)
                    .contains("\nacpbridge_agent_turns_total{agent=\"agent\",outcome=\"end_turn\"} 1\n")
            }
        }
    }

    /// Prometheus' own library reads the text, and each query of the dashboard has its series.
    @Test(.enabled(if: PythonSDK.isInstalled, "Tests/run.sh installs the parser into .venv"))
    func prometheusReadsTheTextAndTheDashboardsQueriesHaveTheirSeries() throws {
        try BridgeHome.with { home in
            let address = try TokenTests.serve(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try Self.runTurn(editor)
            let file = home.path + "/metrics.txt"
            try FileBytes.write(Array(try Self.text(home, address).utf8), to: file)
            let dashboard = Self.root + "/Agents/Packaging/grafana/acpbridge.json"
            let document = Self.root + "/Protocol/http.md"
            let outcome = try EditorProcess(
                [PythonSDK.python, PythonSDK.script("metrics.py")]
                    + [file, dashboard, document].map { SystemString($0) },
                in: home
            ).outcome()
            #expect(outcome.status == .exited(code: 0), "\(outcome.outputText)\(outcome.errorText)")
            try editor.end()
        }
    }
}
