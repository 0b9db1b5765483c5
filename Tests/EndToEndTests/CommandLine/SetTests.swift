import AgentProcess
import Glibc
import JSONScan
import Testing

/// `acpbridge set`.
@Suite(.blocking) struct SetTests {
    private func values(_ home: BridgeHome) throws -> [String: String] {
        let records = try wholeLines(of: home.run("set", "latest", "--json").output).map(JSONValue.init(validating:))
        return Dictionary(
            uniqueKeysWithValues: records.compactMap { record in
                guard let name = record["setting"]?.stringValue else { return nil }
                return (name, record["value"]?.stringValue ?? "")
            })
    }

    @Test(arguments: ["--v1", "--v2"])
    func settingsAreListedAndChanged(version: SystemString) throws {
        try BridgeHome.with { home in
            try home.addAgent("agent", [Binary.demoAgent, version])
            #expect(try home.run("run", "--agent", "agent", "--detach").status == .exited(code: 0))
            var wanted = try values(home)
            #expect(wanted["mode"] == "ask" && wanted["pace"] != nil)
            #expect(try home.run("set", "latest", "mode", "code").status == .exited(code: 0))
            #expect(try home.run("set", "latest", "Pace", "instant").status == .exited(code: 0))
            (wanted["mode"], wanted["pace"]) = ("code", "0")
            try eventually("the agent has reported the values") { try values(home) == wanted }
            let choices = try home.run("set", "latest", "mode").outputText
            #expect(choices.contains("*  code") && choices.contains("Edits without asking"))
        }
    }

    /// An earlier fault: the request named only the id, so that the bridge could not choose one of the two agents.
    @Test func ofTwoAgentsThatRunOneIdTheOneOfTheJournalIsChanged() throws {
        try BridgeHome.with { home in
            let modes = #"[{"id":"ask","name":"Ask"},{"id":"code","name":"Code"}]"#
            let script = """
                C initialize
                A {"jsonrpc":"2.0","id":@ID@,"result":{"protocolVersion":1}}
                C session/new
                A {"jsonrpc":"2.0","id":@ID@,"result":{"sessionId":"s","modes":{"currentModeId":"ask","availableModes":\(modes)}}}
                C session/set_mode
                A {"jsonrpc":"2.0","id":@ID@,"result":{}}

                """
            try FileBytes.write(script.utf8, to: "\(home.path)/script")
            func editor(_ received: String) throws -> EditorSession {
                let files = [Fixture.path("scripted-agent.sh"), "\(home.path)/script", "\(home.path)/\(received)"]
                return try EditorSession(["/bin/sh"] + files.map { SystemString($0) }, in: home)
            }
            let (first, second) = (try editor("first"), try editor("second"))
            try home.waitUntilStored()
            let older = SystemString(try TinyvexTestClient(home).journals(of: "s")[1])
            let outcome = try home.run("set", older, "mode", "code")
            #expect(outcome.status == .exited(code: 0), "\(outcome.errorText)")
            func isChanged(_ received: String) -> Bool {
                let bytes = FileBytes.read("\(home.path)/\(received)") ?? []
                return String(decoding: bytes, as: UTF8.self).contains("session/set_mode")
            }
            #expect(isChanged("first") && !isChanged("second"))
            try first.end()
            try second.end()
        }
    }

    @Test func anUnknownSettingOrValueIsReportedWithTheChoices() throws {
        try BridgeHome.with { home in
            _ = try home.run("run", "--agent", "demo", "--detach")
            let setting = try home.run("set", "latest", "colour", "red")
            #expect(setting.status == .exited(code: 64))
            #expect(setting.errorText.contains("it has: mode, pace"))
            let value = try home.run("set", "latest", "mode", "fly")
            #expect(value.status == .exited(code: 64))
            #expect(value.errorText.contains("choose one of: ask, code, yolo"))
            let named = try home.run("set", "latest", "pace", "warp")
            #expect(named.errorText.contains("choose one of: 0 (Instant), "), "\(named.errorText)")
            #expect(try home.run("set", "nothing").status == .exited(code: 3))
        }
    }

    @Test func aValueThatTheAgentKeepsIsReported() throws {
        try BridgeHome.with { home in
            try home.addAgent("rude", [Binary.rudeAgent, "echo", "--set", "keep"])
            #expect(try home.run("run", "--agent", "rude", "--detach").status == .exited(code: 0))
            let outcome = try home.run("set", "latest", "level", "High")
            #expect(outcome.status == .exited(code: 1))
            #expect(outcome.errorText.contains("'level' was not changed: the agent kept '-1'"))
            #expect(try home.run("set", "latest", "level", "--", "-1").status == .exited(code: 0))
        }
    }

    @Test func atATerminalTheWaitForTheAgentIsShown() throws {
        try BridgeHome.with { home in
            try home.addAgent("rude", [Binary.rudeAgent, "echo", "--set", "never"])
            #expect(try home.run("run", "--agent", "rude", "--detach").status == .exited(code: 0))
            let terminal = try EditorProcess(
                shell(#"exec "$@" 2>&0"#, Binary.acpbridge, "set", "latest", "level", "1"), in: home, wiring: .terminal)
            try terminal.wait(until: "the wait is shown") {
                String(decoding: terminal.outputBytes, as: UTF8.self)
                    .contains("Waiting for the agent; Ctrl-C stops waiting (1 s)")
            }
            terminal.kill(SIGINT)
            #expect(try terminal.outcome().status == .signaled(signal: SIGINT))
        }
    }

    @Test(arguments: [["set", "latest"], ["cancel", "latest"], ["prompt", "latest", "x"]] as [[SystemString]])
    func withoutABridgeNoSessionIsRunning(words: [SystemString]) throws {
        try BridgeHome.with { home in
            let outcome = try EditorProcess([Binary.acpbridge] + words, in: home).outcome()
            #expect(outcome.status == .exited(code: 3))
            #expect(outcome.errorText.contains("no session is running; `acpbridge run --agent NAME` begins one"))
            #expect(throws: (any Error).self) { try home.status() }
        }
    }
}
