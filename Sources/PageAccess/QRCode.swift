import CQRCode
import TerminalText

/// A QR code, for a phone's camera. Source: ISO/IEC 18004.
package struct QRCode: Sendable, Equatable {
    /// The modules row by row, without the quiet zone; true for a dark module.
    package let rows: [[Bool]]

    /// No QR code could be made.
    package struct Unavailable: Error, CustomStringConvertible {
        package let description: String
    }

    package init(rows: [[Bool]]) { self.rows = rows }

    /// Makes the code of this text with libqrencode.
    package init(encoding text: String) throws(Unavailable) {
        if let reason = cqrcode_load() { throw Unavailable(description: String(cString: reason)) }
        guard let code = cqrcode_encode(text) else { throw Unavailable(description: "the text is too long") }
        defer { cqrcode_free(code) }
        let width = cqrcode_width(code)
        rows = (0..<width).map { row in (0..<width).map { column in cqrcode_is_dark(code, column, row) } }
    }

    /// The light margin that readers need. Source: ISO/IEC 18004, section 6.3.8.
    private static let quietZone = 4

    /// The number of columns that ``picture(colored:)`` takes.
    package var columns: Int { rows.count + 2 * Self.quietZone }

    /// The code as lines of half blocks: one character for two modules, because a character is about twice as high as
    /// wide.
    ///
    /// - Parameter colored: set the colours, so that the code is dark on light on every terminal. Otherwise the code is
    ///   right on a terminal with light text on a dark background.
    package func picture(colored: Bool) -> TerminalText {
        let size = columns
        var lines: [TerminalText] = []
        for row in stride(from: 0, to: size, by: 2) {
            var line: TerminalText = colored ? "\u{1b}[30;107m" : ""
            for column in 0..<size {
                line += Self.block(isDark(column, row) == colored, isDark(column, row + 1) == colored)
            }
            lines.append(colored ? line + "\u{1b}[0m" : line)
        }
        return lines.joined(separator: "\n")
    }

    /// - Parameters: whether the upper and the lower half have the colour of text.
    private static func block(_ upper: Bool, _ lower: Bool) -> TerminalText {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }

    /// Modules outside of the code are light.
    private func isDark(_ column: Int, _ row: Int) -> Bool {
        let (column, row) = (column - Self.quietZone, row - Self.quietZone)
        return rows.indices.contains(row) && rows[row].indices.contains(column) && rows[row][column]
    }
}
