import Testing

@testable import JSONScan

@Suite struct EnvelopeScannerTests {
    private func update(_ text: String, session: String = "s1", after: String = "") -> [UInt8] {
        let start = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":""# + session
        let content = #"","update":{"content":{"type":"text","text":""# + text + #""},"#
        return Array((start + content + #""sessionUpdate":"agent_message_chunk"}"# + after + "}}").utf8)
    }

    private func summary(_ scanner: inout EnvelopeScanner, _ line: [UInt8]) -> EnvelopeSummary? {
        (try? scanner.scan(line.span)).map(EnvelopeSummary.init)
    }

    private func expectSame(_ scanner: inout EnvelopeScanner, _ line: [UInt8]) {
        #expect(summary(&scanner, line) == (try? scanEnvelope(line.span)).map(EnvelopeSummary.init))
    }

    @Test func twoLinesThatDifferInOneStringMakeATemplate() {
        var scanner = EnvelopeScanner()
        expectSame(&scanner, update("one"))
        #expect(!scanner.hasTemplate)
        expectSame(&scanner, update("number two"))
        #expect(scanner.hasTemplate)
        for text in ["", "3", #"quoted \" and \u00e9"#, "漢字", String(repeating: "x", count: 100_000)] {
            expectSame(&scanner, update(text))
        }
    }

    @Test func equalLinesMakeATemplateWithTheirLastFreeString() {
        var scanner = EnvelopeScanner()
        for text in ["one", "one", "two"] {
            expectSame(&scanner, update(text))
            expectSame(&scanner, Array(#"{"a":"\(text)","method":"m"}"#.utf8))
        }
        scanner = EnvelopeScanner()
        for text in ["one", "one", "two"] { expectSame(&scanner, update(text)) }
        #expect(scanner.hasTemplate)
    }

    @Test(arguments: [#"a"b"#, #"a\"#, "a\u{1}b", #"\x"#, #"","method":"other"#, #""},"x":{"y":""#])
    func aTextThatIsNoPlainStringIsScannedAsAWhole(text: String) {
        var scanner = EnvelopeScanner()
        for text in ["one", "two", text, "three"] { expectSame(&scanner, update(text)) }
    }

    @Test func aNameOrARoutingMemberThatDiffersMakesNoTemplate() {
        var scanner = EnvelopeScanner()
        for session in ["s1", "s2"] { expectSame(&scanner, update("one", session: session)) }
        #expect(!scanner.hasTemplate)
        scanner = EnvelopeScanner()
        for name in ["a", "method"] { expectSame(&scanner, Array(#"{"id":1,"\#(name)":"x"}"#.utf8)) }
        #expect(!scanner.hasTemplate)
    }

    @Test func linesWithoutAPatternMakeTemplatesMoreAndMoreSeldom() {
        var scanner = EnvelopeScanner()
        var templates = 0
        var had = false
        for number in 0..<1000 {
            expectSame(&scanner, update("x\(number)", after: #","n":\#(number)"#))
            if scanner.hasTemplate, !had { templates += 1 }
            had = scanner.hasTemplate
        }
        #expect(templates < 20)
    }

    @Test func longLinesAreNotRemembered() {
        var scanner = EnvelopeScanner()
        let long = String(repeating: "x", count: EnvelopeScanner.rememberedBytes)
        for text in [long, long + "y"] { expectSame(&scanner, update(text)) }
        #expect(!scanner.hasTemplate)
    }
}
