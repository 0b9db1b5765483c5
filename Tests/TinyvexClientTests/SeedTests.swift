import Foundation
import Testing

#if TINYVEX_PORTABLE
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

/// The client's API, as the library's specification spells it. Code that does not compile here is missing.
@Suite struct SeedTests {
    private static func calls(_ client: TinyvexClient) async throws {
        _ = TinyvexClient.init(endpoint:) as (URL) -> TinyvexClient
        let _: ACP.Agent.InitializeResponse = try await client.initialize(.init(protocolVersion: 1))
        let session: ACP.Agent.SessionNewResponse = try await client.sessionNew(.init(cwd: "/"))
        try await client.sessionPrompt(ACP.Agent.SessionPromptRequest(sessionId: session.sessionId, prompt: []))
        await client.sessionCancel(sessionId: ACPSessionId(rawValue: "s"))
        let _: Int = try await client.mutation("m", args: ["a": 1], as: Int.self)
        let _: Int = try await client.action("a", args: ["a": 1], as: Int.self)
        client.setAuthToken("t")
        client.setAuthToken(nil)
    }

    private static func streams<T: Decodable>(
        _ client: TinyvexClient, _ type: T.Type, _ params: any Encodable
    ) {
        let _: AsyncThrowingStream<T, Error> = client.subscribe("q", params: params, as: type)
    }

    private static func errors(_ error: TinyvexError) -> String {
        switch error {
        case .server(code: let code, message: let message, data: _): "\(code) \(message)"
        case .decoding(let fault): fault.path
        default: "\(error)"
        }
    }

    @Test func aClientNeedsOnlyAnEndpoint() throws {
        let client = TinyvexClient(endpoint: try #require(URL(string: "ws://127.0.0.1:7717")))
        #expect(client.currentConnectionState == .idle(because: nil))
        #expect(Self.errors(.server(code: "TVX003", message: "no", data: nil)) == "TVX003 no")
    }
}
