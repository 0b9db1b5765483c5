import TerminalText
import TextSearch

/// The text that the user types on a terminal, the question before it, and the output above it. Pure: input and events in,
/// text for the terminal out.
///
/// The caller shows each returned text at once, and passes the present size of the terminal.
struct InputScreen: Sendable {
    /// In columns and rows; nil if it is unknown.
    struct Size: Sendable {
        var columns: Int?
        var rows: Int?
    }

    /// How the terminal passes on what the user types.
    enum Mode: Sendable {
        /// As whole lines, which it has shown itself.
        case lines
        /// Key by key.
        case keys
        /// To another program: this one is in the background. Nothing is drawn.
        case away
    }

    enum Entry: Sendable, Equatable {
        /// Can contain line feeds.
        case line(String)
        /// The user pressed Ctrl-D.
        case end
        /// The user pressed Ctrl-X and the key of a command.
        case command(Unicode.Scalar)
    }

    private(set) var mode = Mode.lines
    private var editor = LineEditor()
    /// Input that was not used yet. By lines, one that is longer than 64 KiB is returned in pieces.
    private var unread: ArraySlice<UInt8> = []
    private var question: (text: TerminalText, waitsForText: Bool)?
    /// Shown above the question until the next key.
    private var notice: TerminalText?
    /// Shown above the question, and while there is text to show.
    private var status: TerminalText = ""
    /// Names the commands after Ctrl-X.
    private var commandHelp: TerminalText = ""
    private var drawn: InputRows?
    /// The unfinished line of output above the question. The output continues there.
    private var lineAbove = ""
    /// The beginning of that line, if other programs have used the terminal meanwhile. It is not above the question.
    private var lostLine = ""

    /// True if a question is shown, also before text is typed.
    var isAsking: Bool { question?.waitsForText == false }
}

// MARK: The terminal's modes

extension InputScreen {
    mutating func begin(_ mode: Mode) { self.mode = mode }

    /// Removes the question. The terminal then has its usual modes.
    mutating func finish(_ size: Size) -> TerminalText {
        let removal = removal(size)
        (question, mode) = (nil, .lines)
        return removal
    }

    /// Leaves the terminal to another program, for example after Ctrl-Z.
    mutating func suspend(_ size: Size) -> TerminalText {
        let removal = removal(size)
        mode = .away
        return removal + (lineAbove.isEmpty ? "" : "\n")
    }

    /// The program has noticed that it is in the background.
    mutating func leave() { (mode, drawn) = (.away, nil) }

    /// Continues with the terminal, which another program has used meanwhile.
    mutating func resume(_ mode: Mode, _ size: Size) -> TerminalText {
        self.mode = mode
        drawn = nil
        lostLine += lineAbove
        lineAbove = ""
        return "\r\u{1b}[J" + drawing(size)
    }

    /// Draws again, for example because the terminal has another size.
    mutating func redraw(_ size: Size) -> TerminalText { removal(size) + drawing(size) }
}

// MARK: Questions

extension InputScreen {
    /// Shows a question in place of the one before.
    ///
    /// - Parameters:
    ///   - waitsForText: The question is shown only while text is typed.
    ///   - line: The unfinished line of output, after which the cursor is.
    mutating func ask(_ text: TerminalText, waitsForText: Bool, below line: String, _ size: Size) -> TerminalText {
        let removal = removal(size)
        question = (text, waitsForText)
        set(lineAbove: line)
        return removal + drawing(size)
    }

    /// Removes the question. An answered one stays on the screen.
    mutating func endQuestion(isAnswered: Bool, _ size: Size) -> TerminalText {
        if isAnswered { drawn = nil }
        question = nil
        return removal(size)
    }

    /// Removes the question and the text from the screen, before output is shown.
    mutating func hide(_ size: Size) -> TerminalText { removal(size) }

    /// Shows the question and the text again, below the output.
    ///
    /// - Parameter line: The unfinished line of output, after which the cursor is.
    mutating func show(below line: String, _ size: Size) -> TerminalText {
        set(lineAbove: line)
        return drawing(size)
    }

    private mutating func set(lineAbove line: String) {
        let continues = line.utf8.starts(with: lostLine.utf8)
        if !continues { lostLine = "" }
        lineAbove = String(decoding: line.utf8.dropFirst(lostLine.utf8.count), as: UTF8.self)
    }

    /// Returns the text that draws the question, unless it is drawn or must not be shown.
    private mutating func drawing(_ size: Size) -> TerminalText {
        guard drawn == nil, mode != .away, let question,
            !question.waitsForText || !editor.isEmpty || notice != nil || !status.isEmpty
        else { return "" }
        var rows = InputRows(
            question: WordWrap.question(question.text, columns: size.columns), before: editor.before,
            after: editor.after, columns: size.columns)
        let shownNotice = notice.map { Self.beginning(of: WordWrap.message($0, columns: size.columns), size) }
        // Other rows show the end of the output, the status and the notice.
        let others = (status.isEmpty ? 1 : 2) + (shownNotice.map { $0.text.filledLines.count } ?? 0)
        if let height = size.rows { rows.cut(height: max(1, height - others)) }
        if !status.isEmpty { rows.add(above: Self.row(status, size)) }
        if let shownNotice { rows.add(above: shownNotice) }
        drawn = rows
        return (lineAbove.isEmpty ? "" : "\n") + rows.drawing
    }

    private static func row(_ text: TerminalText, _ size: Size) -> TerminalText {
        "\(Table.cell(text.text, limit: max(1, (size.columns ?? 80) - 2)))"
    }

