import TerminalText
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

    @Test func aQuotationStaysWholeAndAnApostropheIsNone() {
        #expect(WordWrap.lines("try 'acp help' (or 'a b')", columns: 9) == ["try", "'acp help'", "(or", "'a b')"])
        #expect(WordWrap.lines("the agent's own 'x y", columns: 9) == ["the", "agent's", "own 'x y"])
        let long = "'" + String(repeating: "ab ", count: 30) + "'"
        #expect(WordWrap.lines(long, columns: 30).allSatisfy { $0.count <= 30 })
    }

    @Test func furtherSpacesStay() {
        #expect(WordWrap.lines("/a  b/c is a path", columns: 12) == ["/a  b/c is a", "path"])
        #expect(WordWrap.lines("one  two", columns: 5) == ["one", " two"])
    }

    @Test func aMessageContinuesBelowItsTextAfterItsLabel() {
        let message: TerminalText = "Error: the words of this message are longer than one line"
        #expect(
            WordWrap.message(message, columns: 30).text == """
                Error: the words of this
                       message are longer than
                       one line
                """)
        #expect(
            WordWrap.message("acpbridge: one two three four five six", columns: 33).text == """
                acpbridge: one two three four
                           five six
                """)
        #expect(WordWrap.message(message, columns: nil) == message)
        #expect(WordWrap.message(message, columns: 26) == message)
    }

    @Test func aQuestionIsBrokenBetweenItsChoices() {
        let question: TerminalText = "1 Allow  2 Always allow in this session  3 Reject  4 Always reject: "
        #expect(
            WordWrap.question(question, columns: 50).text
                == "1 Allow  2 Always allow in this session\n3 Reject  4 Always reject: ")
        #expect(
            WordWrap.question(question, columns: 25).text
                == "1 Allow\n2 Always allow in\nthis session\n3 Reject\n4 Always reject: ")
        #expect(WordWrap.question(question, columns: 73) == question)
        #expect(WordWrap.question(question, columns: nil) == question)
        #expect(WordWrap.question("> ", columns: 30) == "> ")
    }

    @Test func onlyTheLongLinesOfAMessageAreBroken() {
        let lines: TerminalText = """
            Error: one
            a line that does not fit here
              with  spaces that stay, but is too long
              with  spaces
            """
        #expect(
            WordWrap.message(lines, columns: 25).text == """
                Error: one
                a line that does not fit
                here
                  with  spaces that stay,
                  but is too long
                  with  spaces
                """)
    }
}
