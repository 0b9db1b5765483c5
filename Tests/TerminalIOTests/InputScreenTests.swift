import TerminalText
import Testing

@testable import TerminalIO

@Suite struct InputScreenTests {
    private let size = InputScreen.Size(columns: 40, rows: 24)

    private func screen(_ question: TerminalText = "> ", waitsForText: Bool = false, below line: String = "")
        -> InputScreen
    {
        var screen = InputScreen()
        screen.begin(.keys)
        _ = screen.ask(question, waitsForText: waitsForText, below: line, size)
        return screen
    }

    /// Types the text and returns what the terminal is sent.
    @discardableResult private func type(_ text: String, into screen: inout InputScreen) -> String {
        screen.add(Array(text.utf8)[...])
        return screen.takeEntry(size).text.text
    }

    @Test func anAnswerStaysOnTheScreenAboveFurtherOutput() {
        var screen = screen("allow? ")
        type("ye", into: &screen)
        screen.add(Array("s\r".utf8)[...])
        let (entry, text) = screen.takeEntry(size)
        #expect(entry == .line("yes"))
        #expect(text.text.hasSuffix("\u{1b}[Jallow? yes\n"))
        #expect(!screen.isAsking)
        #expect(screen.hide(size).text.isEmpty)
    }

    @Test func aQuestionThatWaitsForTextIsShownWithTheFirstKeyBelowTheUnfinishedLine() {
        var screen = screen(waitsForText: true, below: "Thinking")
        #expect(!screen.isAsking)
        #expect(type("h", into: &screen) == "\n> h")
        // The cursor returns to the end of the output, and the output continues there.
        #expect(screen.hide(size).text == "\r\u{1b}[J\u{1b}[A\u{1b}[8C")
        #expect(screen.show(below: "Thinking hard", size).text == "\n> h")
        #expect(type("\u{7f}", into: &screen) == "\r\u{1b}[J\u{1b}[A\u{1b}[13C")
    }

    @Test func aStoppedProgramLeavesAnEmptyRowAndDrawsTheQuestionAgainWithoutTheOutput() {
        var screen = screen(waitsForText: true, below: "Thinking")
        type("hi", into: &screen)
        #expect(screen.suspend(size).text == "\r\u{1b}[J\u{1b}[A\u{1b}[8C\n")
        // Output in the background does not draw the question over another program's text.
        #expect(screen.hide(size).text.isEmpty && screen.show(below: "Thinking hard", size).text.isEmpty)
        #expect(screen.resume(.keys, size).text == "\r\u{1b}[J> hi")
        // The line from before the stop is no longer above the question.
        #expect(screen.hide(size).text == "\r\u{1b}[J")
        #expect(screen.show(below: "Thinking harder", size).text == "\n> hi")
        #expect(screen.hide(size).text == "\r\u{1b}[J\u{1b}[A\u{1b}[2C")
    }

    @Test func aPromptThatComesBackIsShownBeforeTheTypedText() {
        var screen = screen()
        #expect(screen.putBack("first", size)?.text == "\r\u{1b}[J> first")
        type(" and more", into: &screen)
        #expect(screen.putBack("zeroth", size)?.text.contains("> zeroth") == true)
        screen.add(Array("\r".utf8)[...])
        #expect(screen.takeEntry(size).entry == .line("zeroth\nfirst and more"))
        #expect(screen.putBack(String(repeating: "a", count: LineEditor.limitBytes + 1), size) == nil)
    }

    @Test func aDraftOutlivesPromptsThatComeWhileTheHistoryIsShown() {
        var screen = screen()
        screen.remember("one")
        type("draft\u{1b}[A", into: &screen)
        screen.remember("two")
        #expect(type("\u{1b}[B\u{1b}[B", into: &screen).hasSuffix("> draft"))
        type("\u{1b}[A", into: &screen)
        _ = screen.putBack("back", size)
        screen.add(Array("\r".utf8)[...])
        #expect(screen.takeEntry(size).entry == .line("back\ndraft"))
    }

    @Test func aPromptThatComesBackDuringAQuestionIsNoAnswer() {
        var screen = screen()
        type("draft", into: &screen)
        screen.beginAnswer()
        _ = screen.ask("allow? ", waitsForText: false, below: "", size)
        #expect(screen.putBack("first", size) != nil)
        #expect(type("y", into: &screen).hasSuffix("allow? y"))
        screen.endAnswer()
        screen.add(Array("\r".utf8)[...])
        #expect(screen.takeEntry(size).entry == .line("first\ndraft"))
    }

    @Test func inTheBackgroundNothingIsDrawnUntilTheProgramComesToTheFront() {
        var screen = InputScreen()
        screen.begin(.away)
        #expect(screen.ask("> ", waitsForText: false, below: "", size).text.isEmpty)
        #expect(screen.redraw(size).text.isEmpty)
        #expect(screen.resume(.keys, size).text == "\r\u{1b}[J> ")
        screen.leave()
        #expect(screen.hide(size).text.isEmpty && screen.show(below: "", size).text.isEmpty)
    }

    @Test func aNarrowerTerminalIsClearedByTheRowsThatItHasMadeOfTheOldOnes() {
        var screen = screen()
        type("0123456789012345678901234567", into: &screen)
        let narrow = InputScreen.Size(columns: 10, rows: 24)
        #expect(screen.redraw(narrow).text.hasPrefix("\r\u{1b}[3A\u{1b}[J> 01234567\n"))
    }

