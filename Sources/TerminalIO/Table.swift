import TerminalText

/// Rows in aligned columns for people. The cells contain foreign text.
package struct Table: Sendable {
    package let header: [String]
    package var rows: [[String]] = []
    private let highlight: Highlight?

    /// A text that stands out in one column of a terminal with colours.
    package struct Highlight: Sendable {
        private let column: Int
        private let text: String
        private let style: TerminalText.Style

        package init(column: Int, text: String, style: TerminalText.Style) {
            (self.column, self.text, self.style) = (column, text, style)
        }

        fileprivate func shown(_ cell: String, in column: Int) -> TerminalText {
            let shown: TerminalText = "\(cell)"
            return column == self.column && cell == text ? shown.styled(style) : shown
        }
    }

    /// - Parameter highlight: Its column must stay at its place in ``without(_:)``.
    package init(header: [String], highlight: Highlight? = nil) { (self.header, self.highlight) = (header, highlight) }

    /// - Parameters:
    ///   - columns: The width of the terminal; nil if the output goes elsewhere and nothing is cut.
    ///   - ids: A column of ids that commands also accept if their end is missing. They are shortened if the columns that
    ///     yield would otherwise be narrow.
    ///   - yielding: The columns to cut so that a row fits, the first one first. Each keeps at least 8 columns.
    ///   - hasColour: Shows the highlight.
    package func text(
        columns: Int? = nil, ids: Int? = nil, yielding: Int..., hasColour: Bool = false
    ) -> TerminalText {
        lines(columns: columns, ids: ids, yielding: yielding, hasColour: hasColour).joined(separator: "\n")
    }

    /// - Parameter details: Texts that follow each row on lines of their own; empty ones are left out.
    package func text(columns: Int, ids: Int, yielding: Int, below details: [[String]]) -> TerminalText {
        let lines = lines(columns: columns, ids: ids, yielding: [yielding])
        let blocks = zip(lines.dropFirst(), details).map { line, texts in
            texts.filter { !$0.isEmpty }.reduce(line) {
                $0 + "\n    " + WordWrap.text($1, indent: 4, columns: columns)
            }
        }
        return (lines.prefix(1) + blocks).joined(separator: "\n")
    }

    /// The lines of ``text(columns:ids:yielding:)``, the header first.
    package func lines(
        columns: Int? = nil, ids: Int? = nil, yielding: [Int], hasColour: Bool = false
    ) -> [TerminalText] {
        var shown = self
        // An escaped character needs more columns.
        shown.rows = rows.map { $0.map(TerminalFilter.oneLine) }
        if let columns {
            if let ids, shown.width(cutting: yielding) > columns { shown = shown.withShortIds(ids) }
            for column in yielding { shown = shown.narrowed(column, to: columns) ?? shown }
        }
        return shown.aligned(hasColour ? highlight : nil)
    }

    /// A narrower column has only the beginnings of titles.
    private static let readableWidth = 24
    /// Ids that begin with their time are different only after the time: the first 13 characters of a UUID of version 7.
    private static let shortestId = 16

    /// The width of the rows if these columns are cut, but can still be read.
    private func width(cutting yielding: [Int]) -> Int {
        widths.indices.reduce(2 * (widths.count - 1)) {
            $0 + (yielding.contains($1) ? min(widths[$1], Self.readableWidth) : widths[$1])
        }
    }

    /// Cuts each cell of this column to the shortest beginning that no other one has, if that is not too short.
    private func withShortIds(_ column: Int) -> Table {
        var table = self
        // In this order, the ids that are most alike are next to each other.
        let ids = Set(rows.map { $0[column] }).sorted()
        var beginnings: [String: String] = [:]
        for (place, id) in ids.enumerated() {
            let neighbours = [place - 1, place + 1].filter(ids.indices.contains).map { ids[$0] }
            let common = neighbours.map { id.commonPrefix(with: $0) }.max() ?? 0
            beginnings[id] = String(id.prefix(max(Self.shortestId, common + 1)))
        }
        for row in rows.indices { table.rows[row][column] = beginnings[rows[row][column]] ?? rows[row][column] }
        return table
    }

    private var widths: [Int] {
        header.indices.map { column in ([header] + rows).map { Self.width($0[column]) }.max() ?? 0 }
    }

    package func without(_ column: Int) -> Table {
        func rest(_ row: [String]) -> [String] { Array(row[..<column] + row[(column + 1)...]) }
        var table = Table(header: rest(header), highlight: highlight)
        table.rows = rows.map(rest)
        return table
    }

    /// True if the rows fit when these columns are cut to the width at which they can still be read.
    package func canBeRead(in columns: Int, cutting yielding: [Int]) -> Bool { width(cutting: yielding) <= columns }

    /// True if no row needs more columns.
    package func fits(_ columns: Int) -> Bool { narrowed(0, to: columns) == nil }

    private func aligned(_ highlight: Highlight?) -> [TerminalText] {
        let all = [header] + rows
        let widths = self.widths
        return all.map { row in
            var line: TerminalText = ""
            for (column, cell) in row.enumerated() {
                line += highlight?.shown(cell, in: column) ?? "\(cell)"
                if column < row.count - 1 {
                    line += "\(String(repeating: " ", count: widths[column] - Self.width(cell) + 2))"
                }
            }
            return line
        }
    }

    /// Returns nil if every row fits without cutting.
    private func narrowed(_ column: Int, to columns: Int) -> Table? {
        let widths = self.widths
        let excess = widths.reduce(2 * (widths.count - 1), +) - columns
        guard excess > 0 else { return nil }
        let limit = max(8, widths[column] - excess)
        var table = self
        for row in rows.indices where Self.width(rows[row][column]) > limit {
            // One column is reserved for the ellipsis.
            table.rows[row][column] = Self.cell(rows[row][column], limit: limit - 1)
        }
        return table
    }

    /// The width in terminal columns: two for the wide East Asian ranges and emoji, zero for characters that combine
    /// with the preceding one.
    package static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }

    /// Foreign text on one line, filtered and then cut.
    ///
    /// - Parameter limit: in columns, without the ellipsis.
    package static func cell(_ text: String, limit: Int = 60) -> String {
        var result = ""
        var columns = 0
        for character in TerminalFilter.oneLine(text) {
            columns += width(String(character))
            if columns > limit { return result + "…" }
            result.append(character)
        }
        return result
    }
}

extension String {
    /// The number of characters at the beginning of both texts that are the same.
    fileprivate func commonPrefix(with other: String) -> Int {
        zip(self, other).prefix { $0 == $1 }.count
    }
}
