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

    @Test func theHighestVersionIsOfferedWithTheMembersOfBoth() throws {
        var start = start()
        let params = try #require(try messages(&start).first?["params"])
        #expect(params["protocolVersion"]?.int64Value == 2)
        #expect(params["info"]?.rawString == #"{"name":"acpbridge","version":"1.0"}"#)
        #expect(params["clientInfo"]?.rawString == params["info"]?.rawString)
        #expect(params["capabilities"]?.rawString == #"{"elicitation":{"form":{},"url":{}}}"#)
        #expect(params["clientCapabilities"]?["subagents"]?.rawString == "{}")
        #expect(params["clientCapabilities"]?["elicitation"]?["url"]?.rawString == "{}")
    }

    @Test func anAgentThatRefusesTheHighestVersionIsOfferedTheFirst() throws {
        var start = start()
        _ = start.takeOutput()
        start.received(Array(#"{"id":1,"error":{"code":-32603,"message":"expected 1"}}"#.utf8))
        let second = try #require(try messages(&start).first)
        #expect(second["method"]?.stringValue == "initialize")
        #expect(second["params"]?["protocolVersion"]?.int64Value == 1)
        #expect(second["params"]?["info"] == nil && second["params"]?["capabilities"] == nil)
        start.received(Array(#"{"id":4,"result":{"protocolVersion":1}}"#.utf8))
        #expect(try messages(&start).first?["method"]?.stringValue == "session/new")
    }

    @Test(arguments: [
        // It speaks only version 2: the second error is about the form of the request.
        (#"{"code":-32603,"message":"no key"}"#, #"{"code":-32602,"message":"Invalid params"}"#, "no key"),
        (#"{"code":-32602,"message":"Invalid params"}"#, #"{"code":-32603,"message":"no key"}"#, "no key"),
        (#"{"code":1}"#, #"{"code":2}"#, #"{"code":2}"#),
    ])
    func anAgentThatRefusesBothVersionsCannotStart(first: String, second: String, reason: String) {
        var start = start()
        start.received(Array(#"{"id":1,"error":\#(first)}"#.utf8))
        start.received(Array(#"{"id":4,"error":\#(second)}"#.utf8))
        #expect(start.progress == .failed("the agent cannot start: \(reason)"))
    }

    @Test func anAgentOfALaterVersionIsNotUsed() {
        var start = start()
        start.received(Array(#"{"id":1,"result":{"protocolVersion":3}}"#.utf8))
        guard case .failed(let reason) = start.progress else {
            Issue.record("the start continues")
            return
        }
        #expect(reason.hasPrefix("the agent speaks version 3 of ACP, and acpbridge only versions 1 to 2;"), "\(reason)")
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
        let message = "the agent requires you to log in first: Claude account, key (Authentication required)"
        guard case .needsLogin(let methods, message) = start.progress else {
            Issue.record("\(start.progress)")
            return
        }
        #expect(methods.map(\.id) == ["a", "key"] && methods.allSatisfy { $0.kind == .agent })
    }

    private static let loginRequired = #"{"id":2,"error":{"code":-32000,"message":"Authentication required"}}"#

    @Test func theMessageNamesTheCommandThatLogsIn() {
        var start = SessionStart(folder: "/", version: "1", agent: "codex")
        start.received(Array(#"{"id":1,"result":{"protocolVersion":1}}"#.utf8))
        start.received(Array(Self.loginRequired.utf8))
        let message =
            "the agent requires you to log in first (Authentication required); on its machine, "
            + "`acpbridge login codex` does that"
        #expect(start.progress == .needsLogin([], message: message))
    }

    @Test(arguments: [(1, "authenticate", "id"), (2, "auth/login", "methodId")])
    func theSessionIsOpenedAfterALogin(version: Int, method: String, name: String) throws {
        var start = start()
        start.received(
            Array(
                #"{"id":1,"result":{"protocolVersion":\#(version),"authMethods":[{"\#(name)":"a","name":"A"}]}}"#.utf8))
        start.received(Array(Self.loginRequired.utf8))
        _ = start.takeOutput()
        guard case .needsLogin(let methods, _) = start.progress, let only = methods.first else {
            Issue.record("\(start.progress)")
            return
        }
        start.logIn(only)
        let login = try #require(try messages(&start).first)
        #expect(login["method"]?.stringValue == method && login["params"]?.rawString == #"{"methodId":"a"}"#)
        #expect(start.progress == .waiting)
        start.received(Array(#"{"id":5,"result":{}}"#.utf8))
        #expect(try messages(&start).map { $0["method"]?.stringValue } == ["session/new"])
        start.received(Array(#"{"id":2,"result":{"sessionId":"s1"}}"#.utf8))
        #expect(start.progress == .opened(sessionId: "s1"))
    }

    @Test func aLoginThatFailsEndsTheStart() {
        var start = start()
        start.received(Array(#"{"id":1,"result":{"authMethods":[{"id":"a"}]}}"#.utf8))
        start.received(Array(Self.loginRequired.utf8))
        if case .needsLogin(let methods, _) = start.progress, let only = methods.first { start.logIn(only) }
        start.received(Array(#"{"id":5,"error":{"code":-32603,"message":"denied"}}"#.utf8))
        #expect(start.progress == .failed("the agent did not log in: denied"))
    }

    @Test func aStartForALoginOpensNoSession() throws {
        var start = SessionStart(folder: "/", version: "1", servesTerminal: true, isForLogin: true)
        let params = try #require(try messages(&start).first?["params"])
        #expect(params["clientCapabilities"]?["auth"]?.rawString == #"{"terminal":true}"#)
        #expect(params["capabilities"]?["auth"]?.rawString == #"{"terminal":{}}"#)
        let terminal = #"{"id":"t","name":"T","type":"terminal","args":["login"],"env":{"A":"1"}}"#
        start.received(
            Array(#"{"id":1,"result":{"authMethods":[{"id":"a"},\#(terminal),{"id":"x","type":"_x"}]}}"#.utf8))
        #expect(start.output.isEmpty)
        guard case .needsLogin(let methods, _) = start.progress else {
            Issue.record("\(start.progress)")
            return
        }
        #expect(
            methods.map(\.kind) == [
                .agent, .terminal(arguments: ["login"], environment: [("A", "1")]), .other("_x"),
            ])
        start.logIn(methods[0])
        start.received(Array(#"{"id":5,"result":{}}"#.utf8))
        #expect(start.progress == .loggedIn)
    }

    @Test(arguments: [
        (#"{"id":2,"error":{"code":-32603,"message":"no"}}"#, "the agent did not open a session: no"),
        (#"{"id":2,"result":{}}"#, "the agent did not open a session: its answer has no session"),
        (#"{"id":2,"result":5}"#, "the agent did not open a session: its answer has no session"),
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