    @Test func aTextThatIsTooLongIsReportedUntilTheNextKey() {
        var screen = screen()
        let text = type("\u{1b}[200~" + String(repeating: "a", count: 64 << 10 | 1) + "\u{1b}[201~", into: &screen)
        #expect(text.contains("acpbridge: not added") && text.hasSuffix("\u{07}"))
        #expect(type("b", into: &screen).hasSuffix("> b"))
    }

    @Test func inputFromBeforeAQuestionIsNoAnswerAndComesBackAfterIt() {
        var screen = screen(waitsForText: true)
        type("half a pro", into: &screen)
        screen.add(Array("y\r".utf8)[...])
        screen.beginAnswer()
        _ = screen.ask("allow? ", waitsForText: false, below: "", size)
        #expect(screen.takeEntry(size).entry == nil)
        type("n", into: &screen)
        screen.endAnswer()
        #expect(screen.ask("> ", waitsForText: true, below: "", size).text.hasSuffix("> half a pro"))
    }

    @Test func aDroppedTextIsRemovedFromTheScreen() {
        var screen = screen()
        #expect(!screen.canClear)
        type("abc", into: &screen)
        #expect(screen.canClear)
        #expect(screen.clear(size).text == "\r\u{1b}[J> ")
        #expect(!screen.canClear)
    }

    @Test func withoutKeysTheTerminalShowsTheTextAndALongLineComesInPieces() {
        var screen = InputScreen()
        #expect(screen.ask("allow? ", waitsForText: false, below: "", size).text == "allow? ")
        screen.add(Array("yes\nno".utf8)[...])
        let first = screen.takeEntry(size)
        #expect(first.entry == .line("yes") && first.text.text.isEmpty)
        #expect(!screen.isAsking && screen.hide(size).text.isEmpty)
        #expect(screen.takeEntry(size).entry == nil)
        screen.add(Array(repeating: UInt8(ascii: "a"), count: 64 << 10)[...])
        guard case .line(let piece) = screen.takeEntry(size).entry else {
            Issue.record("a piece is missing")
            return
        }
        #expect(piece.utf8.count == 64 << 10 | 2)
    }

    @Test func theEndRemovesTheQuestion() {
        var screen = screen("> ", below: "Done")
        #expect(screen.finish(size).text == "\r\u{1b}[J\u{1b}[A\u{1b}[4C")
        #expect(screen.mode == .lines && !screen.isAsking)
    }

    @Test func theScreenIsClearedAndTheQuestionIsAtItsTop() {
        var screen = screen(waitsForText: true, below: "Thinking")
        type("hi", into: &screen)
        #expect(type("\u{0c}", into: &screen) == "\u{1b}[H\u{1b}[2J> hi\r\u{1b}[J> hi")
        // The beginning of the unfinished line is no longer on the screen.
        #expect(screen.hide(size).text == "\r\u{1b}[J")
        #expect(screen.show(below: "Thinking hard", size).text == "\n> hi")
        #expect(screen.hide(size).text == "\r\u{1b}[J\u{1b}[A\u{1b}[5C")
    }

    @Test func aCommandAfterCtrlXLeavesTheTextAsItIs() {
        var screen = screen()
        screen.offer(keys: ["n"], help: "n next")
        #expect(type("hi\u{18}", into: &screen).hasSuffix("n next\n> hi"))
        screen.add(Array("n".utf8)[...])
        #expect(screen.takeEntry(size).entry == .command("n"))
        // Any other key only ends the choice.
        #expect(type("\u{18}x", into: &screen).hasSuffix("\u{1b}[J> hi"))
        #expect(type("n", into: &screen).hasSuffix("> hin"))
        #expect(screen.unsent == "hin")
    }

    @Test func withoutCommandsCtrlXHasNoEffect() {
        var screen = screen()
        #expect(type("a\u{18}b", into: &screen).hasSuffix("> ab"))
    }

    @Test func theStatusIsARowAboveTheQuestionThatDoesNotStay() {
        var screen = screen(waitsForText: true, below: "Thinking")
        #expect(screen.set(status: "[1 waiting]", size).text == "\n[1 waiting]\n> ")
        #expect(screen.set(status: "[1 waiting]", size).text.isEmpty, "it has not changed")
        _ = screen.ask("> ", waitsForText: false, below: "", size)
        screen.add(Array("x\r".utf8)[...])
        #expect(screen.takeEntry(size).text.text.hasSuffix("\u{1b}[J> x\n"))
        _ = screen.ask("> ", waitsForText: true, below: "", size)
        #expect(screen.set(status: "", size).text == "\r\u{1b}[1A\u{1b}[J")
        let long = screen.set(status: "\(String(repeating: "x", count: 60))", size).text
        #expect(long == String(repeating: "x", count: 38) + "…\n> ")
    }

    @Test func theUnsentTextIncludesWhatWasTypedBeforeAndInPlaceOfAnAnswer() {
        var screen = screen()
        type("draft", into: &screen)
        screen.beginAnswer()
        type("half", into: &screen)
        #expect(screen.unsent == "draft\nhalf")
    }
}
