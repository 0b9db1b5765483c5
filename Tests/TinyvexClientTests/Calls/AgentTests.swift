import JSONScan
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

/// Returns when the current task is cancelled.
private func cancellation() async {
    let (nothing, continuation) = AsyncStream<Void>.makeStream()
    for await _ in nothing {}
    continuation.finish()
}

/// A client that runs its own agent through the bridge.
@Suite(.timeLimit(.minutes(10))) struct AgentTests {
    private static let hello = ACP.Agent.InitializeRequest(protocolVersion: 1)

    /// Responds like an agent, and sends these requests when it receives a prompt.
    private static func agent(asking requests: String...) -> TestBridge {
        TestBridge { method, params, peer in
            switch method {
            case "initialize":
                return
                    #"{"protocolVersion":1,"agentInfo":{"name":\#(params?["_meta"]?["tinyvex"]?["agent"]?.rawString ?? #""own""#),"version":"1"}}"#
            case "session/new": return #"{"sessionId":"s"}"#
            case "session/prompt":
                for request in requests { try? await peer.send(request) }
                return #"{"stopReason":"end_turn"}"#
            default: return "{}"
            }
        }
    }

    private func prompt(_ client: TinyvexClient) async throws -> ACP.StopReason {
        try await client.initialize(Self.hello)
        let session = try await client.sessionNew(.init(cwd: "/", mcpServers: []))
        return try await client.sessionPrompt(.init(sessionId: session.sessionId, prompt: ["hello"])).stopReason
    }

    @Test func aClientStartsAndUsesAnAgent() async throws {
        let bridge = Self.agent()
        #expect(try await prompt(bridge.client()) == .endTurn)
        #expect(bridge.methods == ["tinyvex/connect", "initialize", "session/new", "session/prompt"])
    }

    @Test func initializeCanNameTheAgent() async throws {
        let request = ACP.Agent.InitializeRequest(protocolVersion: 1, meta: ["mine": 1, "tinyvex": ["agent": "old"]])
        let answer = try await Self.agent().client().initialize(request, agent: "demo")
        #expect(answer.agentInfo?.name == "demo")
    }

    @Test func aClientCanUseAnAgentOfVersion2() async throws {
        let bridge = TestBridge { method, params, _ in
            switch method {
            case "initialize":
                let name = params?["_meta"]?["tinyvex"]?["agent"]?.rawString ?? "null"
                return #"{"protocolVersion":2,"info":{"name":\#(name),"version":"1"},"capabilities":{"session":{}}}"#
            case "session/new": return #"{"sessionId":"s"}"#
            case "session/prompt": return #"{"messageId":"u1"}"#
            default: return "{}"
            }
        }
        let client = bridge.client()
        let info = ACP.Implementation(name: "ed", version: "1")
        let answer = try await client.initialize(v2: .init(info: info), agent: "demo")
        #expect(answer.info.name == "demo" && answer.capabilities.session != nil)
        let session = try await client.request(ACP.V2.Agent.SessionNewRequest(cwd: "/"))
        let prompt = ACP.V2.Agent.SessionPromptRequest(sessionId: session.sessionId, prompt: ["hello"])
        #expect(try await client.request(prompt).messageId == "u1")
    }

    @Test func anAnswerOfVersion1IsAnErrorInVersion2() async throws {
        let client = Self.agent().client()
        let info = ACP.Implementation(name: "ed", version: "1")
        await #expect(throws: TinyvexError.self) { try await client.initialize(v2: .init(info: info)) }
    }

    @Test func cancellingATurnSendsANotification() async throws {
        let bridge = Self.agent()
        let client = bridge.client()
        try await client.initialize(Self.hello)
        await client.sessionCancel(sessionId: "s")
        #expect(await eventually { bridge.methods.last == "session/cancel" })
    }

    @Test func aRequestFromTheAgentIsAnsweredByItsHandler() async throws {
        let bridge = Self.agent(
            asking: #"{"jsonrpc":"2.0","id":"r1","method":"fs/read_text_file","params":{"sessionId":"s","path":"/a"}}"#)
        let client = bridge.client()
        client.serve(ACP.Client.FsReadTextFileRequest.self) { .init(content: "text of \($0.path)") }
        #expect(try await prompt(client) == .endTurn)
        #expect(
            await eventually { bridge.answers == [#"{"jsonrpc":"2.0","id":"r1","result":{"content":"text of /a"}}"#] })
    }

    @Test func aRequestWithoutAHandlerIsRejected() async throws {
        let bridge = Self.agent(
            asking: #"{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{}}"#)
        let client = bridge.client()
        #expect(try await prompt(client) == .endTurn)
        #expect(await eventually { bridge.answers.first?.contains("-32601") == true })
    }

    @Test func onlyAgentRequestErrorsReachTheAgentUnchanged() async throws {
        struct Secret: Error { var path = "/home/ada/.netrc" }
        let bridge = Self.agent(
            asking: #"{"jsonrpc":"2.0","id":1,"method":"x","params":{}}"#, #"{"jsonrpc":"2.0","id":2,"method":"y"}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"fs/read_text_file","params":{"sessionId":"s"}}"#)
        let client = bridge.client()
        client.serve("x") { _ in throw Secret() }
        client.serve("y") { _ in throw AgentRequestError(code: -32002, message: "no such file") }
        client.serve(ACP.Client.FsReadTextFileRequest.self) { _ in .init(content: "") }
        #expect(try await prompt(client) == .endTurn)
        #expect(await eventually { bridge.answers.count == 3 })
        let answers = bridge.answers.joined(separator: "\n")
        #expect(!answers.contains("netrc") && answers.contains("no such file"))
        #expect(answers.contains("-32603") && answers.contains("-32002") && answers.contains("-32602"))
    }

    @Test func aRequestThatTheAgentCancelsIsCancelled() async throws {
        let bridge = Self.agent(
            asking: #"{"jsonrpc":"2.0","id":9,"method":"x","params":{}}"#,
            #"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":9}}"#)
        let client = bridge.client()
        client.serve("x") { _ in
            await cancellation()
            throw CancellationError()
        }
        #expect(try await prompt(client) == .endTurn)
        #expect(await eventually { bridge.answers.first?.contains("-32800") == true })
    }

    @Test func aWithdrawnQuestionIsAnsweredAsDismissed() async throws {
        let bridge = Self.agent(
            asking: #"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{}}"#,
            #"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":0}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}"#,
            #"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}"#)
        let client = bridge.client()
        for method in ["session/request_permission", "elicitation/create"] {
            client.serve(method) { _ in
                await cancellation()
                throw CancellationError()
            }
        }
        #expect(try await prompt(client) == .endTurn)
        #expect(await eventually { bridge.answers.count == 2 })
        let answers = bridge.answers.joined()
        #expect(answers.contains(#""id":0,"result":{"outcome":{"outcome":"cancelled"}}"#))
        #expect(answers.contains(#""id":1,"result":{"action":"cancel"}"#))
    }

    @Test func notificationsFromTheAgentArriveInOrder() async throws {
        let bridge = Self.agent(
            asking: #"{"jsonrpc":"2.0","method":"n","params":[1]}"#, #"{"jsonrpc":"2.0","method":"n","params":[2]}"#)
        let client = bridge.client()
        let (heard, continuation) = AsyncStream<String>.makeStream()
        client.listen("n") { continuation.yield($0?.description ?? "") }
        #expect(try await prompt(client) == .endTurn)
        var numbers: [String] = []
        for await number in heard {
            numbers.append(number)
            if numbers.count == 2 { break }
        }
        #expect(numbers == ["[1]", "[2]"])
    }

    /// The handler of a notification can send the agent a prompt, for example, and the agent can ask before it answers.
    @Test func aRequestOfTheAgentDoesNotWaitForTheHandlerOfANotification() async throws {
        let bridge = Self.agent(
            asking: #"{"jsonrpc":"2.0","method":"n"}"#, #"{"jsonrpc":"2.0","id":7,"method":"ask"}"#)
        let client = bridge.client()
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let (handled, handling) = AsyncStream<Void>.makeStream()
        client.listen("n") { _ in
            for await _ in asked { break }
            handling.yield()
        }
        client.serve("ask") { _ in
            asking.yield()
            return [:]
        }
        #expect(try await prompt(client) == .endTurn)
        for await _ in handled { break }
        #expect(await eventually { bridge.answers.joined().contains(#""id":7,"result""#) })
    }

    @Test func aPromptIsNotRepeatedAfterALostConnection() async throws {
        let bridge = TestBridge { method, _, peer in
            if method == "session/prompt" { peer.cut() }
            return method == "session/prompt" ? nil : #"{"protocolVersion":1,"sessionId":"s"}"#
        }
        let client = bridge.client()
        await #expect(throws: TinyvexError.outcomeUnknown) { try await prompt(client) }
        #expect(bridge.count(of: "session/prompt") == 1)
    }
}
