import Testing

@testable import TerminalIO

/// A `|` in an expectation is the cursor.
@Suite struct LineEditorTests {
    private static let left = "\u{1b}[D"
    private static let right = "\u{1b}[C"
    private static let up = "\u{1b}[A"
    private static let down = "\u{1b}[B"

    private func feed(_ editor: inout LineEditor, _ text: String) -> [LineEditor.Event] {
        text.utf8.compactMap { editor.feed($0) }
    }

    private func edited(_ text: String) -> String {
        var editor = LineEditor()
        #expect(feed(&editor, text).isEmpty)
        return shown(editor)
    }

    private func shown(_ editor: LineEditor) -> String { editor.before + "|" + editor.after }

    private func paste(_ text: String) -> String { "\u{1b}[200~\(text)\u{1b}[201~" }

    @Test func enterReturnsTheWholeTextAndEmptiesTheEditor() {
        var editor = LineEditor()
        #expect(feed(&editor, "hello\(Self.left)\(Self.left)\r") == [.line("hello")])
        #expect(editor.isEmpty)
        #expect(feed(&editor, "a\rb\r\r") == [.line("a"), .line("b"), .line("")])
    }

    @Test func afterCtrlXOnlyACharacterIsACommand() {
        var editor = LineEditor()
        editor.commandKeys = ["n"]
        #expect(feed(&editor, "\u{18}\(paste("pasted"))n") == [.prefix])
        #expect(shown(editor) == "pastedn|")
        #expect(feed(&editor, "\u{18}\r") == [.prefix, .line("pastedn")])
        #expect(feed(&editor, "\u{18}\u{18}n\u{18}n") == [.prefix, .prefix, .command("n")])
        #expect(shown(editor) == "n|")
    }

    @Test func textIsInsertedAtTheCursor() {
        #expect(edited("helo\(Self.left)l") == "hell|o")
        #expect(edited("ab\(Self.left)\(Self.left)\(Self.left)x\(Self.right)\(Self.right)\(Self.right)y") == "xaby|")
    }

    @Test func aCharacterIsOneStepAndIsDeletedAsAWhole() {
        #expect(edited("日本\u{7f}") == "日|")
        #expect(edited("e\u{301}x\(Self.left)\u{8}") == "|x")
        #expect(edited("a👍🏽b\(Self.left)\(Self.left)") == "a|👍🏽b")
        #expect(edited("日本\(Self.left)\u{1b}[3~") == "日|")
    }

    @Test func homeAndEndMoveWithinTheLine() {
        for home in ["\u{1}", "\u{1b}[H", "\u{1b}OH", "\u{1b}[1~", "\u{1b}[7~"] {
            #expect(edited("one\ntwo\(home)") == "one\n|two")
        }
        for end in ["\u{5}", "\u{1b}[F", "\u{1b}OF", "\u{1b}[4~", "\u{1b}[8~"] {
            #expect(edited("one\ntwo\u{1}\(Self.left)\u{1}\(end)") == "one|\ntwo")
        }
    }

    @Test func partsOfALineAreDeleted() {
        #expect(edited("one two  \u{17}") == "one |")
        #expect(edited("one\u{17}\u{17}") == "|")
        #expect(edited("a\none two\u{15}") == "a\n|")
        #expect(edited("a\none two\u{15}\u{15}") == "a|")
        #expect(edited("one two\u{1}\(Self.right)\u{b}") == "o|")
        #expect(edited("a\nb\u{1}\(Self.left)\u{b}") == "a|b")
        #expect(edited("ab\(Self.left)\u{4}") == "a|")
    }

    @Test func ctrlDEndsOnlyAnEmptyLine() {
        var editor = LineEditor()
        #expect(feed(&editor, "a\u{4}").isEmpty)
        #expect(feed(&editor, "\u{7f}\u{4}") == [.end])
    }

    @Test func altEnterAndCtrlJBeginANewLine() {
        var editor = LineEditor()
        #expect(feed(&editor, "a\u{1b}\rb\nc\r") == [.line("a\nb\nc")])
    }

    @Test func pastedLinesStayInOnePrompt() {
        var editor = LineEditor()
        #expect(feed(&editor, "x" + paste("a\r\rb\r\nc\td\ne") + "y").isEmpty)
        #expect(shown(editor) == "xa\n\nb\nc\td\ney|")
    }

    @Test func pastedControlCharactersAreDropped() {
        #expect(edited(paste("a\u{1b}[31mb\u{3}\u{9b}c\u{1b}[201")) == "a[31mbc[201|")
    }

    @Test func unknownSequencesAndControlCharactersAreIgnored() {
        for sequence in [
            "\u{1b}[[A", "\u{1b}[15~", "\u{1b}OP", "\u{1b}[?1;2c", "\u{1b}x", "\u{7}", "\u{f}", "\0", "\u{9b}",
        ] {
            #expect(edited("a\(sequence)b") == "ab|", "\(sequence.debugDescription)")
        }
        let long = "\u{1b}[" + String(repeating: "1;", count: 1_000) + "z"
        #expect(edited("a\(long)b") == "ab|")
        #expect(edited("ab\u{1b}[1;5D") == "a|b")
    }

