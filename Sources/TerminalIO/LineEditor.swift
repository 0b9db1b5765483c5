/// A text that a person types, with a cursor, and the prompts of this run for the Up and Down keys. Pure.
///
/// A text can have several lines: Alt-Enter, Ctrl-J and pasted text add line feeds.
struct LineEditor: Sendable {
    enum Event: Sendable, Equatable {
        /// The person pressed Enter after this text. The editor is empty again.
        case line(String)
        /// Ctrl-D on an empty line.
        case end
        /// The text would become larger than ``limitBytes`` and was not inserted.
        case refused
        /// Tab after the beginning of several commands, which are these.
        case choices([String])
        /// Ctrl-L. The text is unchanged.
        case clearScreen
        /// Ctrl-X: the next key is a command. The text is unchanged.
        case prefix
        /// The key of a command after Ctrl-X, one of ``commandKeys``.
        case command(Unicode.Scalar)
    }

    /// 64 KiB: more than a person types. Further text is refused, because a cut prompt has another meaning.
    static let limitBytes = 64 << 10
    /// 256 KiB and 1,000 prompts. The oldest ones are dropped.
    private static let historyLimits = (bytes: 256 << 10, count: 1_000)

    /// The text before the cursor.
    private(set) var before = ""
    /// The text after the cursor.
    private(set) var after = ""
    private var keys = KeyDecoder()
    private var history: [String] = []
    /// The shown prompt of the history. Its count stands for the text that is not in the history yet, which is `draft`.
    private var position = 0
    private var draft = ""
    /// A text that was typed before a question was asked. It continues after the question.
    private var setAside = ""
    private var isAnswering = false
    /// The names of the agent's commands, which Tab completes after a slash.
    var commands: [String] = []
    /// The keys that are commands after Ctrl-X. Without any, Ctrl-X has no effect.
    var commandKeys: Set<Unicode.Scalar> = []
    /// Ctrl-X was the last key.
    private var isAfterPrefix = false

    var isEmpty: Bool { before.isEmpty && after.isEmpty }
    /// Whether there is something that ``clear()`` drops.
    var canClear: Bool { !isEmpty || keys.isPasting }

    /// Takes one byte of the terminal's input.
    mutating func feed(_ byte: UInt8) -> Event? {
        guard let key = keys.decode(byte) else { return nil }
        let choosesCommand = isAfterPrefix
        isAfterPrefix = false
        switch key {
        case .character(let scalar) where choosesCommand: return commandKeys.contains(scalar) ? .command(scalar) : nil
        // Ends the choice.
        case .prefix where choosesCommand: return nil
        case .prefix:
            isAfterPrefix = !commandKeys.isEmpty
            return isAfterPrefix ? .prefix : nil
        case .character(let scalar): return insert(String(scalar))
        case .paste(let text): return insert(text)
        case .oversizedPaste: return .refused
        case .newLine: return insert("\n")
        case .tab: return isCommand ? complete() : insert("\t")
        case .enter:
            defer { clear() }
            return .line(before + after)
        case .endOrDelete where isEmpty: return .end
        case .clearScreen: return .clearScreen
        default: edit(key)
        }
        return nil
    }

    /// Drops the text, and the beginning of an unfinished escape sequence or paste.
    mutating func clear() {
        keys = KeyDecoder()
        isAfterPrefix = false
        show("")
        position = history.count
        draft = ""
    }

    // MARK: The history

    /// Adds a prompt to the history.
    mutating func remember(_ line: String) {
        let isBrowsing = position < history.count
        if history.last != line { history.append(line) }
        var bytes = history.reduce(0) { $0 + $1.utf8.count }
        while bytes > Self.historyLimits.bytes || history.count > Self.historyLimits.count {
            bytes -= history.removeFirst().utf8.count
            position = max(0, position - 1)
        }
        if !isBrowsing { position = history.count }
    }

    private mutating func showHistory(_ index: Int) {
        guard index != position, (0...history.count).contains(index) else { return }
        if position == history.count { draft = before + after }
        position = index
        show(index == history.count ? draft : history[index])
    }

