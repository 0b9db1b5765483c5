import TerminalIO
import Testing

@Suite struct TableTests {
    @Test func columnsAreAlignedByTheWidthOnTheTerminal() {
        var table = Table(header: ["A", "B"])
        table.rows = [["漢", "x"], ["ab", "y"]]
        #expect(table.text().text == "A   B\n漢  x\nab  y")
    }

    @Test func oneColumnIsTruncatedToFitTheRow() {
        var table = Table(header: ["ID", "TITLE"])
        table.rows = [["1", String(repeating: "t", count: 30)]]
        let title = String(repeating: "t", count: 15) + "…"
        #expect(table.text(columns: 20, yielding: 1).text == "ID  TITLE\n1   \(title)")
        #expect(table.text().text.hasSuffix("tt"))
    }

    @Test func severalColumnsAreTruncatedOneAfterTheOther() {
        var table = Table(header: ["A", "B"])
        table.rows = [[String(repeating: "a", count: 20), String(repeating: "b", count: 20)]]
        let text = table.text(columns: 20, yielding: 1, 0).text
        #expect(text.hasSuffix("aaaaaaaaa…  bbbbbbb…"))
    }

    @Test func idsAreShortenedBeforeATitleBecomesUnreadable() {
        var table = Table(header: ["SESSION", "TITLE"])
        let title = String(repeating: "t", count: 30)
        table.rows = [
            ["0199a1b2-c3d4-7e55-8000-000000000001", title], ["0199a1b2-c3d4-7e55-9000-000000000002", title],
            ["short", title], ["short", title],
        ]
        let lines = table.text(columns: 50, ids: 0, yielding: 1).text.split(separator: "\n")
        #expect(lines[1].hasPrefix("0199a1b2-c3d4-7e55-8  tttt"))
        #expect(lines[2].hasPrefix("0199a1b2-c3d4-7e55-9  tttt"))
        #expect(lines[3].hasPrefix("short                 tttt"))
        #expect(lines.allSatisfy { $0.count <= 50 })
        #expect(table.text(columns: 62, ids: 0, yielding: 1).text.contains("000000000001"))
        #expect(table.text(ids: 0, yielding: 1).text.contains("000000000001"))
    }

    @Test func theDetailsOfARowFollowItOnTheirOwnLines() {
        var table = Table(header: ["ID", "KIND"])
        table.rows = [["1", "a"], ["2", "b"]]
        let details = [["Run the tests of the whole project?", ""], ["x", "y"]]
        let text = table.text(columns: 30, ids: 0, yielding: 1, below: details).text
        #expect(text == "ID  KIND\n1   a\n    Run the tests of the whole\n    project?\n2   b\n    x\n    y")
    }

    @Test func aCellHasNoEscapeSequencesAndNoLineFeeds() {
        let cell = Table.cell("a\u{1B}[2Jb\nc")
        #expect(!cell.unicodeScalars.contains { $0.value < 0x20 })
    }
}

@Suite struct DatesTests {
    @Test(arguments: [
        (Int64(-5), "0s ago"), (59_999, "59s ago"), (60_000, "1m ago"), (3_600_000, "1h ago"), (86_400_000, "1d ago"),
    ])
    func anAgeIsGivenInItsLargestUnit(milliseconds: Int64, text: String) {
        #expect(Dates.ago(milliseconds: milliseconds) == text)
    }

    @Test func aHighlightIsShownOnlyInItsColumnOnATerminalWithColours() {
        var table = Table(header: ["A", "B"], highlight: Table.Highlight(column: 1, text: "x", style: .yellow))
        table.rows = [["x", "x"], ["x", "xy"]]
        #expect(table.text(hasColour: true).text == "A  B\nx  \u{1b}[33mx\u{1b}[0m\nx  xy")
        #expect(table.text().text == "A  B\nx  x\nx  xy")
    }
}
