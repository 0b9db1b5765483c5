import AgentProcess
import Glibc
import JSONScan
import Testing

/// Messages that help a person who uses a command in an unusual way.
@Suite(.blocking) struct HintTests {
    @Test func anAgentWhoseInputIsNotAnEditorReportsWhyItEnded() throws {
        try BridgeHome.with { home in
            let outcome = try home.shell("acpbridge -- sleep 1000 </dev/null")
            #expect(outcome.errorText.contains("standard input has ended, so the agent was ended (signal 15)"))
        }
    }

    @Test func aPersonWhoStartsAnAgentInATerminalSeesTheCommandForThat() throws {
        try BridgeHome.with { home in
            let terminal = try EditorProcess([Binary.acpbridge, "--agent", "demo"], in: home, wiring: .terminal)
            try terminal.wait(until: "the hint is shown") { terminal.errorText.contains("acpbridge run --agent demo") }
            terminal.kill(SIGTERM)
            _ = try terminal.outcome()
        }
    }

    @Test func anEditorGetsNoHint() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess([Binary.acpbridge, "--agent", "demo"], in: home)
            editor.closeInput()
            let outcome = try editor.outcome()
            #expect(outcome.status == .exited(code: 0))
            #expect(outcome.errorText.isEmpty)
        }
    }

    @Test func anAgentWithoutSessionsIsReportedWithTheAgentsThatHaveSome() throws {
        try BridgeHome.with { home in
            _ = try home.run("run", "--agent", "demo", "--detach")
            let words = "no session has the agent 'nosuch'; there are sessions of demo"
            for arguments: [SystemString] in [["search", "hello"], ["search", "hello", "--json"], ["sessions"]] {
                for (agent, isNamed) in [("nosuch", true), ("demo", false)] {
                    let outcome = try home.shell(
                        "acpbridge \(arguments.map(\.description).joined(separator: " ")) --agent \(agent)")
                    #expect(outcome.status == .exited(code: 0))
                    #expect(outcome.errorText.contains(words) == isNamed, "\(arguments) \(outcome.errorText)")
                }
            }
        }
    }

    @Test func anUnknownKindOfUpdatesIsReported() throws {
        try BridgeHome.with { home in
            let session = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let outcome = try home.run(
                "attach", SystemString(session.sessionId), "--no-follow", "--kinds", "tool_cal,plan")
            #expect(outcome.status == .exited(code: 0))
            #expect(
                outcome.errorText == "acpbridge: ACP has no updates of kind 'tool_cal'. Did you mean 'tool_call'?\n")
        }
    }

    @Test func anAgentThatALauncherDownloadsIsNotListedAsFound() throws {
        try BridgeHome.with { home in
            mkdir(home.path + "/bin", 0o700)
            try FileBytes.write(Array("#!/bin/sh\n".utf8), to: home.path + "/bin/npx")
            chmod(home.path + "/bin/npx", 0o700)
            let path = SystemString("PATH=\(home.path)/bin:/usr/bin:/bin")
            let rows = try wholeLines(of: home.run("agents", "--json", environment: [path]).output)
                .map(JSONValue.init(validating:))
            let claude = rows.first { $0["name"]?.stringValue == "claude" }
            #expect(claude?["launcher"]?.stringValue == "npx")
            let table = try home.run("agents", environment: [path]).outputText.split(separator: "\n")
            #expect(table.contains { $0.hasPrefix("claude ") && $0.contains(" via npx ") })
        }
    }

    @Test func withoutRunningSessionsTheListNamesTheOptionForEndedOnes() throws {
        try BridgeHome.with { home in
            let session = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            try session.prompt("first")
            try session.end()
            // The editor's end can precede the end of the session by a moment.
            let hint = "No running sessions; --all lists the ended ones (1).\n"
            try eventually("the list is empty, and says why") { try home.run("sessions").errorText == hint }
        }
    }
}