    /// A list of names can have more rows than a small terminal.
    private static func beginning(of notice: TerminalText, _ size: Size) -> TerminalText {
        guard let height = size.rows else { return notice }
        let rows = notice.text.lines
        guard rows.count > max(1, height - 2) else { return notice }
        return rows.prefix(max(1, height - 2)).map { TerminalText(lines: String($0)) }.joined(separator: "\n")
    }

    /// Returns the text that clears the rows of the question and moves the cursor to the end of the output. Sources:
    /// ECMA-48, sections 8.3.22 (CUU) and 8.3.20 (CUF).
    private mutating func removal(_ size: Size) -> TerminalText {
        guard let rows = drawn.take() else { return "" }
        let clearing = rows.clearing(columns: size.columns)
        let columns = size.columns ?? 80
        let column = InputRows.column(after: lineAbove, columns: columns)
        guard !lineAbove.isEmpty, column < columns else { return clearing }
        return clearing + "\u{1b}[A" + (column > 0 ? "\u{1b}[\(column)C" : "")
    }
}

// MARK: Text

extension InputScreen {
    /// Whether there is input that ``clear(_:)`` drops.
    var canClear: Bool { editor.canClear || !unread.isEmpty }

    /// Discards input that was typed before a question was shown, because it is not an answer to that question. A text that
    /// was not ended yet comes back with ``endAnswer()``.
    mutating func beginAnswer() {
        unread = []
        editor.beginAnswer()
    }

    mutating func endAnswer() { editor.endAnswer() }

    /// Adds a prompt to those that the Up key shows.
    mutating func remember(_ line: String) { editor.remember(line) }

    /// Drops the text that is being typed.
    mutating func clear(_ size: Size) -> TerminalText {
        unread = []
        editor.clear()
        notice = nil
        return redraw(size)
    }

    /// Inserts an unsent prompt before the text that is being typed. Returns nil if there is no room for it, or if the
    /// terminal itself shows the text.
    mutating func putBack(_ prompt: String, _ size: Size) -> TerminalText? {
        guard mode == .keys, editor.putBack(prompt) else { return nil }
        return redraw(size)
    }

    /// Keeps a text that was typed in place of an answer. Returns false as ``putBack(_:_:)`` returns nil.
    mutating func keepForLater(_ text: String) -> Bool { mode == .keys && editor.keepForLater(text) }

    mutating func add(_ input: ArraySlice<UInt8>) { unread += input }

    /// Reads the input up to the end of a line. The entry is nil if the line has not ended.
    mutating func takeEntry(_ size: Size) -> (entry: Entry?, text: TerminalText) {
        switch mode {
        case .lines, .away: (takeLine().map(Entry.line), "")
        case .keys: unread.isEmpty ? (nil, "") : edit(size)
        }
    }

    private mutating func edit(_ size: Size) -> (Entry?, TerminalText) {
        notice = nil
        var shown: TerminalText = ""
        while let byte = unread.popFirst() {
            notice = nil
            switch editor.feed(byte) {
            case .line(let words): return (.line(words), shown + entered(words, size))
            case .end: return (.end, shown)
            case .command(let key): return (.command(key), shown + redraw(size))
            case .prefix: notice = commandHelp
            case .choices(let names): notice = Self.list(names)
            case .clearScreen: shown += clearScreen(size)
            case .refused: notice = "acpbridge: not added: a text has at most \(LineEditor.limitBytes >> 10) KiB"
            case nil: break
            }
        }
        return (nil, shown + redraw(size) + (notice == nil || notice == commandHelp ? "" : "\u{07}"))
    }

    /// 30 names, which fit on most screens.
    private static let choicesLimit = 30

    private static func list(_ names: [String]) -> TerminalText {
        let rest = names.count - choicesLimit
        return "\(names.prefix(choicesLimit).joined(separator: "  "))\(rest > 0 ? "  and \(rest) more" : "")"
    }

    /// Sets the names of the agent's commands, which Tab completes after a slash.
    mutating func offer(commands: [String]) { editor.commands = commands }

    /// Sets the keys that are commands after Ctrl-X.
    ///
    /// - Parameter help: Names the keys, for the row above the question after Ctrl-X.
    mutating func offer(keys: Set<Unicode.Scalar>, help: TerminalText) {
        editor.commandKeys = keys
        commandHelp = help
    }

    /// Sets the row above the question. Empty: none.
    mutating func set(status: TerminalText, _ size: Size) -> TerminalText {
        guard status != self.status else { return "" }
        let removal = removal(size)
        self.status = status
        return removal + drawing(size)
    }

    /// The text that the user has typed for the next prompt.
    var unsent: String { editor.unsent }

    /// Clears the whole screen, and draws the question at its top. Sources: ECMA-48, sections 8.3.21 (CUP) and 8.3.39 (ED).
    private mutating func clearScreen(_ size: Size) -> TerminalText {
        drawn = nil
        lostLine += lineAbove
        lineAbove = ""
        return "\u{1b}[H\u{1b}[2J" + drawing(size)
    }

    /// Leaves the question with its answer on the screen, above further output. A question that waits for text is removed:
    /// the output continues on its unfinished line.
    private mutating func entered(_ words: String, _ size: Size) -> TerminalText {
        let removal = removal(size)
        guard let asked = question, !asked.waitsForText else { return removal }
        question = nil
        return removal + WordWrap.question(asked.text, columns: size.columns) + "\(lines: words)\n"
    }

    private mutating func takeLine() -> String? {
        let end = unread.firstIndex(of: 0x0a)
        guard let end = end ?? (unread.count >= LineEditor.limitBytes ? unread.endIndex : nil) else { return nil }
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = unread[end...].dropFirst()
        // The terminal has shown the answer.
        if isAsking { (question, drawn) = (nil, nil) }
        return line
    }
}
