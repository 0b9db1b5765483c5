import AgentProcess
import Glibc
import JSONScan
import Testing

/// The output of `sessions`, `agents`, `status` and `stop`.
@Suite(.blocking) struct ReportTests {
    @Test func sessionsAreListedAsATableAndAsJSON() throws {
        try BridgeHome.with { home in
            let none = try home.run("sessions")
            #expect(none.status == .exited(code: 0))
            #expect(none.output.isEmpty)
            let ended = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try ended.prompt("first things first")
            try ended.end()
            let live = try EditorSession([Binary.demoAgent], in: home)
            try live.prompt("/echo hi")

            let table = try home.run("sessions")
            let lines = table.outputText.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("SESSION") == true)
            #expect(lines.last?.contains(live.sessionId) == true)
            #expect(try home.run("sessions", "--all").outputText.contains("first things first"))

            let rows = try wholeLines(of: try home.run("sessions", "--json", "--all").output).map(
                JSONValue.init(validating:))
            #expect(rows.map { $0["sessionId"]?.stringValue } == [live.sessionId, "rude-1"])
            #expect(rows.map { $0["state"]?.stringValue } == ["idle", "ended"])
            #expect(wholeLines(of: try home.run("sessions", "--json").output).count == 1)
        }
    }

    @Test func endedSessionsWithoutAPromptAreOnlyCounted() throws {
        try BridgeHome.with { home in
            let opened = try EditorSession([Binary.demoAgent], in: home)
            try opened.end()
            try eventually("the session has ended") {
                try home.run("sessions", "--all").errorText.contains("1 ended session without a prompt is not listed")
            }
            let used = try EditorSession([Binary.demoAgent], in: home)
            #expect(try home.run("sessions").outputText.contains(used.sessionId), "it runs")
            try used.prompt("/echo hello")
            try used.end()
            let all = try home.run("sessions", "--all")
            #expect(all.outputText.contains(used.sessionId) && !all.outputText.contains(opened.sessionId))
            #expect(all.errorText.contains("1 ended session without a prompt is not in this table; --json lists all"))
            #expect(try wholeLines(of: home.run("sessions", "--all", "--json").output).count == 2)
            #expect(try home.run("tag", SystemString(opened.sessionId), "kept").status == .exited(code: 0))
            #expect(try home.run("sessions", "--all").outputText.contains(opened.sessionId))
        }
    }

    @Test func agentsAreListedWithRunningCountsAndUserProfiles() throws {
        try BridgeHome.with { home in
            try Self.makeAgentsFolder(home)
            let mine =
                #"{"name":"mine","title":"Mine","command":["\#(Binary.rudeAgent)","env","echo"],"env":{"K":"of the profile"}}"#
            try FileBytes.write(Array(mine.utf8), to: "\(home.path)/config/agents/mine.json")
            try FileBytes.write(Array("{}".utf8), to: "\(home.path)/config/agents/broken.json")
            let editor = try EditorProcess(
                [Binary.acpbridge, "--agent", "mine"], in: home, environment: ["K=of the editor"])
            let said = try #require(try editor.readLineBytes())
            #expect(try JSONValue(validating: said)["env"]?["K"]?.stringValue == "of the profile")

            let report = try home.run("agents", "--json")
            let rows = try wholeLines(of: report.output).map(JSONValue.init(validating:))
            let names = rows.compactMap { $0["name"]?.stringValue }
            #expect(names == names.sorted())
            #expect(Set(names).isSuperset(of: ["claude", "codex", "gemini", "demo", "mine"]))
            #expect(rows.first { $0["name"]?.stringValue == "mine" }?["running"]?.int64Value == 1)
            #expect(rows.first { $0["name"]?.stringValue == "demo" }?["installed"]?.boolValue == true)
            #expect(report.errorText.contains("broken.json"))
            let broken = try home.run("--agent", "broken")
            #expect(broken.status == .exited(code: 1))
            #expect(broken.errorText.contains("broken.json is not a valid agent profile: it has no \"name\""))
            editor.closeInput()
            #expect(try editor.outcome().status == .exited(code: 0))
        }
    }

    @Test func anAgentWithoutASessionIsListedAndStopped() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess([Binary.acpbridge, "--", "cat"], in: home)
            try editor.sendLine("{}")
            #expect(try editor.readLine()?.hasPrefix("{}") == true)
            let lines = wholeLines(of: try home.run("agents", "--running", "--json").output)
            let agent = try JSONValue(validating: try #require(lines.first))
            let pid = try #require(agent["pid"]?.int64Value)
            #expect(lines.count == 1 && agent["name"]?.stringValue == "cat")
            let table = try home.run("agents", "--running").outputText.split(separator: "\n")
            #expect(table.count == 2 && table.last?.hasPrefix("cat    \(pid)") == true)
            #expect(table.last?.hasSuffix("none") == true)
            let stopped = try home.run("stop", SystemString("pid:\(pid)"))
            #expect(stopped.status == .exited(code: 0) && stopped.errorText == "cat (process \(pid)) has ended.\n")
            let again = try home.run("stop", SystemString("pid:\(pid)"))
            #expect(again.status == .exited(code: 1) && again.errorText.contains("agents --running"))
        }
    }

    @Test func aTurnInAPipeSaysThatItWaitsForAnAnswer() throws {
        try BridgeHome.with { home in
            let session = try EditorSession([Binary.demoAgent], in: home)
            let prompt = try EditorProcess(
                [Binary.acpbridge, "prompt", SystemString(session.sessionId), "2 chunks, ask permission, pace=0"],
                in: home)
            try prompt.waitForError("the agent waits for an answer; `acpbridge answer \(session.sessionId)`")
            let answered = try home.run("answer", SystemString(session.sessionId), "--option", "allow")
            #expect(answered.status == .exited(code: 0), "\(answered.errorText)")
            #expect(try prompt.outcome().status == .exited(code: 0))
        }
    }

    @Test func aPromptWhoseAgentCrashesShowsTheAgentsLastWords() throws {
        try BridgeHome.with { home in
            let script = #"echo last words >&2; exec "$0" "$@""#
            let session = try EditorSession(
                ["sh", "-c", SystemString(script), Binary.rudeAgent, "crash", "--on", "prompt"], in: home)
            let id = SystemString(session.sessionId)
            let cancel = try home.run("cancel", id)
            #expect(cancel.status == .exited(code: 0) && cancel.errorText == "No turn was running\n")
            let prompt = try home.run("prompt", id, "hello")
            #expect(prompt.status == .exited(code: 1))
            #expect(prompt.errorText.contains("it wrote last:") && prompt.errorText.contains("last words"))
        }
    }

    @Test func anAgentIsStartedByItsName() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess([Binary.acpbridge, "--agent", "demo"], in: home)
            try editor.sendLine(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#)
            #expect(try editor.readLine()?.contains("agentCapabilities") == true)
            editor.closeInput()
            #expect(try editor.outcome().status == .exited(code: 0))
            let unknown = try home.run("--agent", "nobody")
            #expect(unknown.status == .exited(code: 64))
            #expect(unknown.errorText.contains("claude"))
        }
    }

    @Test func statusDescribesTheBridgeAndFailsWithoutOne() throws {
        try BridgeHome.with { home in
            #expect(try home.run("status").status == .exited(code: 1))
            #expect(home.daemon == nil)
            let daemon = try Daemon(home)
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let status = try home.status()
            #expect(status["pid"]?.int64Value == Int64(daemon.process.pid))
            #expect(status["liveSessions"]?.int64Value == 1)
            #expect(status["agents"]?.int64Value == 1)
            #expect(status["connections"]?.int64Value == 1)
            #expect(status["residentBytes"]?.int64Value ?? 0 > 1 << 20)
            #expect(try home.run("status").outputText.contains("process \(daemon.process.pid)"))
            try editor.end()
        }
    }

    @Test func statusAndMetricsCountTheWork() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home, version: 2)
            let client = try TinyvexTestClient(home)
            _ = try client.watch("bridge:status")
            func wait(for name: String, _ count: Int64) throws {
                _ = try client.value { $0[name]?.int64Value == count }
            }
            try editor.prompt("hello 2 subagents quiet pace=0 no permission background terminal lasting=forever")
            try wait(for: "backgroundItems", 1)
            try wait(for: "childSessions", 2)
            try wait(for: "runningTurns", 0)
            try editor.send(prompt: "hello 3 chunks pace=0")
            try editor.process.readLines(until: "session/request_permission")
            try wait(for: "pendingRequests", 1)
            let status = try home.status()
            #expect(status["runningTurns"]?.int64Value == 1 && status["childSessions"]?.int64Value == 2)
            #expect(try home.run("status").outputText.contains("1 running turn, 1 background item, 2 subagents"))
            let metrics = try HTTPClient(.unix(path: home.socket)).get("/metrics")
            let text = String(decoding: metrics.body, as: UTF8.self)
            for line in ["running_turns 1", "background_items 1", "child_sessions 2", "pending_requests 1"] {
                #expect(text.contains("\nacpbridge_\(line)\n"))
            }
        }
    }

    @Test func stopWaitsUntilTheBridgeAndItsAgentsHaveEnded() throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let outcome = try home.run("stop")
            #expect(outcome.status == .exited(code: 0))
            #expect(outcome.errorText.hasSuffix(" and 1 agent have ended.\n"), "\(outcome.errorText)")
            #expect(home.daemon == nil)
            #expect(access(home.socket, F_OK) != 0)
            #expect(try editor.process.outcome().status == .exited(code: 0))
            #expect(home.processes.isEmpty)
            #expect(try home.run("stop").status == .exited(code: 0))
        }
    }

    @Test(arguments: [("y\n", true), ("\n", false)])
    func atATerminalThePersonIsAskedBeforeAgentsEnd(answer: String, isStopped: Bool) throws {
        try BridgeHome.with { home in
            let editor = try EditorSession([Binary.demoAgent], in: home)
            defer { withExtendedLifetime(editor) {} }
            let terminal = try EditorProcess(
                shell(#"exec "$@" 2>&0"#, Binary.acpbridge, "stop"), in: home, wiring: .terminal)
            try terminal.wait(until: "the question is shown") {
                String(decoding: terminal.outputBytes, as: UTF8.self).contains("1 agent runs. End it?")
            }
            terminal.post(Array(answer.utf8))
            #expect(try terminal.outcome().status == .exited(code: isStopped ? 0 : 1))
            #expect((home.daemon == nil) == isStopped)
        }
    }

    @Test func optionsSelectSessions() throws {
        try BridgeHome.with { home in
            for name in ["shop", "shop/backend", "shopping"] { mkdir("\(home.path)/\(name)", 0o700) }
            func begin(_ folder: String, _ words: String) throws -> String {
                let outcome = try home.run(
                    "run", "--agent", "demo", "--cwd", SystemString("\(home.path)/\(folder)"), "--detach",
                    SystemString(words))
                return String(outcome.outputText.dropLast())
            }
            let login = try begin("shop/backend", "login test quiet 1 words")
            let other = try begin("shopping", "logout quiet 1 words")
            func listed(_ options: SystemString..., in folder: String = "shop") throws -> Set<String> {
                let script = #"cd "$1" && shift && exec "$@""#
                let command = shell(
                    script, SystemString("\(home.path)/\(folder)"), Binary.acpbridge, "sessions", "--json")
                let lines = wholeLines(of: try EditorProcess(command + options, in: home).outcome().output)
                return Set(try lines.compactMap { try JSONValue(validating: $0)["sessionId"]?.stringValue })
            }
            #expect(try listed() == [login, other])
            #expect(try listed("--here") == [login])
            #expect(try listed("--here", in: "shop/backend") == [login])
            #expect(try listed("--here", in: "shopping") == [other])
            #expect(try listed("TEST", "log") == [login])
            #expect(try listed("--agent", "demo") == [login, other])
            #expect(try listed("--agent", "codex").isEmpty)
            #expect(try listed("--limit", "1").count == 1)
            #expect(try home.run("tag", SystemString(login), "shop", "urgent").status == .exited(code: 0))
            #expect(try home.run("tag", SystemString(login), "done", "--remove", "urgent").status == .exited(code: 0))
            #expect(try home.run("tag", SystemString(login)).outputText == "shop\ndone\n")
            #expect(try home.run("tag", SystemString(login), "--remove", "urgent").status == .exited(code: 1))
            #expect(try listed("--tag", "shop") == [login])
            #expect(try listed("--archived").isEmpty)
            #expect(try home.run("archive", SystemString(login)).status == .exited(code: 0))
            #expect(try listed("--archived") == [login])
            #expect(try listed("--all") == [other])
            #expect(try home.run("archive", SystemString(login), "--undo").status == .exited(code: 0))
            #expect(try listed() == [login, other])
            let table = try home.run("sessions").outputText
            #expect(table.contains("  FOLDER\n") && table.contains("/shopping\n"), "\(table)")
        }
    }

    @Test func aBridgeOverTCPRequiresItsToken() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, ["--listen", ":0"])
            let url = SystemString(try #require(daemon.ready["url"]?.stringValue))
            let refused = try home.run("status", "--json", "--url", url)
            #expect(refused.status == .exited(code: 1))
            #expect(refused.errorText.contains("--token-file"))
            let missing = try home.run("status", "--url", url, "--token-file", "/never/was")
            #expect(missing.errorText.contains("/never/was does not exist"))
            let named = try home.run("status", environment: ["ACPBRIDGE_URL=" + url])
            #expect(named.status == .exited(code: 1) && named.errorText.contains("--token-file"))
            let wrong = try home.run("status", "--url", url, environment: ["ACPBRIDGE_TOKEN=guessed"])
            #expect(wrong.errorText.contains("rejected the token"))
            let byFile = try home.run("status", "--json", "--url", url, "--token-file", SystemString(home.token))
            #expect(byFile.status == .exited(code: 0))
            let token = try #require(FileBytes.read(home.token)).dropLast()
            let byVariable = try home.run(
                "status", "--json", "--url", url, environment: ["ACPBRIDGE_TOKEN=" + SystemString(bytes: Array(token))])
            #expect(byVariable.status == .exited(code: 0))
        }
    }

    private static func makeAgentsFolder(_ home: BridgeHome) throws {
        for folder in ["config", "config/agents"] { #expect(mkdir("\(home.path)/\(folder)", 0o700) == 0) }
    }
}
