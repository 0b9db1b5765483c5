import HTTP1
import Testing

@Suite struct RequestTargetTests {
    private func head(_ target: String) -> RequestHead { RequestHead(method: "GET", target: target) }

    @Test(arguments: [
        ("/", []), ("/v1/sessions", ["v1", "sessions"]), ("/v1/sessions/a%2Fb?x=/", ["v1", "sessions", "a/b"]),
        ("/%c3%bc", ["ü"]), ("/a+b", ["a+b"]),
    ])
    func aPathIsSplitIntoItsSegments(target: String, segments: [String]) {
        #expect(head(target).pathSegments == segments)
    }

    @Test(arguments: ["//", "/a//b", "/a/", "/.", "/a/../b", "/%2e%2e", "/%", "/%1", "/%zz", "/%ff"])
    func anAmbiguousPathHasNoSegments(target: String) {
        #expect(head(target).pathSegments == nil)
    }

    @Test(arguments: [
        ("/metrics", [false]), ("/%6detrics", [true]), ("/v1/%73essions/a%2Fb", [false, true, false]),
        ("/%4D/%2d/%2E/%5f/%7e/%30", [true, true, true, true, true, true]), ("/%2f%25%41", [true]),
        ("/%c3%bc/%/%6", [false, false, false]),
    ])
    func unnecessaryPercentEncodingIsDetectedInEachSegment(target: String, isEncoded: [Bool]) {
        #expect(head(target).encodesUnreserved == isEncoded)
    }

    @Test func aQueryIsSplitIntoItsMembers() throws {
        let members = try #require(head("/x?limit=5&search=a+b%26c&live&=v&a==&&").queryMembers)
        #expect(members.map(\.name) == ["limit", "search", "live", "", "a"])
        #expect(members.map(\.value) == ["5", "a b&c", "", "v", "="])
        #expect(head("/x").queryMembers?.isEmpty == true)
        #expect(head("/x?a=%f").queryMembers == nil)
    }
}
