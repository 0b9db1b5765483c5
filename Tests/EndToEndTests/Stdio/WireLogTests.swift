import AgentProcess
import Glibc
import JSONScan
import Testing

/// `acpbridge --wire-log FILE`.
@Suite(.blocking) struct WireLogTests {
    @Test func bothDirectionsAreRecordedAndTokensAreHidden() throws {
        try BridgeHome.with { home in
            let path = home.path + "/wire.ndjson"
            let editor = try EditorSession(
                [Binary.demoAgent], in: home, options: ["--wire-log", SystemString(path)])
            try editor.prompt("/echo sk-ant-api03-0123456789abcdefghijklmnop")
            try editor.end()
            func lines() throws -> [JSONValue] {
                try wholeLines(of: FileBytes.read(path) ?? []).map(JSONValue.init(validating:))
            }
            try eventually("the answer is recorded") {
                try lines().contains { $0["line"]?["result"]?["stopReason"]?.stringValue == "end_turn" }
            }
            let sources = Set(try lines().compactMap { $0["from"]?.stringValue })
            #expect(sources.isSuperset(of: ["agent", "client"]))
            #expect(try lines().contains { $0["line"]?["method"]?.stringValue == "session/prompt" })
            let text = String(decoding: FileBytes.read(path) ?? [], as: UTF8.self)
            #expect(text.contains("[redacted]") && !text.contains("sk-ant-api03-0123"))
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func aFileThatCannotBeWrittenIsAnErrorAtTheStart() throws {
        try BridgeHome.with { home in
            let outcome = try home.run("--wire-log", "/dev/null", "--", Binary.demoAgent)
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("the wire log cannot be written"))
            #expect(try home.run("--agent", "demo", "--wire-log-tokens").status == .exited(code: 64))
        }
    }
}
