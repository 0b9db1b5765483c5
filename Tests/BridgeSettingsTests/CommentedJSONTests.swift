import Testing

@testable import BridgeSettings

@Suite struct CommentedJSONTests {
    private func plain(_ text: String) -> String {
        String(decoding: CommentedJSON.plain(Array(text.utf8)), as: UTF8.self)
    }

    @Test func commentsBecomeSpaces() {
        #expect(plain("{ // a\n\"b\": 1 /* c\n d */ }") == "{     \n\"b\": 1     \n      }")
    }

    @Test func aCommaBeforeAClosingBracketBecomesASpace() {
        #expect(plain("[1, 2, // x\n]") == "[1, 2      \n]")
        #expect(plain(#"{"a": [1,], }"#) == #"{"a": [1 ]  }"#)
    }

    @Test(arguments: ["[,]", "{,}", "[1,,]", ",", "[1, 2,", "{\"a\":,}"])
    func aCommaWithoutAValueStays(text: String) {
        #expect(plain(text).contains(","))
        #expect(SettingsFile(Array(text.utf8), path: "f", folder: "").faults.count == 1)
    }

    @Test(arguments: [#"["// no comment", "/* nor this */", "a,]", "\"//", "\\"]"#, "{}", "", "\"", "\"\\", "[1/2]"])
    func stringsAndOtherTextStay(text: String) { #expect(plain(text) == text) }

    @Test func anUnterminatedCommentStaysForTheParserToReport() {
        #expect(plain("{ /* a }") == "{ /* a }")
        #expect(plain("{ /*/ }") == "{ /*/ }")
    }

    @Test func aByteOrderMarkBecomesSpaces() {
        #expect(CommentedJSON.plain([0xEF, 0xBB, 0xBF, 0x7B, 0x7D]) == [0x20, 0x20, 0x20, 0x7B, 0x7D])
    }

    @Test func theLengthAndTheLinesStay() {
        let text = "{\n// ä\n/* ü\n\n*/ \"a\": [1,\n],\n}"
        let plain = CommentedJSON.plain(Array(text.utf8))
        #expect(plain.count == text.utf8.count)
        #expect(plain.count { $0 == 0x0A } == text.utf8.count { $0 == 0x0A })
    }

    @Test func linesAreCountedFromOne() {
        let text = Array("a\nb\n".utf8)
        #expect([0, 1, 2, 4, 99].map { CommentedJSON.line(of: $0, in: text) } == [1, 1, 2, 3, 3])
    }
}
