import AgentProcess
import Glibc
import JSONScan
import Testing

/// Permission requests that rules of the configuration file answer.
@Suite(.blocking) struct PermissionRuleTests {
    private func configure(_ home: BridgeHome, _ rules: String) throws {
        mkdir(home.path + "/config", 0o700)
        try FileBytes.write(Array(#"{"permission-rules": [\#(rules)]}"#.utf8), to: home.path + "/config/config.json")
    }

    /// The data of the first entry of this kind.
    private func entry(_ kind: String, _ timeline: TinyvexTestClient) throws -> JSONValue? {
        while true {
            let value = try timeline.next("tinyvex/data")["params"]?["value"]
            if value?["kind"]?.stringValue == kind { return value?["data"] }
        }
    }

    private func timeline(_ home: BridgeHome, _ session: String) throws -> TinyvexTestClient {
        let timeline = try TinyvexTestClient(home)
        _ = try timeline.subscribe(session, after: 0, stream: "sessions:timeline")
        return timeline
    }

    @Test func aRuleAnswersAfterTheEditorHasGone() throws {
        try BridgeHome.with { home in
            try configure(home, #"{"action":"ask","agent":"other"}, {"action":"reject"}"#)
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let timeline = try timeline(home, editor.sessionId)
            try editor.send(prompt: "hello 3 chunks")
            _ = try editor.process.readLines(until: "session/request_permission")
            editor.process.kill(SIGKILL)
            let answer = try entry("permission_answer", timeline)
            #expect(answer?["by"]?.stringValue == "rule 2")
            #expect(answer?["result"]?["outcome"]?["outcome"]?.stringValue == "selected")
            _ = try entry("turn_end", timeline)
            let audit = try #require(FileBytes.read(home.path + "/state/audit.log"))
            #expect(String(decoding: audit, as: UTF8.self).contains(#""who":"rule 2""#))
        }
    }

    @Test func aRuleForAllRequestsAnswersBeforeTheEditor() throws {
        try BridgeHome.with { home in
            try configure(home, #"{"action":"allow","when":"always"}"#)
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            let timeline = try timeline(home, editor.sessionId)
            try editor.prompt("hello 3 chunks")
            #expect(try entry("permission_answer", timeline)?["by"]?.stringValue == "rule 1")
        }
    }

    @Test func aRunningAgentGetsTheRulesOfTheNextProgram() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let editor = try EditorSession([Binary.demoAgent], in: home)
            try configure(home, #"{"action":"alow"}"#)
            let refused = try home.run("serve", "--replace")
            #expect(refused.status == .exited(code: 78))
            #expect(refused.errorText.contains("invalid value 'alow' for 'action'"))
            try configure(home, #"{"action":"allow","when":"always"}"#)
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            let timeline = try timeline(home, editor.sessionId)
            try editor.prompt("hello 3 chunks")
            #expect(try entry("permission_answer", timeline)?["by"]?.stringValue == "rule 1")
        }
    }

    @Test func theRulesAreCheckedAndShown() throws {
        try BridgeHome.with { home in
            try configure(home, #"{"action":"allow","kind":"read","path":"./**"}"#)
            #expect(try home.run("config", "check").outputText.contains("1 permission rule"))
            let shown = try home.run("config", "show").outputText
            #expect(shown.contains("permission-rules 1") && shown.contains("allow, kind read, path ./**"))
            try configure(home, #"{"action":"allow","pth":"./**"}"#)
            let outcome = try home.run("config", "check")
            #expect(outcome.status == .exited(code: 78))
            #expect(outcome.errorText.contains("config.json:1: unknown key 'pth' of a rule; did you mean 'path'?"))
        }
    }
}
