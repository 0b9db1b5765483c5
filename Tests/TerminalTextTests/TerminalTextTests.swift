import TerminalText
import Testing

@Suite struct TerminalTextTests {
    private let foreign = "a\u{1b}[2J\nb"

    @Test func literalsAreKeptAndInsertedTextIsFiltered() {
        let text: TerminalText = "\u{1b}[1m\(foreign)\u{1b}[0m\n"
        #expect(text.text == "\u{1b}[1ma<U+001B>[2J⏎b\u{1b}[0m\n")
        let lines: TerminalText = "\r\(lines: foreign)"
        #expect(lines.text == "\ra[2J\nb")
    }

    @Test func insertedTerminalTextIsUnchanged() {
        let inner: TerminalText = "\u{1b}[1mx"
        let outer: TerminalText = "<\(inner)>"
        #expect(outer.text == "<\u{1b}[1mx>")
    }

    @Test func anInsertedValueOfAnyTypeIsFiltered() {
        struct Fault: Error, CustomStringConvertible { let description: String }
        let error: any Error = Fault(description: foreign)
        let text: TerminalText = "Error: \(error) \(3) \(foreign.isEmpty ? "\u{1b}" : foreign)"
        #expect(text.text == "Error: a<U+001B>[2J⏎b 3 a<U+001B>[2J⏎b")
    }

    @Test func aStyleIsAppliedAroundTheText() {
        #expect(TerminalText(oneLine: "x").styled(.dim).text == "\u{1b}[2mx\u{1b}[0m")
        #expect(TerminalText(oneLine: "x").styled(.plain).text == "x")
    }

    @Test func textsAreJoined() {
        let parts: [TerminalText] = ["a", "b\n", TerminalText(oneLine: "c\n")]
        #expect(parts.joined(separator: "\n").text == "a\nb\n\nc⏎")
        #expect([TerminalText]().joined(separator: ", ").isEmpty)
    }
}
