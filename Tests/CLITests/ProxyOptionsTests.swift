import ArgumentParsing
import Invocations
import Testing

@testable import CLI

@Suite struct ProxyOptionsTests {
    @Test(arguments: [
        ("https://bridge.example", "https://bridge.example"), ("HTTPS://Bridge.Example/", "https://bridge.example"),
        ("https://bridge.example:443/base/", "https://bridge.example/base"),
        ("http://bridge.example:80", "http://bridge.example"),
        ("https://bridge.example:8443/a/b", "https://bridge.example:8443/a/b"),
        ("http://[2001:DB8::1]:7717/x", "http://[2001:db8::1]:7717/x"), ("http://10.0.0.5", "http://10.0.0.5"),
    ])
    func aPublicURLIsNormalized(argument: String, url: String) {
        #expect(PublicURL(argument: argument)?.description == url)
    }

    @Test func aPublicURLHasAnOriginAHostAndAPath() throws {
        let url = try #require(PublicURL(argument: "https://[fd00::1]:8443/base"))
        #expect(url.origin == "https://[fd00::1]:8443" && url.host == "fd00::1" && url.path == "/base")
    }

    @Test(arguments: [
        "", "bridge.example", "ws://bridge.example", "https://", "https:///x", "https://user@bridge.example",
        "https://bridge.example?x", "https://bridge.example/#x", "https://bridge.example/a b",
        "https://bridge.example/a//b", "https://bridge.example/../x", "https://bridge.example/%61",
        "https://bridge.example:0", "https://bridge.example:x", "https://bridge.example:70000", "https://[::1",
        "https://[::1]x", "https://bridge.example:", "https://a;b", "https://a\"b",
    ])
    func otherURLsAreRefused(argument: String) { #expect(PublicURL(argument: argument) == nil) }

    @Test(arguments: ["127.0.0.1", "10.0.0.0/8", "fd00::/8", "::1", "::ffff:10.0.0.1/128"])
    func aProxyIsAnAddressOrANetwork(argument: String) {
        #expect(ProxyAddress(argument: argument)?.description == argument)
    }

    @Test(arguments: ["", "proxy.example", "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "10.0.0", "10.0.0.0/8/8", "/8"])
    func otherProxiesAreRefused(argument: String) { #expect(ProxyAddress(argument: argument) == nil) }

    @Test(arguments: [["--behind-proxy"], ["--public-url", "https://b.example"], ["--trusted-proxy", "10.0.0.1"]])
    func aProxyNeedsTCP(words: [String]) {
        #expect(throws: UsageError.self) { try ServeSettings.options(ServeSettings.written(in: ["--no-tcp"] + words)) }
    }
}
