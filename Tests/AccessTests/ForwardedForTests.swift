import EventLoop
import Testing

@testable import Access

@Suite struct ForwardedForTests {
    private static let proxies = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].compactMap { NetworkRange($0) }

    /// The client that the bridge finds, as text.
    private func client(_ values: [String], from peer: String = "127.0.0.1") throws -> String {
        let peer = try #require(NetworkAddress(peer))
        return ForwardedFor(trusted: Self.proxies).client(values, from: peer).description
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"), ("203.0.113.9:51234", "203.0.113.9"), ("2001:db8::7", "2001:db8::7"),
        ("[2001:db8::7]", "2001:db8::7"), ("[2001:db8::7]:443", "2001:db8::7"), ("  203.0.113.9\t", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
    ])
    func aProxyNamesItsClient(value: String, address: String) throws { #expect(try client([value]) == address) }

    @Test func theRightmostAddressThatIsNotAProxyCounts() throws {
        #expect(try client(["1.2.3.4, 203.0.113.9, 10.1.2.3"]) == "203.0.113.9")
        #expect(try client(["1.2.3.4, 203.0.113.9, fd00::5, 10.1.2.3"]) == "203.0.113.9")
        #expect(try client(["10.9.9.9, 203.0.113.9"]) == "203.0.113.9", "a client can write the address of a proxy")
    }

    @Test func severalFieldsAreOneList() throws {
        #expect(try client(["1.2.3.4", "203.0.113.9", "10.1.2.3"]) == "203.0.113.9")
        #expect(try client(["203.0.113.9", ""]) == "127.0.0.1", "the last field has an empty element")
    }

    @Test func aListOfProxiesAloneGivesTheFarthest() throws {
        #expect(try client(["10.0.0.2, 10.0.0.3"]) == "10.0.0.2")
        #expect(try client([]) == "127.0.0.1")
    }

    @Test func aPeerThatIsNotAProxyIsItsOwnClient() throws {
        #expect(try client(["1.2.3.4"], from: "198.51.100.1") == "198.51.100.1")
        #expect(try client(["127.0.0.1"], from: "198.51.100.1") == "198.51.100.1")
        let peer = try #require(NetworkAddress("127.0.0.1"))
        let untrusting = ForwardedFor().client(["1.2.3.4"], from: peer)
        #expect(untrusting == peer)
    }

    @Test(arguments: [
        "unknown", "_hidden", "", ",", "203.0.113.9:", "203.0.113.9:x", "203.0.113.9:70000", "203.0.113.9:1:2", "[::1",
        "[::1]x", "[203.0.113.9]", "::1]", "203.0.113", "203.0.113.256", "0x7f.1", "for=203.0.113.9",
        "203.0.113.9 1.2.3.4", "\"203.0.113.9\"", "[2001:db8::7]:+1",
    ])
    func anElementThatIsNoAddressCountsAsTheProxyThatAppendedIt(value: String) throws {
        #expect(try client([value]) == "127.0.0.1")
        #expect(try client(["1.2.3.4, \(value), 10.1.2.3"]) == "10.1.2.3")
    }
}

@Suite struct NetworkRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("10.1.2.3/8", "10.9.9.9", true), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "203.0.113.9", false), ("fd00::/8", "fdff::1", true),
        ("fd00::/8", "fe00::1", false), ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
        ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
        ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.200", true),
    ])
    func aNetworkContainsTheAddressesWithItsPrefix(range: String, address: String, isContained: Bool) throws {
        let range = try #require(NetworkRange(range))
        #expect(range.contains(try #require(NetworkAddress(address))) == isContained)
    }

    @Test(arguments: ["", "10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "host", "10.0.0/8"])
    func anythingElseIsNoNetwork(text: String) { #expect(NetworkRange(text) == nil) }
}
