import TerminalText

/// Rows in aligned columns for people. The cells contain foreign text.
package struct Table: Sendable {
    package let header: [String]
    package var rows: [[String]] = []

    package init(header: [String]) { self.header = header }

    /// - Parameters:
    ///   - columns: The width of the terminal; nil if the output goes elsewhere and nothing is cut.
    ///   - yielding: The columns to cut so that a row fits, the first one first. Each keeps at least 8 columns.
    package func text(columns: Int? = nil, yielding: Int...) -> TerminalText {
        var shown = self
        // An escaped character needs more columns.
        shown.rows = rows.map { $0.map(TerminalFilter.oneLine) }
        if let columns {
            for column in yielding { shown = shown.narrowed(column, to: columns) ?? shown }
        }
        return shown.aligned
    }

    private var aligned: TerminalText {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { Self.width($0[column]) }.max() ?? 0 }
        return all.map { row in
            var line: TerminalText = ""
            for (column, cell) in row.enumerated() {
                line += "\(cell)"
                if column < row.count - 1 {
                    line += "\(String(repeating: " ", count: widths[column] - Self.width(cell) + 2))"
                }
            }
            return line
        }.joined(separator: "\n")
    }

    /// Returns nil if every row fits without cutting.
    private func narrowed(_ column: Int, to columns: Int) -> Table? {
        let widths = header.indices.map { index in ([header] + rows).map { Self.width($0[index]) }.max() ?? 0 }
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
    static func width(_ text: String) -> Int {
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
