import ArgumentParsing
import Testing

@Suite struct QuotingTests {
    @Test func quotedValuesAreTruncatedAndHaveNoControlCharacters() {
        #expect(quoted("a\u{1B}[2Jb\r\n") == "'a\\u{1B}[2Jb\\r\\n'")
        #expect(quoted("zäh") == "'zäh'")
        #expect(quoted(String(repeating: "x", count: 5000)).count == 105)
    }
}
