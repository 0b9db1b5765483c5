import JSONScan
import Testing

@testable import acpbridge_demo_agent

@Suite struct AgentMachineTests {
    @Test(arguments: [
        ("{", -32700), (#"{"jsonrpc":"2.0","id":1,"#, -32700), ("\u{1b}[31mhm", -32700), ("[]", -32600), ("42", -32600),
        (#"[{"jsonrpc":"2.0","id":1,"method":"initialize"}]"#, -32600), (#"{"jsonrpc":"2.0"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":{},"method":"initialize"}"#, -32600),
    ])
    func invalidMessagesAreAnsweredWithANullId(line: String, code: Int64) throws {
        var client = Client()
        client.send(line)
        let answer = try #require(try client.received().first)
        #expect(answer["error", "code"]?.int64Value == code)
        #expect(answer["id"]?.isNull == true)
    }

    @Test(arguments: [
        "", "  ", "\r", #"{"jsonrpc":"2.0","method":"_unknown/notification"}"#,
        #"{"jsonrpc":"2.0","id":77,"result":{}}"#,
    ])
    func notificationsAndBlankLinesAreNotAnswered(line: String) throws {
        var client = Client()
        client.send(line)
        #expect(try client.received().isEmpty)
    }

    @Test(arguments: [
        ("session/fork", "{}", -32601), ("_vendor/thing", "{}", -32601),
        ("initialize", #"{"protocolVersion":"1"}"#, -32602), ("initialize", "{}", -32602),
        ("session/new", #"{"cwd":"/project"}"#, -32602), ("session/new", #"{"cwd":"project","mcpServers":[]}"#, -32602),
        ("session/prompt", #"{"prompt":[]}"#, -32602), ("session/prompt", #"{"sessionId":"demo-t-1"}"#, -32602),
        ("session/prompt", #"{"sessionId":"demo-t-1","prompt":[{"text":"hm"}]}"#, -32602),
        ("session/prompt", #"{"sessionId":"none","prompt":[]}"#, -32002),
        ("session/load", #"{"sessionId":"none","cwd":"/","mcpServers":[]}"#, -32002),
        ("session/set_mode", #"{"sessionId":"demo-t-1","modeId":"none"}"#, -32602),
        ("session/set_config_option", #"{"sessionId":"demo-t-1","configId":"none","value":"x"}"#, -32602),
        ("session/set_config_option", #"{"sessionId":"demo-t-1","configId":"pace","value":"7"}"#, -32602),
        ("session/set_config_option", #"{"sessionId":"demo-t-1","configId":"thoughts","value":"x"}"#, -32602),
        ("session/list", #"{"cursor":"none"}"#, -32602), ("authenticate", #"{"methodId":"x"}"#, -32602),
    ])
    func badRequestsFailWithTheirErrorCode(method: String, params: String, code: Int64) throws {
        var client = Client.inSession()
        client.request(method, params)
        #expect(try client.received().map { $0["error", "code"]?.int64Value } == [code])
    }

    @Test func theFirstRequestMustBeInitialize() throws {
        var machine = AgentMachine(.init(sessionPrefix: "t"))
        machine.receive(Array(#"{"jsonrpc":"2.0","id":1,"method":"session/list"}"#.utf8), at: .zero)
        #expect(String(decoding: machine.takeOutput(), as: UTF8.self).contains("-32600"))
    }

    @Test(arguments: [0, 1])
    func everyOldClientVersionIsAnsweredWithVersionOne(version: Int) throws {
        var client = Client()
        client.request("initialize", #"{"protocolVersion":\#(version)}"#)
        let result = try #require(try client.received().first?["result"])
        #expect(result["protocolVersion"]?.int64Value == 1)
        #expect(result["agentCapabilities", "loadSession"]?.boolValue == true)
        #expect(result["agentCapabilities", "sessionCapabilities", "resume"]?.kind == .object)
    }

    @Test(arguments: [#""a\u0062""#, "7", "-0", "1e2", "null"])
    func idsAreReturnedUnchanged(id: String) throws {
        var client = Client.inSession()
        client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"session/list"}"#)
        #expect(try client.received().first?["id"]?.rawString == id)
    }

    @Test(arguments: ["quiet 1000 chunks", "ships, ask permission"])
    func cancelEndsTheTurnWithoutFurtherUpdates(prompt: String) throws {
        var client = Client.inSession()
        client.prompt(prompt)
        client.machine.advance(to: .zero)
        _ = try client.received()
        client.cancel()
        #expect(try client.received().last?.summary == "cancelled")
        client.cancel()
        #expect(try client.settle().isEmpty)
    }

    @Test func cancelReleasesTheTerminalWithoutWaiting() throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.prompt("ships, no reading, no edits")
        _ = try client.settle()
        client.respond(0, #"{"terminalId":"term-1"}"#)
        _ = try client.settle()
        client.cancel()
        #expect(try client.received().outline == ["tool_call_update failed", "terminal/release", "cancelled"])
        client.respond(2, "{}")
        #expect(try client.settle().isEmpty)
    }

    @Test func cancelRequestAnswersThePromptWithItsError() throws {
        var client = Client.inSession()
        client.prompt("quiet 1000 chunks")
        client.send(#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":103}}"#)
        #expect(try client.received().map(\.summary) == ["error -32800"])
    }

    @Test func cancelOfAnIdleSessionDoesNothing() throws {
        var client = Client.inSession()
        client.cancel()
        client.prompt("/echo hm")
        #expect(try client.settle().last?.summary == "end_turn")
    }

    @Test func aSecondPromptIsRejectedDuringATurn() throws {
        var client = Client.inSession()
        client.prompt("quiet 10 chunks")
        client.prompt("quiet 10 chunks")
        #expect(try client.received().map(\.summary) == ["error -32600"])
        #expect(try client.settle().last?.summary == "end_turn")
    }

    @Test func twoSessionsRunConcurrently() throws {
        var client = Client.inSession()
        client.request("session/new", #"{"cwd":"/project","mcpServers":[]}"#)
        _ = try client.received()
        client.prompt("quiet 5000 chunks pace=0")
        client.prompt("quiet 5000 chunks pace=0", session: "demo-t-2")
        client.machine.advance(to: .zero)
        let counts = Dictionary(grouping: try client.received()) { $0["params", "sessionId"]?.stringValue ?? "" }
            .mapValues(\.count)
        #expect(counts.keys.sorted() == ["demo-t-1", "demo-t-2"])
        #expect(abs((counts["demo-t-1"] ?? 0) - (counts["demo-t-2"] ?? 0)) < 50)
    }

    @Test func theModeAndItsOptionChangeTogether() throws {
        var client = Client.inSession()
        client.request("session/set_mode", #"{"sessionId":"demo-t-1","modeId":"code"}"#)
        let byMode = try client.received()
        #expect(byMode.map(\.summary) == ["current_mode_update", "config_option_update", "response"])
        client.request("session/set_config_option", #"{"sessionId":"demo-t-1","configId":"mode","value":"yolo"}"#)
        let byOption = try client.received()
        #expect(byOption.first?["params", "update", "currentModeId"]?.stringValue == "yolo")
        #expect(byOption.last?["result", "configOptions"]?.elements.first?["currentValue"]?.stringValue == "yolo")
        client.prompt("ships, ask permission")
        #expect(try !client.settle().outline.contains("session/request_permission"))
    }

    @Test func settingAnOptionReturnsAllOptions() throws {
        var client = Client.inSession(capabilities: Client.everything)
        client.request("session/set_config_option", #"{"sessionId":"demo-t-1","configId":"pace","value":"100"}"#)
        client.request(
            "session/set_config_option",
            #"{"sessionId":"demo-t-1","configId":"thoughts","type":"boolean","value":false}"#)
        let options = try #require(try client.received().last?["result", "configOptions"]?.elements)
        #expect(options.map { $0["currentValue"]?.rawString } == [#""ask""#, #""100""#, "false"])
        client.prompt("ships, no tools")
        #expect(try !client.settle().outline.contains("agent_thought_chunk"))
    }

    @Test func booleanOptionsAreOnlyOfferedToClientsThatSupportThem() throws {
        var client = Client()
        client.request("session/new", #"{"cwd":"/project","mcpServers":[]}"#)
        let messages = try client.received()
        #expect(messages.map(\.summary) == ["response", "available_commands_update"])
        #expect(messages.first?["result", "configOptions"]?.elements.count == 2)
        #expect(messages.first?["result", "modes", "currentModeId"]?.stringValue == "ask")
    }
}
