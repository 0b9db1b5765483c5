import AgentProcess
import Glibc
import JSONScan
import Testing

/// The variables that agents and bridges get from the environment of the editor that started the bridge.
@Suite(.blocking) struct AgentEnvironmentTests {
    private static let editors: [SystemString] = [
        "SECRET_KEY=first editor's", "ACPBRIDGE_TOKEN=tk_first", "LD_LIBRARY_PATH=/nowhere",
        "OPENSSL_CONF=/nowhere/conf",
        "PASSED=named by the profile", "LC_TIME=C", "USER=me",
    ]

    /// Names in the environment that the agent `dump` was started with.
    private func names(in file: String) throws -> Set<String> {
        try eventually("the agent has written its environment") { access(file, F_OK) == 0 }
        let words = try #require(FileBytes.read(file)).split(separator: 0)
        return Set(words.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) })
    }

    /// An agent that writes its environment into a file first.
    private func addDump(_ home: BridgeHome) throws -> String {
        let file = home.path + "/environment"
        for folder in ["config", "config/agents"] { mkdir(home.path + "/" + folder, 0o700) }
        let script = "cat /proc/$$/environ >\(file).new; mv \(file).new \(file); exec \(Binary.demoAgent)"
        let json = JSONWriter.object { writer in
            writer.member("name", "dump")
            writer.memberArray("command") { for word in ["sh", "-c", script] { $0.element(word) } }
            writer.memberObject("env") { $0.member("GIVEN", "by the profile") }
            writer.memberArray("passEnv") { $0.element("PASSED") }
        }
        try FileBytes.write(json, to: home.path + "/config/agents/dump.json")
        return file
    }

    @Test func aRemoteClientsAgentGetsNoneOfTheEditorsEnvironment() throws {
        try BridgeHome.with { home in
            let file = try addDump(home)
            let editor = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home, environment: Self.editors)
            try editor.openSession()
            let client = try RemoteTestClient(home, path: "/acp?agent=dump")
            try client.initialize()
            let names = try names(in: file)
            #expect(names.isSuperset(of: ["PATH", "HOME", "USER", "LC_TIME", "ACPBRIDGE_HOME", "PASSED", "GIVEN"]))
            #expect(names.isDisjoint(with: ["SECRET_KEY", "ACPBRIDGE_TOKEN", "LD_LIBRARY_PATH", "OPENSSL_CONF"]))
        }
    }

    @Test(arguments: [false, true])
    func theVariablesOfTelemetryAreSetOnRequest(isRequested: Bool) throws {
        try BridgeHome.with { home in
            let file = try addDump(home)
            let collector: [SystemString] = ["--no-tcp", "--otlp-endpoint", "http://127.0.0.1:9"]
            _ = try Daemon(home, collector + (isRequested ? ["--otlp-agents"] : []))
            let client = try RemoteTestClient(home, path: "/acp?agent=dump")
            try client.initialize()
            let names = try names(in: file).filter { $0.hasPrefix("OTEL_") }.sorted()
            let expected = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_SERVICE_NAME"]
            #expect(names == (isRequested ? expected : []))
        }
    }

    /// An earlier fault: the agent worked in the directory of the bridge, `/`.
    @Test func aRemoteClientsAgentWorksInTheHomeFolder() throws {
        try BridgeHome.with { home in
            try home.addAgent("cwd", ["/bin/sh", "-c", "pwd >$HOME/cwd.new; mv $HOME/cwd.new $HOME/cwd; cat"])
            _ = try EditorSession([Binary.rudeAgent, "echo"], in: home)
            let client = try RemoteTestClient(home, path: "/acp?agent=cwd")
            try client.ask("i", "initialize", RemoteTestClient.hello)
            try eventually("the agent has written its folder") { access("\(home.path)/cwd", F_OK) == 0 }
            #expect(FileBytes.read("\(home.path)/cwd").map { String(decoding: $0, as: UTF8.self) } == "\(home.path)\n")
        }
    }

    @Test func theEditorsOwnAgentGetsTheWholeEnvironment() throws {
        try BridgeHome.with { home in
            let file = try addDump(home)
            let editor = try EditorProcess(
                [Binary.acpbridge, "--agent", "dump"], in: home, environment: Self.editors)
            let names = try names(in: file)
            #expect(names.isSuperset(of: ["SECRET_KEY", "ACPBRIDGE_TOKEN", "LD_LIBRARY_PATH", "PASSED", "GIVEN"]))
            editor.closeInput()
            _ = try editor.outcome()
        }
    }

    @Test func anAutostartedBridgeGetsNeitherTokenNorLoaderVariables() throws {
        try BridgeHome.with { home in
            let editor = try EditorProcess(BridgeHome.bridged(rude("echo")), in: home, environment: Self.editors)
            try editor.openSession()
            let variables = ProcessFolder.words(try #require(home.daemon), "environ")
                .map { String(decoding: $0, as: UTF8.self) }
            #expect(!variables.contains { $0.hasPrefix("ACPBRIDGE_TOKEN=") || $0.hasPrefix("OPENSSL_CONF=") })
            #expect(!variables.contains { $0.hasPrefix("LD_LIBRARY_PATH=") })
            #expect(variables.contains { $0.hasPrefix("PASSED=") })
        }
    }

    @Test(arguments: [#""K""#, #"["A=B"]"#, #"[""]"#, "[1]", "{}"])
    func anInvalidPassEnvListIsReported(names: String) throws {
        try BridgeHome.with { home in
            for folder in ["config", "config/agents"] { mkdir(home.path + "/" + folder, 0o700) }
            try FileBytes.write(
                Array(#"{"name":"odd","command":["true"],"passEnv":\#(names)}"#.utf8),
                to: home.path + "/config/agents/odd.json")
            #expect(try home.run("agents").errorText.contains("passEnv"))
        }
    }
}
