import JSONScan
import Testing

@testable import ClientCommands

@Suite struct SessionStartTests {
    @Test func theFirstLineThatIsNotJSONIsKept() {
        var start = SessionStart(folder: "/", version: "1")
        for line in ["", #"{"method":"log"}"#, "Welcome!", "Log in first"] { start.received(Array(line.utf8)) }
        #expect(start.strangeLine == "Welcome!" && start.progress == .waiting)
    }

    @Test func aProgramThatRepeatsItsInputIsNoAgent() {
        var start = SessionStart(folder: "/", version: "1")
        for line in start.takeOutput().split(separator: 0x0A) { start.received(Array(line)) }
        guard case .failed(let reason) = start.progress else {
            Issue.record("the start continues")
            return
        }
        #expect(
            reason.hasPrefix(#"the command is not an ACP agent: it has written '{"jsonrpc":"2.0","id":1,"#), "\(reason)"
        )
    }

    private func start() -> SessionStart { SessionStart(folder: "/work", version: "1.0") }

    private func messages(_ start: inout SessionStart) throws -> [JSONValue] {
        try start.takeOutput().split(separator: 0x0A).map { try JSONValue(validating: Array($0)) }
    }

    private func opened() throws -> SessionStart {
        var start = start()
        _ = start.takeOutput()
        start.received(Array(#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#.utf8))
        return start
    }

    @Test func theSessionIsRequestedAfterTheAnswerToInitialize() throws {
        var start = start()
        let first = try messages(&start)
        #expect(first.map { $0["method"]?.stringValue } == ["initialize"])
        start.received(Array(#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#.utf8))
        let second = try messages(&start)
        #expect(second.map { $0["method"]?.stringValue } == ["session/new"])
        #expect(second.first?["params"]?["cwd"]?.stringValue == "/work")
        #expect(start.progress == .waiting)
        start.received(Array(#"{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}"#.utf8))
        #expect(start.progress == .opened(sessionId: "s1"))
    }

    @Test(arguments: [
        (
            #"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"resume":{}},"loadSession":true}}"#,
            "session/resume"
        ),
        (
            #"{"protocolVersion":1,"agentCapabilities":{"sessionCapabilities":{"resume":null},"loadSession":true}}"#,
            "session/load"
        ),
        (#"{"protocolVersion":2}"#, "session/resume"),
    ])
    func anEarlierSessionIsContinuedByTheMethodThatTheAgentHas(result: String, method: String) throws {
        var start = SessionStart(folder: "/work", version: "1.0", continuing: "s7")
        _ = start.takeOutput()
        start.received(Array(#"{"jsonrpc":"2.0","id":1,"result":\#(result)}"#.utf8))
        let request = try #require(try messages(&start).first)
        #expect(request["method"]?.stringValue == method)
        #expect(request["params"]?.rawString == #"{"sessionId":"s7","cwd":"/work","mcpServers":[]}"#)
        start.received(Array(#"{"jsonrpc":"2.0","id":2,"result":{}}"#.utf8))
        #expect(start.progress == .opened(sessionId: "s7"))
    }

    @Test func anAgentThatCannotContinueSessionsGetsNoRequestForOne() throws {
        var start = SessionStart(folder: "/work", version: "1.0", continuing: "s7")
        _ = start.takeOutput()
        start.received(Array(#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}"#.utf8))
        #expect(start.output.isEmpty)
        #expect(start.progress == .failed("the agent cannot continue sessions"))
    }

    @Test func aRequestOfTheAgentIsRefused() throws {
        var start = try opened()
        _ = start.takeOutput()
        start.received(Array(#"{"jsonrpc":"2.0","id":"x","method":"fs/read_text_file","params":{}}"#.utf8))
        let answers = try messages(&start)
        #expect(answers.first?["id"]?.stringValue == "x")
        #expect(answers.first?["error"]?["code"]?.int64Value == -32601)
    }

    @Test(arguments: [
        "", "noise", "{}", "[]", #"{"id":null}"#, #"{"jsonrpc":"2.0","method":"session/update"}"#, #"{"id":9}"#,
    ])
    func otherLinesAreIgnored(line: String) throws {
        var start = start()
        _ = start.takeOutput()
        start.received(Array(line.utf8))
        #expect(start.output.isEmpty && start.progress == .waiting)
    }

    @Test func aMissingLoginNamesTheWaysToLogIn() throws {
        var start = start()
        start.received(
            Array(
                #"{"jsonrpc":"2.0","id":1,"result":{"authMethods":[{"id":"a","name":"Claude account"},{"id":"key"}]}}"#
                    .utf8))
        start.received(
            Array(#"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Authentication required"}}"#.utf8))
        #expect(
            start.progress
                == .failed(
                    "the agent requires you to log in first: Claude account, key (Authentication required)"))
    }

    @Test(arguments: [
        (#"{"id":2,"error":{"code":-32603,"message":"no"}}"#, "the agent did not open a session: no"),
        (#"{"id":2,"result":{}}"#, "the agent did not open a session: its answer has no session"),
        (#"{"id":2,"result":5}"#, "the agent did not open a session: its answer has no session"),
        (#"{"id":1,"error":{"code":1}}"#, #"the agent cannot start: {"code":1}"#),
    ])
    func anErrorEndsTheStart(line: String, reason: String) throws {
        var start = try opened()
        start.received(Array(line.utf8))
        #expect(start.progress == .failed(reason))
    }

    @Test func aPromptIsSentToTheSession() throws {
        var start = try opened()
        _ = start.takeOutput()
        start.prompt("a \"b\"\nc", session: "s1")
        let sent = try messages(&start)
        #expect(sent.first?["params"]?["sessionId"]?.stringValue == "s1")
        #expect(sent.first?["params"]?["prompt"]?.elements.first?["text"]?.stringValue == "a \"b\"\nc")
    }
}
