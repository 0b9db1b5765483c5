import TerminalText
import Testing

@testable import TerminalIO

@Suite struct ChoiceMenuTests {
    private let size = InputScreen.Size(columns: 60, rows: 24)

    private func menu(_ titles: String..., filter: String = "") -> ChoiceMenu {
        var menu = ChoiceMenu(
            Table(header: ["STATE", "TITLE"]), yielding: [1], help: "help", filter: filter)
        menu.set(titles.map { ChoiceMenu.Row(id: "id-\($0)", cells: ["idle", $0], words: "w\($0)") })
        return menu
    }

    private func type(_ text: String, into menu: inout ChoiceMenu) -> ChoiceMenu.Event? {
        var last: ChoiceMenu.Event?
        for byte in text.utf8 { last = menu.feed(byte) ?? last }
        return last
    }

    @Test func arrowsAndLettersMoveAroundTheEnds() {
        var menu = menu("a", "b", "c")
        #expect(type("j\r", into: &menu) == .chosen("id-b"))
        #expect(type("\u{1b}[B\r", into: &menu) == .chosen("id-c"))
        #expect(type("j\r", into: &menu) == .chosen("id-a"))
        #expect(type("k\r", into: &menu) == .chosen("id-c"))
        #expect(type("\u{1b}[A\u{1b}[H\r", into: &menu) == .chosen("id-a"))
    }

    @Test func lettersFilterAndTheLettersOfCommandsDoSoAfterASlash() {
        var menu = menu("login", "shop", "quick job")
        #expect(type("SH\r", into: &menu) == .chosen("id-shop"))
        #expect(type("\u{7f}\u{7f}\u{7f}", into: &menu) == nil)
        #expect(type("/q j\r", into: &menu) == .chosen("id-quick job"))
        #expect(type("x\r", into: &menu) == nil, "nothing matches")
        #expect(type("\u{15}wlogin\r", into: &menu) == .chosen("id-login"), "other words of a row are found, too")
    }

    @Test func escapeEndsTheFilterAndThenLeaves() {
        var menu = menu("login", "shop", filter: "shop")
        #expect(menu.shown.count == 1)
        #expect(menu.feed(0x1b) == nil)
        #expect(menu.pause() == nil)
        #expect(menu.shown.count == 2)
        #expect(menu.feed(0x1b) == nil)
        #expect(menu.pause() == .left)
        #expect(type("q", into: &menu) == .left)
        #expect(type("\u{04}", into: &menu) == .left)
    }

    @Test func theChoiceStaysAtItsRowWhenTheListChanges() {
        var menu = menu("a", "b", "c")
        _ = type("j", into: &menu)
        menu.set([ChoiceMenu.Row(id: "id-b", cells: ["idle", "b"]), ChoiceMenu.Row(id: "id-a", cells: ["idle", "a"])])
        #expect(type("\r", into: &menu) == .chosen("id-b"))
        menu.set([ChoiceMenu.Row(id: "id-a", cells: ["idle", "a"])])
        #expect(type("\r", into: &menu) == .chosen("id-a"))
        menu.set([])
        #expect(type("\r", into: &menu) == nil)
    }

    @Test func theMenuIsRemovedFromAllItsRows() {
        var menu = menu("a", "b")
        #expect(menu.draw(size, hasColour: false).text == "  STATE  TITLE\n> idle   a\n  idle   b\nhelp")
        #expect(menu.draw(size, hasColour: false).text.hasPrefix("\r\u{1b}[3A\u{1b}[J  STATE"))
        // A terminal of 10 columns has broken the three longer lines in two.
        #expect(menu.clear(InputScreen.Size(columns: 10, rows: 24)).text == "\r\u{1b}[4A\u{1b}[J")
        #expect(menu.clear(size).text.isEmpty)
        // A terminal that does not report its size.
        let unknown = InputScreen.Size(columns: nil, rows: nil)
        _ = menu.draw(unknown, hasColour: false)
        #expect(menu.clear(unknown).text == "\r\u{1b}[3A\u{1b}[J")
    }

    @Test func aSmallTerminalHasTheRowsAroundTheChoiceAndNoLineThatBreaks() {
        var menu = menu("a1", "a2", "a3", "a4", String(repeating: "日本", count: 40))
        _ = type("\u{1b}[F", into: &menu)
        let lines = menu.draw(InputScreen.Size(columns: 30, rows: 5), hasColour: false).text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[2].hasPrefix("> idle   日本"))
        #expect(lines.allSatisfy { Table.width(String($0)) < 30 })
        #expect(lines[3] == "help  (4-5 of 5)")
    }
}
