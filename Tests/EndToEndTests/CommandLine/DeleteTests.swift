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
            #expect(try ids(home) == before)
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
            #expect(try terminal.outcome().status == .exited(code: 0))
            #expect(try ids(home).isEmpty == isDeleted)
        }
    }
}