    // MARK: A question in between

    /// Makes place for the answer to a question.
    mutating func beginAnswer() {
        let text = position < history.count ? draft : before + after
        if !text.isEmpty { setAside = text }
        isAnswering = true
        clear()
    }

    /// Returns to the text before the question.
    mutating func endAnswer() {
        clear()
        show(setAside)
        setAside = ""
        isAnswering = false
    }

    /// The text that was typed and not sent, also before and in place of an answer.
    var unsent: String {
        let typed = position < history.count ? draft : before + after
        return [setAside, typed].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Inserts an unsent prompt before the text that is being typed, on lines of its own. Returns false if both would
    /// be too large.
    mutating func putBack(_ prompt: String) -> Bool {
        showHistory(history.count)
        let text = isAnswering ? setAside : before + after
        let lines = text.isEmpty ? prompt : prompt + "\n"
        guard lines.utf8.count + text.utf8.count <= Self.limitBytes else { return false }
        if isAnswering { setAside = lines + setAside } else { before = lines + before }
        return true
    }

    /// Adds a text that was typed in place of an answer to the one that continues after the question. Returns false if there
    /// is no question, or if both would be too large.
    mutating func keepForLater(_ text: String) -> Bool {
        let kept = setAside.isEmpty ? text : setAside + "\n" + text
        guard isAnswering, kept.utf8.count <= Self.limitBytes else { return false }
        setAside = kept
        return true
    }

    // MARK: Commands

    /// The text before the cursor is the beginning of a command.
    private var isCommand: Bool {
        !isAnswering && !commands.isEmpty && before.first == "/" && !before.contains(where: \.isWhitespace)
    }

    /// Completes the command as far as it is the only one.
    private mutating func complete() -> Event? {
        let matches = commands.map { "/" + $0 }.filter { $0.hasPrefix(before) }
        guard let first = matches.first else { return nil }
        let common = matches.dropFirst().reduce(first) { begin, name in
            String(zip(begin, name).prefix { $0 == $1 }.map(\.0))
        }
        guard matches.count > 1 else {
            before = after.isEmpty ? common + " " : common
            return nil
        }
        guard common.count > before.count else { return .choices(matches) }
        before = common
        return nil
    }

    // MARK: Editing

    private mutating func show(_ text: String) { (before, after) = (text, "") }

    private mutating func insert(_ text: String) -> Event? {
        guard before.utf8.count + text.utf8.count + after.utf8.count <= Self.limitBytes else { return .refused }
        before += text
        return nil
    }

    private mutating func edit(_ key: Key) {
        switch key {
        case .left: if let character = before.popLast() { after = String(character) + after }
        case .right: if !after.isEmpty { before.append(after.removeFirst()) }
        case .home: (before, after) = (String(beforeLine), currentLine + after)
        case .end: moveToEndOfLine()
        case .up: showHistory(position - 1)
        case .down: showHistory(position + 1)
        case .backspace: _ = before.popLast()
        case .delete, .endOrDelete: after = String(after.dropFirst())
        case .deleteWord: deleteWord()
        case .deleteToStart: before = String(currentLine.isEmpty ? before.dropLast() : beforeLine)
        case .deleteToEnd: deleteToEnd()
        default: break
        }
    }

    /// The part of the cursor's line before the cursor.
    private var currentLine: Substring {
        before[(before.lastIndex(of: "\n").map(before.index(after:)) ?? before.startIndex)...]
    }

    /// The lines before the cursor's line.
    private var beforeLine: Substring { before[..<currentLine.startIndex] }

    private mutating func moveToEndOfLine() {
        let line = after.prefix { $0 != "\n" }
        before += line
        after = String(after[line.endIndex...])
    }

    private mutating func deleteWord() {
        while before.last?.isWhitespace == true { before.removeLast() }
        while before.last?.isWhitespace == false { before.removeLast() }
    }

    /// At the end of a line, the line feed is deleted.
    private mutating func deleteToEnd() {
        after = String(after.first == "\n" ? after.dropFirst() : after.drop { $0 != "\n" })
    }
}
