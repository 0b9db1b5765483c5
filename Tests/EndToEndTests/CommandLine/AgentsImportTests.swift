import AgentProcess
import Glibc
import JSONScan
import Testing

/// `acpbridge agents import`: profiles from a file of the ACP registry.
@Suite(.blocking) struct AgentsImportTests {
    private static let registry =
        #"{"version":"1.0.0","agents":["#
        + #"{"id":"one","name":"One","version":"1.2.3","distribution":{"npx":{"package":"@a/one@latest"}}},"#
        + #"{"id":"two","name":"Two","version":"2.0.0","distribution":{"uvx":{"package":"two==2.0.0"}}},"#
        + #"{"id":"../bad","version":"1.0.0","distribution":{"npx":{"package":"b"}}}]}"#

    private func file(in home: BridgeHome, _ text: String = registry) throws -> SystemString {
        try FileBytes.write(Array(text.utf8), to: home.path + "/registry.json")
        return SystemString(home.path + "/registry.json")
    }

    @Test func withoutANameTheFileIsListedAndNothingIsWritten() throws {
        try BridgeHome.with { home in
            let listed = try home.run("agents", "import", try file(in: home))
            #expect(listed.status == .exited(code: 0), "\(listed.errorText)")
            #expect(listed.outputText.contains("npx -y @a/one@1.2.3") && listed.outputText.contains("two@2.0.0"))
            #expect(listed.errorText.contains("../bad is left out"))
            #expect(access(home.path + "/config/agents", F_OK) != 0)
        }
    }

    @Test func anImportedAgentIsAProfile() throws {
        try BridgeHome.with { home in
            let file = try file(in: home)
            let made = try home.run("agents", "import", file, "one", "--as", "mine")
            #expect(made.status == .exited(code: 0), "\(made.errorText)")
            var status = stat()
            #expect(stat(home.path + "/config/agents/mine.json", &status) == 0 && status.st_mode & 0o777 == 0o600)
            let agents = try home.run("agents", "--json").outputText
            #expect(agents.contains(#""name":"mine""#) && agents.contains("@a/one@1.2.3"))
            let again = try home.run("agents", "import", file, "one", "--as", "mine")
            #expect(again.status == .exited(code: 1) && again.errorText.contains("--replace"))
            #expect(try home.run("agents", "import", file, "--all", "--replace").status == .exited(code: 0))
            #expect(access(home.path + "/config/agents/two.json", F_OK) == 0)
        }
    }

    @Test func badInputIsRefused() throws {
        try BridgeHome.with { home in
            let file = try file(in: home)
            #expect(try home.run("agents", "import").status == .exited(code: 64))
            #expect(try home.run("agents", "--all").status == .exited(code: 64))
            #expect(try home.run("agents", "import", file, "three").status == .exited(code: 64))
            #expect(try home.run("agents", "import", file, "one", "--as", "../x").status == .exited(code: 64))
            #expect(try home.run("agents", "import", file, "one", "two", "--as", "x").status == .exited(code: 64))
            #expect(try home.run("agents", "import", "/nonexistent").status == .exited(code: 1))
            let other = try self.file(in: home, "{}")
            #expect(try home.run("agents", "import", other).status == .exited(code: 65))
        }
    }
}
