import Testing

@testable import TerminalIO

@Suite struct WordWrapTests {
    @Test func aLineIsBrokenAtSpaces() {
        #expect(WordWrap.lines("one two three four", columns: 9) == ["one two", "three", "four"])
        #expect(WordWrap.lines("one two", columns: 7) == ["one two"])
        #expect(WordWrap.lines("", columns: 7).isEmpty)
    }

    @Test func aWideWordAndACommandStayWhole() {
        #expect(WordWrap.lines("see /a/very/long/path now", columns: 8) == ["see", "/a/very/long/path", "now"])
        #expect(WordWrap.lines("use `ssh -L x` or not", columns: 8) == ["use", "`ssh -L x`", "or not"])
    }

    @Test func aWideCharacterTakesTwoColumns() {
        #expect(WordWrap.lines("日本 日本", columns: 8) == ["日本", "日本"])
        #expect(WordWrap.lines("日本 日本", columns: 9) == ["日本 日本"])
    }

    @Test func laterLinesAreIndentedAtATerminalOnly() {
        let text = "twenty columns are the least"
        #expect("\(WordWrap.text(text, indent: 2, columns: 24))" == "twenty columns are the\n  least")
        #expect("\(WordWrap.text(text, indent: 2, columns: nil))" == text)
        #expect("\(WordWrap.text(text, indent: 2, columns: 21))" == text)
    }
}
