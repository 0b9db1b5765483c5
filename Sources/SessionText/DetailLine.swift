import TerminalText

/// A line below the line of a tool call or of a permission request.
struct DetailLine: Sendable, Equatable {
    let text: TerminalText
    let style: TerminalText.Style

    init(_ text: TerminalText, _ style: TerminalText.Style = .dim) {
        self.text = text
        self.style = style
    }

    /// 240 characters, three lines of a narrow terminal. One line of a minified file would fill the screen.
    static let limit = 240
    /// The characters before a difference that a cut line shows.
    private static let leadCount = 40

    /// Filters a line of foreign text. All hidden characters become visible, and a tab becomes four spaces.
    ///
    /// - Parameter difference: The number of Unicode scalars before the part that must be shown if the line is cut.
    static func shown(_ line: String, from difference: Int = 0) -> TerminalText {
        let count = line.unicodeScalars.count
        guard count > limit else { return filtered(line) }
        let start = difference < limit ? 0 : min(difference - leadCount, count - limit)
        let part = String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(start).prefix(limit)))
        let before: TerminalText = start == 0 ? "" : "[\(start) characters]…"
        let rest = count - start - limit
        return before + filtered(part) + (rest == 0 ? "" : "…[\(rest) more characters]")
    }

    private static func filtered(_ line: String) -> TerminalText {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        return parts.map { TerminalText(oneLine: String($0)) }.joined(separator: "    ")
    }
}

/// Converts the rows of a difference to lines for a person. Pure.
struct DifferenceLines {
    private let rows: [LineDifference.Row]
    /// True for a text that has a carriage return in each line. They are not shown then.
    private let hidesReturns: Bool
    /// The indices of a removed row and the added row that replaces it, in both directions.
    private var partners: [Int: Int] = [:]

    init(_ rows: [LineDifference.Row]) {
        self.rows = rows
        hidesReturns = rows.allSatisfy { row in
            guard case .line(_, let text, let isUnended) = row else { return true }
            return isUnended || text.utf8.last == 0x0d
        }
        pairChangedRows()
    }

    private mutating func pairChangedRows() {
        var (removed, added) = ([Int](), [Int]())
        for (index, row) in rows.enumerated() {
            guard case .line(let sign, _, _) = row else { continue }
            if sign == .same || (sign == .removed && !added.isEmpty) {
                pair(removed, added)
                (removed, added) = ([], [])
            }
            if sign == .removed { removed.append(index) } else if sign == .added { added.append(index) }
        }
        pair(removed, added)
    }

    private mutating func pair(_ removed: [Int], _ added: [Int]) {
        for (old, new) in zip(removed, added) { (partners[old], partners[new]) = (new, old) }
    }

    /// One line for each row, and one more after a row that ends its text without a line feed.
    var lines: [DetailLine] { rows.indices.flatMap(lines) }

    private func lines(at index: Int) -> [DetailLine] {
        switch rows[index] {
        case .gap(let count): return [DetailLine("  ⋮ \(count) unchanged")]
        case .hidden(let count): return [DetailLine("  -… \(count) more removed", .red)]
        case .line(let sign, let text, let isUnended):
            let hidesReturn = (hidesReturns || sign == .same) && text.utf8.last == 0x0d
            let line = hidesReturn ? String(text.unicodeScalars.dropLast()) : text
            let shown = DetailLine.shown(line, from: difference(at: index, line))
            return [Self.line(shown, sign)] + (isUnended ? [DetailLine("  \(LineDifference.unendedMark)")] : [])
        }
    }

    private static func line(_ text: TerminalText, _ sign: LineDifference.Sign) -> DetailLine {
        switch sign {
        case .same: DetailLine("   " + text)
        case .removed: DetailLine("  -" + text, .red)
        case .added: DetailLine("  +" + text, .green)
        }
    }

    /// The number of Unicode scalars that a long line shares with the line that replaces it.
    private func difference(at index: Int, _ line: String) -> Int {
        guard line.utf8.count > DetailLine.limit, let partner = partners[index],
            case .line(_, let other, _) = rows[partner]
        else { return 0 }
        return zip(line.unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
    }
}
