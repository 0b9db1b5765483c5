import Foundation
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    @Test func aClientConnectsWithItsFirstCall() async throws {
        let bridge = TestBridge { _, _, _ in #"{"value":1}"# }
        let client = bridge.client()
        #expect(bridge.connectionCount == 0 && client.currentConnectionState == .idle(because: nil))
        try await client.action("a")
        #expect(bridge.connectionCount == 1 && client.currentConnectionState == .connected)
    }

    @Test func theConnectionStatesEndWhenTheClientIsClosed() async throws {
        let client = TestBridge { _, _, _ in #"{"value":1}"# }.client()
        var states = client.connectionStates.makeAsyncIterator()
        #expect(await states.next() == .idle(because: nil))
        try await client.action("a")
        client.close()
        var last: ConnectionState?
        while let state = await states.next() { last = state }
        #expect(last == .closed)
        await #expect(throws: TinyvexError.closed) { try await client.action("a") }
    }

    @Test func webSocketStatesAreOnlyConnectedAndConnecting() async throws {
        let bridge = TestBridge { _, _, _ in #"{"value":1}"# }
        let client = bridge.client()
        var states = WebSocketStates(client.connectionStates).makeAsyncIterator()
        let values = client.subscribe("q", as: Int.self)
        while let state = await states.next(), state != .connected {}
        bridge.peer?.cut()
        #expect(await eventually { bridge.connectionCount == 2 })
        client.close()
        while let state = await states.next() { #expect(state == .connecting || state == .connected) }
        _ = values
    }

    @Test(arguments: [
        ("ftp://a.example/", "ws://HOST:PORT"), ("wss://user:secret@a.example", "cannot contain a user name"),
        ("ws://a.example/#x", "cannot contain a fragment"), ("nonsense", "ws://HOST:PORT"),
    ])
    func anInvalidEndpointFailsAtItsFirstUseWithTheReason(text: String, words: String) async throws {
        let url = try #require(URL(string: text))
        let client = TinyvexClient(endpoint: url)
        await #expect {
            try await client.action("a")
        } throws: {
            guard case .transport(.invalidEndpoint(let reason)) = $0 as? TinyvexError else { return false }
            return reason.contains(words) && !reason.contains("secret")
        }
    }

    @Test func anEndpointThatReplacesAnInvalidOneIsUsed() async throws {
        let bridge = TestBridge { _, _, _ in #"{"value":1}"# }
        var configuration = TinyvexConfiguration(endpoint: try #require(URL(string: "nonsense")))
        configuration.sync.endpoint = .unix(path: "/run/b.sock")
        let client = TinyvexClient(configuration: configuration, transport: bridge.transport)
        try await client.action("a")
        #expect(bridge.connectionCount == 1)
    }

    @Test(arguments: [
        ("ws://a.example", "ws://a.example:80/tinyvex"),
        ("https://a.example/x?agent=demo", "wss://a.example:443/x?agent=demo"),
        ("unix:/run/a%20b.sock", "unix:/run/a b.sock"), ("file:///run/b.sock", "unix:/run/b.sock"),
        ("WS://[::1]:7000", "ws://[::1]:7000/tinyvex"),
    ])
    func urlsAreParsedAsEndpoints(text: String, endpoint: String) throws {
        #expect(try Endpoint(try #require(URL(string: text))).description == endpoint)
    }

    @Test func aReleasedClientClosesItsConnection() async throws {
        let bridge = TestBridge { _, _, _ in #"{"value":1}"# }
        do {
            let client = bridge.client()
            client.serve("x") { _ in "y" }
            try await client.action("a")
        }
        #expect(await eventually { bridge.peer?.isClosed == true })
    }
}
