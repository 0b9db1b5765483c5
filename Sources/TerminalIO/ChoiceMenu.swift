import TerminalText
import TextSearch

/// A list from which a person chooses a row, and the words that filter it. Pure: keys and rows in, text for the terminal
/// out.
///
/// The keys `j`, `k` and `q` move and leave until a filter is typed. `/` begins a filter that starts with one of them.
package struct ChoiceMenu: Sendable {
    package struct Row: Sendable, Equatable {
        /// Identifies the row when the list changes.
        package let id: String
        package let cells: [String]
        /// More text that the filter finds.
        package let words: String

        package init(id: String, cells: [String], words: String = "") {
            (self.id, self.cells, self.words) = (id, cells, words)
        }
    }

    enum Event: Sendable, Equatable {
        /// The person chose the row with this id.
        case chosen(String)
        /// The person left without a choice.
        case left
    }

    /// 256 bytes: more than a person types to find a row.
    private static let filterLimitBytes = 256
    /// More rows do not help, and would push the shell's output off the screen.
    private static let heightLimit = 20

    private let table: Table
    /// The columns to cut so that a row fits, the first one first.
    private let yielding: [Int]
    /// Names the keys; at most 60 columns.
    private let help: TerminalText
    private var rows: [Row] = []
    private var keys = KeyDecoder()
    private var filter = ""
    /// The person types a filter, which can still be empty.
    private var isFiltering = false
    private var selected: String?
    /// The widths of the drawn lines in columns.
    private var drawn: [Int] = []

    /// - Parameters:
    ///   - table: An empty one, with the header and the highlight.
    ///   - filter: Words that the person has typed before.
    ///   - selected: The id of the row that is chosen at first; nil for the first one.
    package init(
        _ table: Table, yielding: [Int], help: TerminalText, filter: String = "", selected: String? = nil
    ) {
        (self.table, self.yielding, self.help, self.selected) = (table, yielding, help, selected)
        isFiltering = !filter.isEmpty
        self.filter = Self.line(filter)
    }

    /// Replaces the rows. The choice stays at its row, or else at its place.
    package mutating func set(_ rows: [Row]) {
        let place = selectedPlace
        self.rows = rows
        settle(at: place)
    }

    /// The rows that contain all words of the filter.
    var shown: [Row] {
        let words = filter.lowercased().split(separator: " ").map(String.init)
        guard !words.isEmpty else { return rows }
        return rows.filter { row in
            let text = (row.cells + [row.words]).joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains(text: $0) }
        }
    }

    /// Whether a row has all words of the filter.
    package var hasMatch: Bool { !shown.isEmpty }

    private var selectedPlace: Int { shown.firstIndex { $0.id == selected } ?? 0 }

    private mutating func settle(at place: Int) {
        let shown = shown
        guard !shown.contains(where: { $0.id == selected }) else { return }
        selected = shown.isEmpty ? nil : shown[min(place, shown.count - 1)].id
    }

    private static func line(_ text: String) -> String {
        String(TerminalFilter.oneLine(text).prefix { $0 != "\n" }.prefix(filterLimitBytes / 4))
    }
}

// MARK: Keys

extension ChoiceMenu {
    var isInSequence: Bool { keys.isInSequence }

    mutating func feed(_ byte: UInt8) -> Event? { keys.decode(byte).flatMap { press($0) } }

    /// The input has paused, so an escape character that came last was the Escape key.
    mutating func pause() -> Event? { keys.endSequence().flatMap { press($0) } }

    private mutating func press(_ key: Key) -> Event? {
        switch key {
        case .enter, .newLine: return selected.map { .chosen($0) }
        case .endOrDelete: return .left
        case .escape:
            guard isFiltering else { return .left }
            change(to: "")
            isFiltering = false
        case .character(let scalar): return type(scalar)
        case .paste(let text): change(to: filter + text)
        case .down, .tab: move(by: 1)
        case .up: move(by: -1)
        case .home: select(0)
        case .end: select(shown.count - 1)
        case .backspace: isFiltering && filter.isEmpty ? isFiltering = false : change(to: String(filter.dropLast()))
        case .deleteWord, .deleteToStart: change(to: "")
        default: break
        }
        return nil
    }

