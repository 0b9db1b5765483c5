import Testing

@testable import LocalBridge

@Suite struct AgentRegistryTests {
    private func agent(_ distribution: String, version: String = "1.2.3") throws -> RegistryAgent? {
        let text =
            #"{"id":"some-agent","name":"Some agent","version":"\#(version)","description":"d","#
            + #""distribution":\#(distribution)}"#
        return try AgentRegistry(json: Array(text.utf8)).agents.first
    }

    @Test(arguments: [
        (#"{"npx":{"package":"@a/b@1.2.3","args":["--acp"]}}"#, ["npx", "-y", "@a/b@1.2.3", "--acp"]),
        (#"{"npx":{"package":"@a/b@latest"}}"#, ["npx", "-y", "@a/b@1.2.3"]),
        (#"{"npx":{"package":"@a/b"}}"#, ["npx", "-y", "@a/b@1.2.3"]),
        (#"{"npx":{"package":"b@^1.0.0"}}"#, ["npx", "-y", "b@1.2.3"]),
        (#"{"npx":{"package":"b@1.2.4-beta.1"}}"#, ["npx", "-y", "b@1.2.4-beta.1"]),
        (
            #"{"npx":{"package":"b@1.2.3","cmd":"run","args":["x"]}}"#,
            ["npx", "-y", "--package", "b@1.2.3", "run", "x"]
        ),
        (#"{"uvx":{"package":"b==1.2.4"}}"#, ["uvx", "b@1.2.4"]),
        (#"{"uvx":{"package":"b>=1.0"}}"#, ["uvx", "b@1.2.3"]),
        (#"{"uvx":{"package":"b@latest","cmd":"run"}}"#, ["uvx", "--from", "b==1.2.3", "run"]),
        (#"{"uvx":{"package":"u"},"npx":{"package":"n"}}"#, ["npx", "-y", "n@1.2.3"]),
    ])
    func theCommandRunsExactlyOneVersion(distribution: String, command: [String]) throws {
        #expect(try agent(distribution)?.command == command)
    }

    @Test func aProgramIsInstalledByTheUser() throws {
        let target = #"{"archive":"https://h/a-1.2.3.tar.gz","cmd":"./bin/some","args":["acp"],"sha256":"ab"}"#
        let agent = try agent(#"{"binary":{"linux-x86_64":\#(target),"linux-aarch64":\#(target)}}"#)
        #expect(agent?.command == ["some", "acp"])
        #expect(
            agent?.install
                == "Download https://h/a-1.2.3.tar.gz (SHA-256 ab) and put its ./bin/some on your PATH as some.")
    }

    @Test func theProfileIsOneThatAgentsCanHave() throws {
        let agent = try agent(#"{"npx":{"package":"b","env":{"K":"v"}}}"#)
        let json = try #require(agent?.profile(named: "mine"))
        let profile = try AgentProfile(json: json)
        #expect(profile.name == "mine" && profile.title == "Some agent")
        #expect(profile.environment.map { "\($0.name)=\($0.value)" } == ["K=v"])
        #expect(String(decoding: json, as: UTF8.self).hasSuffix(#""registry":{"id":"some-agent","version":"1.2.3"}}"#))
    }

    @Test(arguments: [
        ##"{"id":"../x","version":"1.0.0","distribution":{"npx":{"package":"b"}}}"##,
        ##"{"id":"A","version":"1.0.0","distribution":{"npx":{"package":"b"}}}"##,
        ##"{"id":"","version":"1.0.0","distribution":{"npx":{"package":"b"}}}"##,
        ##"{"id":"a","version":"1","distribution":{"npx":{"package":"b"}}}"##,
        ##"{"id":"a","version":"latest","distribution":{"npx":{"package":"b"}}}"##,
        ##"{"id":"a","version":"1.0.0 x","distribution":{"npx":{"package":"b"}}}"##,
        ##"{"id":"a","version":"1.0.0"}"##, ##"{"id":"a","version":"1.0.0","distribution":{}}"##,
        ##"{"id":"a","version":"1.0.0","distribution":{"npx":{"package":"--call=x"}}}"##,
        ##"{"id":"a","version":"1.0.0","distribution":{"npx":{"package":"b","cmd":"-x"}}}"##,
        ##"{"id":"a","version":"1.0.0","distribution":{"npx":{"package":"b","args":"x"}}}"##,
        ##"{"id":"a","version":"1.0.0","distribution":{"npx":{"package":"b","args":[1]}}}"##,
        ##"{"id":"a","version":"1.0.0","distribution":{"npx":{"package":"b","env":{"A=B":"x"}}}}"##,
        ##"{"id":"a","version":"1.0.0","distribution":{"binary":{"windows-x86_64":{"archive":"https://h","cmd":"x"}}}}"##,
        ##"{"id":"a","version":"1.0.0","distribution":{"binary":{"linux-x86_64":{"archive":"http://h","cmd":"x"},"linux-aarch64":{"archive":"http://h","cmd":"x"}}}}"##,
    ])
    func anEntryThatCannotBeUsedIsReported(entry: String) throws {
        let good = #"{"id":"good","version":"1.0.0","distribution":{"npx":{"package":"b"}}}"#
        let registry = try AgentRegistry(json: Array(#"{"version":"1.0.0","agents":[\#(entry),\#(good)]}"#.utf8))
        #expect(registry.agents.map(\.id) == ["good"] && registry.unusable.count == 1)
    }

    @Test func anIdOccursOnce() throws {
        let entry = #"{"id":"a","version":"1.0.0","distribution":{"npx":{"package":"b"}}}"#
        let registry = try AgentRegistry(json: Array(#"{"agents":[\#(entry),\#(entry)]}"#.utf8))
        #expect(registry.agents.count == 1 && registry.unusable.map(\.entry) == ["a"])
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"agents":{}}"#, #"{"agents":[]}"#])
    func anotherFileIsRefused(text: String) {
        #expect(throws: AgentRegistry.Fault.self) { try AgentRegistry(json: Array(text.utf8)) }
    }
}