    @Test func bytesThatAreNotUTF8AreDropped() {
        var editor = LineEditor()
        for byte: UInt8 in [0x61, 0xff, 0xc3, 0x62, 0x80, 0xe6, 0x97, 0xc3, 0xa9, 0xed, 0xa0, 0x80, 0x63] {
            #expect(editor.feed(byte) == nil)
        }
        #expect(shown(editor) == "abéc|")
    }

    @Test func inputCanBeCutAnywhere() {
        let input = "日e\u{301}\(Self.left)\u{1b}[200~p\rq\u{1b}[201~\u{1b}[3~👍🏽"
        var editor = LineEditor()
        for byte in input.utf8 {
            // A copy is what a read that ends here leaves.
            let copy = editor
            editor = copy
            #expect(editor.feed(byte) == nil)
        }
        #expect(shown(editor) == "日p\nq👍🏽|")
    }

    // MARK: The history

    @Test func upAndDownShowThePromptsAndTheDraft() {
        var editor = LineEditor()
        editor.remember("one")
        editor.remember("two")
        editor.remember("two")
        _ = feed(&editor, "new\(Self.up)")
        #expect(shown(editor) == "two|")
        _ = feed(&editor, Self.up + Self.up)
        #expect(shown(editor) == "one|")
        _ = feed(&editor, Self.down + Self.down + Self.down)
        #expect(shown(editor) == "new|")
        #expect(feed(&editor, Self.up + "!\r") == [.line("two!")])
        _ = feed(&editor, Self.up)
        #expect(shown(editor) == "two|")
    }

    @Test func theHistoryDropsItsOldestPrompts() {
        var editor = LineEditor()
        for letter in "abcdef" { editor.remember(String(repeating: letter, count: 60 << 10)) }
        _ = feed(&editor, String(repeating: Self.up, count: 10))
        #expect(editor.before.first == "c")
        _ = feed(&editor, "\r")
        for number in 0..<2_000 { editor.remember("\(number)") }
        _ = feed(&editor, String(repeating: Self.up, count: 3_000))
        #expect(shown(editor) == "1000|")
    }

    // MARK: The limit

    @Test func textAboveTheLimitIsRefused() {
        var editor = LineEditor()
        #expect(feed(&editor, paste(String(repeating: "x", count: LineEditor.limitBytes - 1))).isEmpty)
        #expect(feed(&editor, "é") == [.refused])
        #expect(feed(&editor, paste("12")) == [.refused])
        #expect(feed(&editor, "yz") == [.refused])
        #expect(editor.before.utf8.count == LineEditor.limitBytes)
        #expect(editor.before.hasSuffix("xy"))
    }

    @Test func anOversizedPasteIsRefusedAsAWhole() {
        for excess in [1, 7, 300_000] {
            var editor = LineEditor()
            let text = String(repeating: "x", count: LineEditor.limitBytes + excess)
            #expect(feed(&editor, "a" + paste(text) + "b") == [.refused])
            #expect(shown(editor) == "ab|")
        }
    }

    // MARK: Questions

    @Test func aDraftContinuesAfterAQuestion() {
        var editor = LineEditor()
        _ = feed(&editor, "draft\u{1b}[200~cut")
        editor.beginAnswer()
        #expect(feed(&editor, "1\r") == [.line("1")])
        editor.endAnswer()
        #expect(feed(&editor, "s\r") == [.line("drafts")])
    }

    @Test func clearingAlsoEndsAnUnfinishedPaste() {
        var editor = LineEditor()
        _ = feed(&editor, "a\u{1b}[200~pasted")
        editor.clear()
        #expect(feed(&editor, "b\r") == [.line("b")])
    }

    @Test func aTextThatIsNoAnswerContinuesAfterTheQuestion() {
        var editor = LineEditor()
        let isKeptTooEarly = editor.keepForLater("too early")
        editor.beginAnswer()
        let areKept = [editor.keepForLater("first"), editor.keepForLater("second")]
        #expect(!isKeptTooEarly && areKept == [true, true])
        editor.endAnswer()
        #expect(editor.before == "first\nsecond")
    }

    @Test func tabCompletesACommandOfTheAgent() {
        var editor = LineEditor()
        editor.commands = ["help", "history", "compact"]
        func typed(_ text: String) -> [LineEditor.Event] { Array(text.utf8).compactMap { editor.feed($0) } }
        #expect(typed("/c\t").isEmpty && editor.before == "/compact ")
        #expect(typed("\t").isEmpty && editor.before == "/compact \t")
        editor.clear()
        #expect(typed("/\t") == [.choices(["/help", "/history", "/compact"])])
        #expect(typed("h\t") == [.choices(["/help", "/history"])])
        #expect(typed("i\t").isEmpty && editor.before == "/history ")
        editor.clear()
        #expect(typed("/x\t").isEmpty && editor.before == "/x")
        editor.beginAnswer()
        #expect(typed("/c\t").isEmpty && editor.before == "/c\t")
    }
}
