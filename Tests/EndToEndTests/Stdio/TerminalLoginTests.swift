import AgentProcess
import Testing

/// The configured command, started in a terminal for a login.
@Suite(.blocking) struct TerminalLoginTests {
    /// An earlier fault: the agent got pipes.
    @Test func inATerminalTheAgentGetsTheTerminalItself() throws {
        try BridgeHome.with { home in
            let agent = "sh -c 'test -t 0 && test -t 1 && test -t 2 && echo all are terminals; exit 4' agent login"
            let spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
            let outcome = try home.shell("python3 -c '\(spawn)' \(Binary.acpbridge) -- \(agent)")
            #expect(outcome.outputText.contains("all are terminals"), "\(outcome.errorText)")
            #expect(outcome.status == .exited(code: 4))
            #expect(home.daemon == nil, "no bridge is needed for a login")
        }
    }
}
