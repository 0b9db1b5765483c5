import Foundation
import Synchronization
import Testing

#if TINYVEX_PORTABLE
    @testable import TinyvexClientPortable
#else
    @testable import TinyvexClient
#endif

/// Sign-in, expired tokens, and the results of calls that were pending meanwhile.
@Suite(.timeLimit(.minutes(10))) struct TokenTests {
    struct Person: Equatable, Sendable { var name: String, token: String }

    /// Supplies the given tokens one after another.
    final class Provider: AuthProvider {
        struct Fault: Error, Equatable {}

        private let tokens: Mutex<[String]>
        let onIdToken = Mutex<(@Sendable (String?) -> Void)?>(nil)

        init(_ tokens: String...) { self.tokens = Mutex(tokens) }

        func add(_ token: String) { tokens.withLock { $0.append(token) } }

        func login(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Person {
            self.onIdToken.withLock { $0 = onIdToken }
            guard let token = tokens.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw Fault() }
            return Person(name: "Ada", token: token)
        }

        func loginFromCache(onIdToken: @escaping @Sendable (String?) -> Void) async throws -> Person {
            try await login(onIdToken: onIdToken)
        }

        func logout() async throws {}

        func extractIdToken(from person: Person) -> String { person.token }
    }

    /// Accepts only connections with this token.
    private static func bridge(accepting token: String) -> InProcessTransport {
        InProcessTransport { peer in
            var shown = peer.request.token
            while let text = try? await peer.receive() {
                let text = String(decoding: text, as: UTF8.self)
                if text.contains("auth.setToken") { shown = text.contains("\"\(token)\"") ? token : nil }
                let id = text.firstMatch(of: #/"id":(\d+)/#)?.1 ?? "0"
                if shown == token || text.contains("tinyvex/connect") {
                    try? await peer.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{"value":1}}"#)
                } else {
                    try? await peer.send(
                        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32000,"message":"no rights","data":{"code":"TVX006"}}}"#
                    )
                }
            }
        }
    }

    private func client(_ provider: Provider, _ transport: InProcessTransport) -> TinyvexClientWithAuth<Provider> {
        TinyvexClientWithAuth(
            configuration: TestBridge.clientConfiguration, authProvider: provider, transport: transport)
    }

    @Test func aUserSignsInAndOut() async throws {
        let client = client(Provider("good"), Self.bridge(accepting: "good"))
        var states = client.authStates.makeAsyncIterator()
        #expect(await states.next() == .unauthenticated)
        let person = try await client.login().get()
        #expect(person == Person(name: "Ada", token: "good"))
        #expect(await states.next() == .authenticated(person))
        try await client.action("a")
        try await client.logout().get()
        #expect(await states.next() == .unauthenticated)
    }

    @Test func aFailedSignInIsReported() async {
        let client = client(Provider(), Self.bridge(accepting: "good"))
        await #expect(throws: Provider.Fault.self) { try await client.loginFromCache().get() }
        var states = client.authStates.makeAsyncIterator()
        #expect(await states.next() == .unauthenticated)
    }

    @Test func anExpiredTokenIsRenewedOnceAndTheCallSucceeds() async throws {
        let transport = Self.bridge(accepting: "second")
        let client = client(Provider("first", "second", "third"), transport)
        _ = try await client.login().get()
        transport.refuse(.unauthorized)
        try await client.action("a")
        var states = client.authStates.makeAsyncIterator()
        #expect(await states.next() == .authenticated(Person(name: "Ada", token: "first")))
    }

    @Test func aRenewedTokenThatIsRejectedTooSignsTheUserOut() async throws {
        let transport = Self.bridge(accepting: "none")
        let client = client(Provider("first", "second", "third"), transport)
        _ = try await client.login().get()
        transport.refuse(.unauthorized, .unauthorized)
        await #expect(throws: TinyvexError.unauthorized) { try await client.action("a") }
        for await state in client.authStates where state == .unauthenticated { break }
    }

    @Test func aProviderThatFailsToRenewTheTokenDoesNotSignTheUserOut() async throws {
        let transport = Self.bridge(accepting: "second")
        let provider = Provider("first")
        let client = client(provider, transport)
        _ = try await client.login().get()
        transport.refuse(.unauthorized)
        await #expect(throws: TinyvexError.unauthorized) { try await client.action("a") }
        var states = client.authStates.makeAsyncIterator()
        #expect(await states.next() == .authenticated(Person(name: "Ada", token: "first")))
        provider.add("second")
        transport.refuse(.unauthorized)
        try await client.action("a")
    }

    @Test func theEndOfTheProvidersSessionSignsTheUserOut() async throws {
        let provider = Provider("good")
        let client = client(provider, Self.bridge(accepting: "good"))
        _ = try await client.login().get()
        provider.onIdToken.withLock { $0 }?(nil)
        for await state in client.authStates where state == .unauthenticated { break }
    }

    @Test func aTokenWithoutSufficientRightsIsRenewedOnce() async throws {
        let transport = Self.bridge(accepting: "new")
        let client = TinyvexClient(
            configuration: TestBridge.clientConfiguration, authToken: "old", transport: transport)
        let asked = Mutex(0)
        client.setAuthTokenSource {
            asked.withLock { $0 += 1 }
            return "new"
        }
        try await client.action("a")
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func withoutATokenSourceARejectedTokenFailsTheCall() async {
        let transport = Self.bridge(accepting: "new")
        let client = TinyvexClient(
            configuration: TestBridge.clientConfiguration, authToken: "old", transport: transport)
        transport.refuse(.unauthorized)
        await #expect(throws: TinyvexError.unauthorized) { try await client.action("a") }
        client.setAuthToken("new")
        await #expect(throws: Never.self) { try await client.action("a") }
    }
}
