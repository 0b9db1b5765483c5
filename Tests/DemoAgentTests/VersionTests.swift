import JSONScan
import Testing

@testable import acpbridge_demo_agent

@Suite struct VersionTests {
    private static let info = #""info":{"name":"test","version":"1"}"#

    @Test(arguments: [2, 3, 65535])
    func newerClientsAreAnsweredWithVersionTwo(version: Int) throws {
        var client = Client()
        client.request("initialize", #"{"protocolVersion":\#(version),\#(Self.info)}"#)
        let result = try #require(try client.received().first?["result"])
        #expect(result["protocolVersion"]?.int64Value == 2)
        #expect(result["info", "name"]?.stringValue == "acpbridge-demo-agent")
        #expect(result["capabilities", "session", "prompt", "image"]?.kind == .object)
        #expect(result["agentCapabilities"] == nil)
    }

    @Test func versionTwoRequiresInfo() throws {
        var client = Client()
        client.request("initialize", #"{"protocolVersion":2}"#)
        #expect(try client.received().lines == ["error -32602"])
    }

    @Test(arguments: [(ProtocolVersion.one, 2), (.two, 1)])
    func aForcedVersionAnswersEveryClient(version: ProtocolVersion, requested: Int) throws {
        var client = Client()
        var configuration = AgentMachine.Configuration(sessionPrefix: "t")
        configuration.forcedVersion = version
        client.machine = AgentMachine(configuration)
        client.request("initialize", #"{"protocolVersion":\#(requested),\#(Self.info)}"#)
        #expect(try client.received().first?["result", "protocolVersion"]?.int64Value == Int64(version.rawValue))
    }

    @Test func theVersionCannotChangeAfterAnotherRequest() throws {
        var client = Client.inSessionTwo()
        client.request("initialize", #"{"protocolVersion":1}"#)
        client.request("initialize", #"{"protocolVersion":2,\#(Self.info)}"#)
        #expect(try client.received().lines == ["error -32022", "response"])
    }

    @Test func aNewSessionOfVersionTwoHasItsCommandsInTheResponse() throws {
        var client = Client.versionTwo()
        client.request("session/new", #"{"cwd":"/project"}"#)
        let messages = try client.received()
        #expect(messages.lines == ["response"])
        let result = try #require(messages.first?["result"])
        #expect(result["modes"] == nil)
        #expect(result["configOptions"]?.elements.first?["configId"]?.stringValue == "mode")
        let echo = result["availableCommands"]?.elements.first { $0["name"]?.stringValue == "echo" }
        #expect(echo?["input", "type"]?.stringValue == "text")
    }

    @Test(arguments: [
        ("session/load", #"{"sessionId":"demo-t-1","cwd":"/"}"#, -32601),
        ("session/set_mode", #"{"sessionId":"demo-t-1","modeId":"code"}"#, -32601),
        ("authenticate", "{}", -32601), ("auth/login", #"{"methodId":"x"}"#, -32602),
        ("session/prompt", #"{"sessionId":"demo-t-1","prompt":[]}"#, -32602),
        ("session/prompt", #"{"sessionId":"demo-t-1.1a","prompt":[{"type":"text","text":"x"}]}"#, -32002),
        ("session/set_config_option", #"{"sessionId":"demo-t-1","configId":"pace","value":"0"}"#, -32602),
        ("session/resume", #"{"sessionId":"demo-t-1","cwd":"/","replayFrom":{"type":"message"}}"#, -32602),
        ("terminal/cancel", #"{"sessionId":"demo-t-1","terminalId":"none"}"#, -32602),
        ("tool_call/cancel", #"{"sessionId":"none","toolCallId":"none"}"#, -32002),
    ])
    func badRequestsFailWithTheirErrorCode(method: String, params: String, code: Int) throws {
        var client = Client.inSessionTwo()
        client.request(method, params)
        #expect(try client.received().lines == ["error \(code)"])
    }

    @Test func anOptionOfVersionTwoHasAType() throws {
        var client = Client.inSessionTwo()
        client.request(
            "session/set_config_option", #"{"sessionId":"demo-t-1","configId":"mode","type":"id","value":"yolo"}"#)
        #expect(try client.received().lines == ["config_option_update", "response"])
        client.prompt("ships, ask permission")
        #expect(try !client.settle().lines.contains("session/request_permission"))
    }
}

@Suite struct CommandLineArgumentsTests {
    @Test func allArgumentsAreParsed() throws {
        let parsed = try CommandLineArguments.parse(["--v1", "--seed", "7", "--older", "--v2", "-h"])
        #expect(parsed == CommandLineArguments(forcedVersion: .two, seed: 7, isOlder: true, showsHelp: true))
        #expect(try CommandLineArguments.parse([]) == CommandLineArguments())
    }

    @Test(arguments: [["--seed"], ["--seed", "x"], ["--v3"], ["x"]])
    func unknownArgumentsAreRejected(arguments: [String]) {
        #expect(throws: CommandLineArguments.Invalid.self) { try CommandLineArguments.parse(arguments) }
    }

    @Test func theHelpListsTheWordsOfAPrompt() {
        #expect(CommandLineArguments.help.contains("background terminal"))
        #expect(CommandLineArguments.help.contains("500 chunks"))
    }
}

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func theTestVectorsMatch(text: String, encoded: String) {
        #expect(base64(text.utf8) == encoded)
        #expect(base64([0xff, 0xfe, 0xfb]) == "//77")
    }
}
