import Testing

@testable import SessionText

@Suite struct LineDifferenceTests {
    private func lines(_ old: String, _ new: String, limit: Int = 100) -> [String] {
        LineDifference(old, new, limit: limit).lines
    }

    @Test func anInsertionIsShownWithItsContext() {
        #expect(lines("1\n2\n3\n4\n5", "1\n2\n3\n4\nx\n5") == [" 2", " 3", " 4", "+x", " 5"])
    }

    @Test func aReplacementShowsBothLines() { #expect(lines("a\nb\nc", "a\nB\nc") == [" a", "-b", "+B", " c"]) }

    @Test func equalTextsHaveNoDifference() {
        #expect(LineDifference("a\nb", "a\nb", limit: 9).rows.isEmpty)
        #expect(LineDifference("", "", limit: 9).rows.isEmpty)
    }

    @Test func repeatedLinesAreNotCountedTwice() {
        #expect(lines("a\na", "a\na\na") == [" a", "+a", " a"])
        #expect(lines("", "a\n") == ["+a"])
        #expect(lines("a\n", "") == ["-a"])
    }

    @Test func unchangedLinesBetweenChangesAreCounted() {
        let old = (1...20).map { "\($0)\n" }.joined()
        let new = old.replacing("2\n3\n", with: "2\nthree\n").replacing("19\n", with: "")
        #expect(
            lines(old, new) == [
                " 1", " 2", "-3", "+three", " 4", " 5", " 6", " ⋮ 9 unchanged", " 16", " 17", " 18", "-19", " 20",
            ])
    }

    @Test func linesBetweenTwoCloseChangesAreShownOnce() {
        #expect(lines("a\n1\n2\nb\n", "A\n1\n2\nB\n") == ["-a", "+A", " 1", " 2", "-b", "+B"])
    }

    @Test func aMissingLineFeedAtTheEndIsAChange() {
        let mark = "\\ No newline at end of file"
        #expect(lines("a", "a\n") == ["-a", mark, "+a"])
        #expect(lines("a\n", "a") == ["-a", "+a", mark])
        #expect(lines("x\na", "y\na") == ["-x", "+y", " a"])
    }

    @Test func carriageReturnsArePartsOfLines() { #expect(lines("a\r\n", "a\n") == ["-a\r", "+a"]) }

    @Test(arguments: UInt64(0)..<500)
    func theRowsTurnTheOldTextIntoTheNewOne(seed: UInt64) {
        var random = Random(state: seed)
        let (old, new) = (random.text(), random.text())
        let rows = LineDifference(old, new, limit: .max).rows
        // The rows do not name the line at which they begin.
        #expect((0...12).contains { Self.apply(rows, to: old, from: $0) == new })
    }

    private static func apply(_ rows: [LineDifference.Row], to text: String, from start: Int) -> String? {
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)\n" }[...]
        rest[rest.endIndex - 1].removeLast()
        if rest.last == "" { rest.removeLast() }
        guard rest.count >= start else { return nil }
        var made = rest.prefix(start).joined()
        rest = rest.dropFirst(start)
        for row in rows {
            switch row {
            case .line(.added, let line, let isUnended): made += isUnended ? line : line + "\n"
            case .line(let sign, let line, _):
                guard let first = rest.popFirst(), first == line || first == line + "\n" else { return nil }
                if sign == .same { made += first }
            case .gap(let count):
                made += rest.prefix(count).joined()
                rest = rest.dropFirst(count)
            case .hidden: return nil
            }
        }
        return made + rest.joined()
    }

    @Test func removedLinesLeaveRoomForAddedOnes() {
        let old = (0..<100).map { "old \($0)\n" }.joined()
        let new = (0..<100).map { "new \($0)\n" }.joined()
        let difference = LineDifference(old, new, limit: 10)
        #expect(difference.lines.prefix(6).last == "-… 95 more removed")
        #expect(difference.lines[6] == "+new 0")
        #expect(difference.hiddenCount == 95)
        #expect((difference.removedCount, difference.addedCount) == (100, 100))
        #expect(LineDifference(old, "", limit: 10).hiddenCount == 90)
        #expect(LineDifference(old, new, limit: 0).rows.isEmpty)
    }

    @Test func largeTextsAreComparedWithBoundedWork() {
        let old = (0..<100_000).map { "line \($0)\n" }.joined()
        let small = LineDifference(old, old.replacing("line 50000\n", with: "x\n"), limit: 60)
        #expect(small.removedCount == 1 && small.addedCount == 1 && small.rows.count == 8)
        // Every line differs. Without a limit, each line would be compared with all others.
        let new = (0..<100_000).map { "LINE \($0)\n" }.joined()
        let large = LineDifference(old, new, limit: 60)
        #expect(large.removedCount == 100_000 && large.addedCount == 100_000 && large.hiddenCount == 99_970)
    }

    @Test func aStretchWithTooManyChangesIsOneChange() {
        let old = (0..<2_000).map { "\($0 % 7)a\n" }.joined()
        let new = (0..<2_000).map { "\($0 % 11)b\n\($0 % 7)a\n" }.joined()
        let difference = LineDifference(old, new, limit: 60)
        #expect(difference.removedCount - difference.addedCount == -2_000)
    }
}

/// Texts of few different lines, so that many of them are equal.
private struct Random {
    var state: UInt64

    private mutating func next(_ limit: UInt64) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % limit)
    }

    mutating func text() -> String {
        let lines = (0..<next(12)).map { _ in ["a", "b", "c", ""][next(4)] }
        return lines.joined(separator: "\n") + (next(2) == 0 ? "" : "\n")
    }
}
