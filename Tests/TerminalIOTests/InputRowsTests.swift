import TerminalText
import Testing

@testable import TerminalIO

@Suite struct InputRowsTests {
    private func rows(_ before: String, _ after: String = "", columns: Int? = 10) -> InputRows {
        InputRows(question: "> ", before: before, after: after, columns: columns)
    }

    @Test func aRowIsBrokenAtTheLastColumn() {
        let input = rows("abcdefgh", "ij")
        #expect(input.rows == ["> abcdefgh", "ij"])
        #expect(input.cursor == (1, 0))
        #expect(rows("abcdefgh").rows == ["> abcdefgh", ""])
        #expect(rows("abcdefghij", columns: nil).rows == ["> abcdefghij"])
    }

    @Test func aWideCharacterIsNotSplit() {
        let input = rows("日本語日本")
        #expect(input.rows == ["> 日本語日", "本"])
        #expect(input.cursor == (1, 2))
        #expect(rows("a日本語日").rows == ["> a日本語", "日"])
    }

    @Test func aTabStopsAtTheLastColumn() {
        #expect(InputRows.column(after: "a\t", columns: 10) == 8)
        #expect(InputRows.column(after: "a\t\t", columns: 10) == 9)
        #expect(InputRows.column(after: "0123456789\t", columns: 10) == 10)
    }

    @Test func aCombiningMarkTakesNoColumn() { #expect(rows("e\u{301}e\u{301}").cursor == (0, 4)) }

    @Test func eachLineBeginsARow() {
        let input = rows("a\n\nb", "c\nd")
        #expect(input.rows == ["> a", "", "bc", "d"])
        #expect(input.cursor == (2, 1))
    }

    @Test func hiddenCharactersAreShownAsText() {
        #expect(rows("a\tb\u{202E}", columns: nil).rows == ["> a b<U+202E>"])
        #expect(rows("a\u{202E}").rows == ["> a", "<U+202E>"])
    }

    @Test func onlyRowsAroundTheCursorAreShown() {
        var input = rows((1...9).map(String.init).joined(separator: "\n"))
        input.cut(height: 3)
        #expect(input.rows == ["7", "8", "9"])
        #expect(input.cursor == (2, 1))
        input = rows("1\n2\n3\n4", "\n5\n6\n7")
        input.cut(height: 3)
        #expect(input.rows == ["3", "4", "5"])
        #expect(input.cursor == (1, 1))
        input = rows("", "1\n2\n3\n4")
        input.cut(height: 1)
        #expect(input.rows == ["> 1"])
    }

    @Test func aNoticeIsAboveTheOtherRows() {
        var input = rows("a\nb")
        input.add(above: "too\nlong")
        #expect(input.rows == ["too", "long", "> a", "b"])
        #expect(input.cursor == (3, 1))
    }

    @Test func theCursorIsMovedBackToItsPosition() {
        #expect(rows("ab").drawing == "> ab")
        #expect(rows("a", "b").drawing == "> ab\r\u{1b}[3C")
        #expect(rows("", "a\nb").drawing == "> a\nb\r\u{1b}[1A\u{1b}[2C")
        #expect(rows("a\n", "b").drawing == "> a\nb\r")
    }

    @Test func theRowsAreClearedFromTheFirstOne() {
        #expect(rows("ab").clearing(columns: 10) == "\r\u{1b}[J")
        #expect(rows("a\nb").clearing(columns: 10) == "\r\u{1b}[1A\u{1b}[J")
    }

    @Test func aNarrowerTerminalHasBrokenTheRows() {
        // "> abcdefgh" takes three rows of 4 columns, and the cursor is on the second row of "ijklm".
        #expect(rows("abcdefghijklm").clearing(columns: 4) == "\r\u{1b}[4A\u{1b}[J")
        #expect(rows("abcdefghijklm").clearing(columns: 20) == "\r\u{1b}[1A\u{1b}[J")
    }

    @Test func theColumnAfterALineIsThatOfTheTerminal() {
        #expect(InputRows.column(after: "", columns: 10) == 0)
        #expect(InputRows.column(after: "\u{1b}[2mabc\u{1b}[0m", columns: 10) == 3)
        #expect(InputRows.column(after: "0123456789", columns: 10) == 10)
        #expect(InputRows.column(after: "0123456789a", columns: 10) == 1)
        #expect(InputRows.column(after: "012345678日", columns: 10) == 2)
        #expect(InputRows.column(after: "a\tb", columns: 20) == 9)
    }
}
