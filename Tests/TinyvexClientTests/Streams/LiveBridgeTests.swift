#if !os(Linux) || TINYVEX_PORTABLE
    import Foundation
    import Testing

    #if TINYVEX_PORTABLE
        import TinyvexClientPortable
    #else
        import TinyvexClient
    #endif

    /// The bridge of these tests: `ACPBRIDGE_TEST_URL`, `ACPBRIDGE_TEST_TOKEN` with the role `control`, and
    /// `ACPBRIDGE_TEST_BREAKING_URL` of a proxy that breaks each connection after some bytes. Tests/urlsession.sh sets them.
    private enum LiveBridge {
        static let url = variable("URL").flatMap { URL(string: $0) }
        static let breakingURL = variable("BREAKING_URL").flatMap { URL(string: $0) }
        static let token = variable("TOKEN")

        private static func variable(_ name: String) -> String? {
            ProcessInfo.processInfo.environment["ACPBRIDGE_TEST_" + name]
        }

        /// A client over URLSession.
        static func client(_ url: URL?, token: String? = token, attempts: Int? = nil) throws -> TinyvexClient {
            var configuration = TinyvexConfiguration(endpoint: try #require(url))
            configuration.sync.shortestDelay = .milliseconds(1)
            configuration.sync.attemptsLimit = attempts
            return TinyvexClient(
                configuration: configuration, authToken: token, transport: URLSessionTransport())
        }
    }

    /// The client over URLSession, against a bridge.
    @Suite(
        .enabled(if: LiveBridge.url != nil, "needs a bridge: Tests/urlsession.sh"), .serialized,
        .timeLimit(.minutes(3)))
    struct LiveBridgeTests {
        /// Starts the demo agent and lets it work for one turn.
        private func work(_ prompt: ACP.ContentBlock, _ client: TinyvexClient) async throws -> ACPSessionId {
            client.serve(ACP.Client.SessionRequestPermissionRequest.self) { request in
                let option = request.options.first { $0.kind == .allowOnce }
                return .init(outcome: option.map { .selected(.init(optionId: $0.optionId)) } ?? .cancelled)
            }
            try await client.initialize(.init(protocolVersion: 1), agent: "demo")
            let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
            let session = try await client.sessionNew(.init(cwd: folder)).sessionId
            let answer = try await client.sessionPrompt(.init(sessionId: session, prompt: [prompt]))
            #expect(answer.stopReason == .endTurn)
            return session
        }

        /// Reads the updates of a session up to this number, and checks that each arrives once.
        private func read(
            _ session: ACPSessionId, through last: Int64, _ client: TinyvexClient
        ) async throws -> (connections: Int, text: String) {
            var (connections, text, expected) = (0, "", Int64(1))
            for try await event in client.sessionEvents(sessionId: session) {
                switch event {
                case .opened: connections += 1
                case .update(let seq, let update):
                    #expect(seq == expected)
                    expected = seq + 1
                    if case .agentMessageChunk(let chunk) = update.update, case .text(let content) = chunk.content {
                        text += content.text
                    }
                default: Issue.record("\(event)")
                }
                if expected > last { break }
            }
            return (connections, text)
        }

        private func updateCount(of session: ACPSessionId, _ client: TinyvexClient) async throws -> Int64 {
            try await client.query("sessions:get", params: ["sessionId": session], as: SessionDetails.self).lastSeq
        }

        @Test func anAgentWorksAndItsUpdatesArriveOnce() async throws {
            let client = try LiveBridge.client(LiveBridge.url)
            let session = try await work("hello 3000 chunks pace=0", client)
            let count = try await updateCount(of: session, client)
            #expect(count >= 3_000)
            let (connections, text) = try await read(session, through: count, client)
            #expect(connections == 1 && text.count > 3_000)
            client.close()
        }

        @Test func updatesArriveOnceOverBrokenConnections() async throws {
            let direct = try LiveBridge.client(LiveBridge.url)
            let session = try await work("hello 5000 chunks pace=0", direct)
            let count = try await updateCount(of: session, direct)
            let client = try LiveBridge.client(LiveBridge.breakingURL)
            let (connections, _) = try await read(session, through: count, client)
            #expect(connections >= 5)
            client.close()
            direct.close()
        }

        /// In fragments, in both directions: the prompt is an entry of the timeline.
        @Test func longMessagesArriveWhole() async throws {
            let client = try LiveBridge.client(LiveBridge.url)
            let text = "/echo " + String(repeating: "0123456789abcdéf", count: 40_000)
            let session = try await work(.text(.init(text: text)), client)
            for try await entry in client.subscribeTimeline(sessionId: session) where entry.kind == .prompt {
                let prompt = try entry.data?.decode(as: ACP.Agent.SessionPromptRequest.self)
                #expect(prompt?.prompt == [.text(.init(text: text))])
                break
            }
            client.close()
        }

        @Test func aRefusedTokenIsReported() async throws {
            let client = try LiveBridge.client(LiveBridge.url, token: "wrong")
            let error = await #expect(throws: TinyvexError.self) {
                try await client.query("sessions:list", as: [SessionRow].self)
            }
            #expect(error == .unauthorized)
        }

        @Test func anEndpointWithoutABridgeIsUnreachable() async throws {
            let client = try LiveBridge.client(URL(string: "ws://127.0.0.1:9"), attempts: 1)
            let error = await #expect(throws: TinyvexError.self) {
                try await client.query("sessions:list", as: [SessionRow].self)
            }
            guard case .transport(.unreachable) = error else { Issue.record("\(String(describing: error))"); return }
        }

        @Test func aClosedClientEndsItsStreams() async throws {
            let client = try LiveBridge.client(LiveBridge.url)
            var values = client.subscribe("sessions:list", as: [SessionRow].self).makeAsyncIterator()
            #expect(try await values.next() != nil)
            #expect(client.currentConnectionState == .connected)
            client.close()
            #expect(client.currentConnectionState == .closed)
            await #expect(throws: TinyvexError.self) { while try await values.next() != nil {} }
        }
    }
#endif
