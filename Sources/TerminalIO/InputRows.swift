import TerminalText

/// The rows of a terminal that a question and the text typed after it take. Pure.
///
/// Rows are broken where the terminal would break them. The terminal's own breaks are not used, because terminals differ
/// in the position of the cursor after a full row.
struct InputRows: Sendable {
    private(set) var rows = [""]
    /// The widths of the rows in columns.
    private var widths = [0]
    /// The row and column of the cursor.
    private(set) var cursor = (row: 0, column: 0)
    private let columns: Int

    /// - Parameters:
    ///   - before: The typed text before the cursor.
    ///   - after: The typed text after the cursor.
    ///   - columns: The width of the terminal; nil if it is unknown and rows are broken only at line feeds.
    init(question: TerminalText, before: String, after: String, columns: Int?) {
        self.columns = columns ?? .max
        append(question.text)
        append(before)
        if widths[rows.count - 1] >= self.columns { beginRow() }
        cursor = (rows.count - 1, widths[rows.count - 1])
        append(after)
    }

    private mutating func append(_ text: String) {
        for character in text {
            if character == "\n" {
                beginRow()
                continue
            }
            let shown = TerminalFilter.oneLine(String(character))
            let width = Table.width(shown)
            if widths[rows.count - 1] + width > columns { beginRow() }
            rows[rows.count - 1] += shown
            widths[rows.count - 1] += width
        }
    }

    private mutating func beginRow() {
        rows.append("")
        widths.append(0)
    }

    /// Keeps only some rows around the cursor.
    ///
    /// - Parameter height: The number of rows to keep: 1 or more.
    mutating func cut(height: Int) {
        guard rows.count > height else { return }
        let first = min(max(0, cursor.row - height / 2), rows.count - height)
        rows = Array(rows[first..<first + height])
        widths = Array(widths[first..<first + height])
        cursor.row -= first
    }

    /// Adds rows above the others.
    mutating func add(above text: TerminalText) {
        let others = InputRows(question: text, before: "", after: "", columns: columns)
        rows = others.rows + rows
        widths = others.widths + widths
        cursor.row += others.rows.count
    }

    /// Draws the rows, from the first column of an empty row, and moves the cursor.
    ///
    /// Sources: ECMA-48, sections 8.3.22 (CUU) and 8.3.20 (CUF).
    var drawing: TerminalText {
        let text = rows.map { TerminalText(oneLine: $0) }.joined(separator: "\n")
        let last = rows.count - 1
        guard cursor != (last, widths[last]) else { return text }
        let up: TerminalText = cursor.row < last ? "\u{1b}[\(last - cursor.row)A" : ""
        return text + "\r" + up + (cursor.column > 0 ? "\u{1b}[\(cursor.column)C" : "")
    }

    /// Clears the rows, from the position of the cursor, and leaves the cursor where they began. Source: ECMA-48, section
    /// 8.3.39 (ED).
    ///
    /// - Parameter columns: The width of the terminal now. A terminal that became narrower has broken the rows again.
    func clearing(columns: Int?) -> TerminalText {
        var above = cursor.row
        if let columns, columns < self.columns {
            above = widths[..<cursor.row].reduce(cursor.column / columns) { $0 + max(1, ($1 + columns - 1) / columns) }
        }
        return above > 0 ? "\r\u{1b}[\(above)A\u{1b}[J" : "\r\u{1b}[J"
    }

    /// The column after an unfinished line of output. It equals `columns` if the line has filled its last row.
    ///
    /// - Parameter line: A text from the start of its line, with escape sequences for colours.
    static func column(after line: String, columns: Int) -> Int {
        var column = 0
        var isEscape = false
        for scalar in line.unicodeScalars {
            if isEscape || scalar == "\u{1b}" {
                // The sequences end with a letter.
                isEscape = !scalar.properties.isAlphabetic
                continue
            }
            if scalar == "\t" {
                // A tab stops at the last column.
                column = max(column, min(column + 8 - column % 8, columns - 1))
                continue
            }
            let width = Table.width(scalar)
            column = column + width > columns ? width : column + width
        }
        return column
    }
}
