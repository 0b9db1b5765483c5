import Foundation
import Testing

#if TINYVEX_PORTABLE
    import TinyvexClientPortable
#else
    import TinyvexClient
#endif

/// The client's API, as the library's specification spells it. Code that does not compile here is missing.
@Suite struct SeedTests {
    /// A bridge that answers everything that the specification names.
    private static let bridge = TestBridge { method, params, peer in
        switch method {
        case "initialize": return #"{"protocolVersion":1}"#
        case "session/new": return #"{"sessionId":"s"}"#
        case "session/prompt": return #"{"stopReason":"end_turn"}"#
        case "tinyvex/mutation", "tinyvex/action": return #"{"requestId":"1","value":7}"#
        case "tinyvex/subscribe":
            guard let subId = params?["subId"]?.rawString else { return "{}" }
            return .init(#"{"accepted":true,"resumed":false,"startSeq":1,"journal":""}"#) {
                try await peer.send(.data(subId, 1, #"[{"title":"t"}]"#))
            }
        default: return "{}"
        }
    }

    @Test func theCallsOfTheSpecificationAreSent() async throws {
        let client = Self.bridge.client()
        client.setAuthToken("t")
        let _: ACP.Agent.InitializeResponse = try await client.initialize(.init(protocolVersion: 1))
        let session: ACP.Agent.SessionNewResponse = try await client.sessionNew(.init(cwd: "/"))
        try await client.sessionPrompt(ACP.Agent.SessionPromptRequest(sessionId: session.sessionId, prompt: []))
        await client.sessionCancel(sessionId: ACPSessionId(rawValue: "s"))
        #expect(try await client.mutation("m", args: ["a": 1], as: Int.self) == 7)
        #expect(try await client.action("a", args: ["a": 1], as: Int.self) == 7)
        client.setAuthToken(nil)
        let sent = Set(Self.bridge.methods)
        #expect(
            sent.isSuperset(of: [
                "initialize", "session/new", "session/prompt", "tinyvex/mutation", "tinyvex/action",
            ]))
    }

    private struct Row: Decodable, Equatable {
        var title: String
    }

    private func first<T: Decodable>(_ type: T.Type, _ params: any Encodable, of client: TinyvexClient) async throws
        -> T?
    {
        let values: AsyncThrowingStream<T, Error> = client.subscribe("q", params: params, as: type)
        for try await value in values { return value }
        return nil
    }

    @Test func aSubscriptionIsAStreamOfTheStandardLibrary() async throws {
        #expect(try await first([Row].self, ["a": 1], of: Self.bridge.client()) == [Row(title: "t")])
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
