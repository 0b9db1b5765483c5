import EventLoop
import Posix
import Testing

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("10.127.0.1", false), ("::", false), ("::2", false), ("1::1", false), ("fe80::1", false),
    ])
    func onlyLoopbackAddressesAreLocal(text: String, isLoopback: Bool) {
        #expect(NetworkAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: ["127.0.0.1", "255.255.255.255", "::1", "2001:db8::1:2"])
    func addressesRoundTrip(text: String) { #expect(NetworkAddress(text)?.description == text) }

    @Test(arguments: ["", "localhost", "127.0.0", "::1%lo", "[::1]"])
    func aHostNameIsNotAnAddress(text: String) { #expect(NetworkAddress(text) == nil) }

    @Test func anIPv4AddressEqualsItsFormOnAnIPv6Socket() {
        #expect(NetworkAddress("::ffff:10.0.0.1") == NetworkAddress("10.0.0.1"))
    }

    @Test func anIPv6NetworkCountsAsOneAddress() {
        #expect(NetworkAddress("2001:db8::1")?.household == NetworkAddress("2001:db8::2")?.household)
        #expect(NetworkAddress("2001:db8::1")?.household != NetworkAddress("2001:db8:0:1::1")?.household)
        #expect(NetworkAddress("10.0.0.1")?.household != NetworkAddress("10.0.0.2")?.household)
    }

    @Test func theAddressOfASocketsPeerIsReturned() throws {
        let listener = try Sockets.listen(on: .ip(host: "127.0.0.1", port: 0))
        let client = try Sockets.connect(to: .ip(host: "127.0.0.1", port: Sockets.localPort(of: listener)))
        #expect(NetworkAddress(peerOf: client.raw)?.description == "127.0.0.1")
    }
}