    private mutating func type(_ scalar: Unicode.Scalar) -> Event? {
        switch scalar {
        case "j" where !isFiltering: move(by: 1)
        case "k" where !isFiltering: move(by: -1)
        case "q" where !isFiltering: return .left
        case "/" where !isFiltering: isFiltering = true
        default: change(to: filter + String(scalar))
        }
        return nil
    }

    private mutating func change(to filter: String) {
        guard filter.utf8.count <= Self.filterLimitBytes else { return }
        isFiltering = isFiltering || !filter.isEmpty
        self.filter = Self.line(filter)
        settle(at: 0)
    }

    private mutating func move(by step: Int) {
        let count = shown.count
        if count > 0 { select((selectedPlace + step + count) % count) }
    }

    private mutating func select(_ place: Int) {
        let shown = shown
        if shown.indices.contains(place) { selected = shown[place].id }
    }
}

// MARK: Drawing

extension ChoiceMenu {
    /// Draws the menu from the first column of an empty row, or in place of the menu before.
    mutating func draw(_ size: InputScreen.Size, hasColour: Bool) -> TerminalText {
        let clearing = clear(size)
        let lines = lines(size, hasColour: hasColour)
        drawn = lines.map(\.width)
        return clearing + lines.map(\.text).joined(separator: "\n")
    }

    /// Removes the menu, and leaves the cursor where it began. Sources: ECMA-48, sections 8.3.22 (CUU) and 8.3.39 (ED).
    mutating func clear(_ size: InputScreen.Size) -> TerminalText {
        defer { drawn = [] }
        guard let last = drawn.last else { return "" }
        // A terminal that became narrower has broken the lines.
        let rows = { (width: Int) in size.columns.map { max(0, width - 1) / $0 } ?? 0 }
        let above = drawn.dropLast().reduce(rows(last)) { $0 + 1 + rows($1) }
        return above > 0 ? "\r\u{1b}[\(above)A\u{1b}[J" : "\r\u{1b}[J"
    }

    /// The program has lost its place on the terminal, which another one has used meanwhile.
    mutating func forgetDrawing() { drawn = [] }

    private struct Line {
        let text: TerminalText
        let width: Int

        /// - Parameter columns: The last one stays empty, so that the terminal does not begin a new row.
        init(_ plain: TerminalText, styled: TerminalText? = nil, columns: Int) {
            let width = Table.width(plain.text)
            let isWide = width >= columns
            text = isWide ? "\(Table.cell(plain.text, limit: max(1, columns - 2)))" : styled ?? plain
            self.width = min(width, columns - 1)
        }
    }

    private func lines(_ size: InputScreen.Size, hasColour: Bool) -> [Line] {
        let columns = size.columns ?? 80
        let shown = shown
        var table = table
        table.rows = shown.map(\.cells)
        let plain = table.lines(columns: columns - 3, yielding: yielding)
        let coloured = table.lines(columns: columns - 3, yielding: yielding, hasColour: hasColour)
        let window = window(of: shown.count, rows: size.rows ?? 24)
        let place = selectedPlace
        let rows = window.map { row -> Line in
            guard row == place else {
                return Line("  " + plain[row + 1], styled: "  " + coloured[row + 1], columns: columns)
            }
            let line = "> " + plain[row + 1]
            return Line(line, styled: hasColour ? line.styled(.bold) : nil, columns: columns)
        }
        return [Line("  " + plain[0], columns: columns)] + rows + [footer(window, of: shown.count, columns: columns)]
    }

    /// The rows around the choice. The header, the footer and the last row of the earlier output need 3 more rows.
    private func window(of count: Int, rows: Int) -> Range<Int> {
        let height = min(count, max(1, rows - 3), Self.heightLimit)
        let first = min(max(0, selectedPlace - height / 2), count - height)
        return first..<first + height
    }

    private func footer(_ window: Range<Int>, of count: Int, columns: Int) -> Line {
        let part: TerminalText =
            window.count < count ? "  (\(window.lowerBound + 1)-\(window.upperBound) of \(count))" : ""
        guard isFiltering else { return Line(help + part, columns: columns) }
        let found: TerminalText = count == 0 ? "  (nothing matches; Esc shows all)" : part
        return Line("/\(filter)" + found, columns: columns)
    }
}
