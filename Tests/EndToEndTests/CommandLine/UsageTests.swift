import AgentProcess
import Testing

@Suite(.blocking) struct UsageTests {
    @Test(arguments: [
        (["attach", "x", "--fro", "1"], "--from"), (["atach", "x"], "attach"), (["prompt"], "SESSION"),
        (["attach", "x", "--from", "0"], "1 or higher"), (["serve", "--listen", "nowhere"], "HOST:PORT"),
        (["sessions", "--jsn"], "--json"), (["attach", "x", "--url", "ftp://h"], "ws://"), ([], "acpbridge"),
    ])
    func wrongUsageSuggestsACorrection(arguments: [String], hint: String) throws {
        try BridgeHome.with { home in
            let command = [Binary.acpbridge] + arguments.map { SystemString($0) }
            let outcome = try EditorProcess(command, in: home).outcome()
            #expect(outcome.status == .exited(code: 64))
            #expect(outcome.output.isEmpty)
            #expect(outcome.errorText.hasPrefix("Error: "))
            #expect(outcome.errorText.contains(hint))
            #expect(home.daemon == nil)
        }
    }

    @Test func versionAndHelpArePrintedToStdout() throws {
        try BridgeHome.with { home in
            let version = try home.run("--version")
            #expect(version.status == .exited(code: 0))
            #expect(version.outputText.wholeMatch(of: /acpbridge \d+\.\d+\.\d+\n/) != nil)
            for arguments: [SystemString] in [["help"], ["help", "attach"], ["--help"], ["attach", "--help"]] {
                let outcome = try EditorProcess([Binary.acpbridge] + arguments, in: home).outcome()
                #expect(outcome.status == .exited(code: 0))
                #expect(outcome.outputText.contains("USAGE:"))
                #expect(outcome.error.isEmpty)
            }
            #expect(home.daemon == nil)
        }
    }
}
