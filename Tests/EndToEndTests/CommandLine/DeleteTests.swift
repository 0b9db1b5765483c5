import AgentProcess
import JSONScan
import Testing

/// `acpbridge delete`.
@Suite(.blocking) struct DeleteTests {
    private func ids(_ home: BridgeHome) throws -> [String] {
        try wholeLines(of: home.run("sessions", "--all", "--json").output).map(JSONValue.init(validating:))
            .compactMap { $0["sessionId"]?.stringValue }
    }

    private func endedSession(_ home: BridgeHome) throws -> SystemString {
        let session = try EditorSession([Binary.demoAgent], in: home)
        try session.prompt("hi 3 chunks pace=0 quiet")
        try session.end()
        return SystemString(session.sessionId)
    }

    @Test func endedSessionsAreDeletedAndOthersStay() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let (one, two, three) = (try endedSession(home), try endedSession(home), try endedSession(home))
            #expect(try home.run("delete", one, three, one, "--yes").status == .exited(code: 0))
            #expect(try ids(home) == [two.description])
        }
    }

    @Test func nothingIsDeletedIfANameIsWrongOrASessionRunsOrNobodyCanBeAsked() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let ended = try endedSession(home)
            let running = try EditorSession([Binary.demoAgent], in: home)
            let before = try ids(home)
            #expect(try home.run("delete", ended, "nothing", "--yes").status == .exited(code: 3))
            let live = try home.run("delete", ended, SystemString(running.sessionId), "--yes")
            #expect(live.status == .exited(code: 1))
            #expect(live.errorText.contains("`acpbridge stop \(running.sessionId)` ends its agent"))
            #expect(try home.run("delete", ended).status == .exited(code: 64))
            #expect(try home.run("delete").status == .exited(code: 64))
            let after = try ids(home)
            #expect(after == before)
        }
    }

    @Test(arguments: [("y\n", true), ("yes\n", true), ("n\n", false), ("\n", false)])
    func atATerminalThePersonDecides(answer: String, isDeleted: Bool) throws {
        try BridgeHome.with { home in
            _ = try Daemon(home)
            let ended = try endedSession(home)
            let terminal = try EditorProcess(
                shell(#"exec "$@" 2>&0"#, Binary.acpbridge, "delete", ended), in: home, wiring: .terminal)
            try terminal.wait(until: "the question is shown") {
                String(decoding: terminal.outputBytes, as: UTF8.self).contains("Type y to delete")
            }
            terminal.post(Array(answer.utf8))
            #expect(try terminal.outcome().status == .exited(code: isDeleted ? 0 : 1))
            #expect(try ids(home).isEmpty == isDeleted)
        }
    }

    @Test func aSessionThatBeganAgainMeanwhileIsReportedAndTheOthersAreDeleted() throws {
        try BridgeHome.with { home in
            let state: [SystemString] = [SystemString("ACP_DEMO_STATE=\(home.path)/demo")]
            let outcome = try home.run(
                "run", "--agent", "demo", "--detach", "hello 3 words no permission", environment: state)
            let resumed = SystemString(String(outcome.outputText.dropLast()))
            try eventually("the turn ends") {
                try home.run("attach", resumed, "--all", "--no-follow").outputText.contains(#""kind":"turn_end""#)
            }
            #expect(try home.run("stop", resumed).status == .exited(code: 0))
            let other = try endedSession(home)
            let terminal = try EditorProcess(
                shell(#"exec "$@" 2>&0"#, Binary.acpbridge, "delete", resumed, other), in: home, wiring: .terminal)
            try terminal.wait(until: "the question is shown") {
                String(decoding: terminal.outputBytes, as: UTF8.self).contains("Type y to delete")
            }
            let again = try home.run("run", "--resume", resumed, "--detach", environment: state)
            #expect(again.status == .exited(code: 0))
            terminal.post(Array("y\n".utf8))
            let end = try terminal.outcome()
            #expect(end.status == .exited(code: 1))
            let shown = String(decoding: terminal.outputBytes, as: UTF8.self)
            #expect(shown.contains("1 of 2 sessions was not deleted: '\(resumed)'"), "\(shown)")
            #expect(try ids(home) == [resumed.description])
        }
    }
}
