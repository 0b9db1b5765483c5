import Testing
import TinyvexTransport

@Suite struct EndpointTests {
    @Test(arguments: [
        ("unix:/run/b.sock", Endpoint.unix(path: "/run/b.sock")),
        ("unix:///run/b.sock", .unix(path: "/run/b.sock")),
        ("ws://127.0.0.1:7717", Endpoint(.host("127.0.0.1", port: 7717, isSecure: false))),
        ("WS://bridge.example", Endpoint(.host("bridge.example", port: 80, isSecure: false))),
        ("wss://bridge.example/", Endpoint(.host("bridge.example", port: 443, isSecure: true))),
        (
            "https://bridge.example/acp/tinyvex?v=1",
            Endpoint(.host("bridge.example", port: 443, isSecure: true), target: "/acp/tinyvex?v=1")
        ),
        (
            "https://bridge.example/base/",
            Endpoint(.host("bridge.example", port: 443, isSecure: true), target: "/base/tinyvex")
        ),
        ("wss://b/base/?v=1", Endpoint(.host("b", port: 443, isSecure: true), target: "/base/tinyvex?v=1")),
        ("wss://b/base", Endpoint(.host("b", port: 443, isSecure: true), target: "/base")),
        ("ws://[::1]:7717?v=1", Endpoint(.host("::1", port: 7717, isSecure: false), target: "/tinyvex?v=1")),
    ])
    func endpointsAreParsed(text: String, endpoint: Endpoint) throws { #expect(try Endpoint(text) == endpoint) }

    @Test(arguments: [
        "", "bridge.example", "ftp://x", "ws://", "ws://:1", "ws://h:port", "ws://h:99999", "ws://h:0", "ws://::1",
        "ws://[::1",
        "ws://a b", "ws://h/\r\nX: y", "unix:",
    ])
    func invalidEndpointsAreRefused(text: String) {
        #expect(throws: Endpoint.ParseError.notAnEndpoint(text)) { try Endpoint(text) }
    }

    @Test(arguments: [("ws://u:p@h", "user name"), ("ws://h/#t", "fragment")])
    func endpointsWithAUserNameOrFragmentAreRefused(text: String, part: String) {
        #expect(throws: Endpoint.ParseError.notAllowed(part: part)) { try Endpoint(text) }
    }

    @Test func anEndpointIsDescribedAsItsURL() throws {
        #expect(try Endpoint("wss://[::1]/x").description == "wss://[::1]:443/x")
        #expect(try Endpoint("unix:/run/b").description == "unix:/run/b")
    }
}
