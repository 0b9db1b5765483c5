import Testing

@testable import Clients

@Suite struct RemoteClientAddressTests {
    @Test(
        arguments: [
            (nil, "codex"), ("", "codex"), ("x=1", "codex"), ("agent=claude", "claude"), ("session=s1", nil),
        ] as [(String?, String?)])
    func onlyAnAddressWithoutAnAgentAndASessionGetsTheOnlyAgent(query: String?, agent: String?) {
        let address = RemoteClientAddress(query: query).naming { "codex" }
        #expect(address.namedAgent == agent)
        #expect(RemoteClientAddress(query: query).naming { nil } == RemoteClientAddress(query: query))
    }

    @Test func aSessionsURLNamesItsIncarnation() {
        let address = RemoteClientAddress(query: "session=s%201&journal=9f03c2aa-17-2")
        #expect(address.session == "s 1" && address.journal == "9f03c2aa-17-2")
        #expect(RemoteClientAddress(query: "session=s1").journal == nil)
    }

    /// The bridge's only agent is for clients that name none, also in the params of `initialize`.
    @Test func theOnlyAgentIsNotNamedByTheURL() {
        let address = RemoteClientAddress(query: nil).naming { "codex" }
        #expect(address.agent == nil && address.onlyAgent == "codex")
    }
}
