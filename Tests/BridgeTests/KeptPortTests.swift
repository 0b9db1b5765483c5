import Testing

@testable import Bridge

@Suite struct KeptPortTests {
    @Test(arguments: ["", "\n", "x", "70000", "-1", "0", "80", "99999999999999999999"])
    func aFileWithoutAUsablePortCountsAsMissing(text: String) {
        #expect(KeptPort.port(Array(text.utf8)) == nil)
    }

    @Test func aPortIsReadWithItsLineFeed() {
        #expect(KeptPort.port(Array("40123\n".utf8)) == 40_123)
    }
}
