import CShims
import Glibc
import Synchronization
import TerminalText
import TinyvexSockets

/// Reads the lines that the user types, and shows them after a question on the last rows of the terminal.
///
/// Between ``begin(_:)`` and ``finish()`` the user can edit the text, and the terminal's modes are changed. Otherwise, and
/// on a terminal that cannot move its cursor (`TERM` is `dumb` or not set), the terminal itself shows the text and passes on
/// whole lines.
package final class TerminalInput: Sendable {
    package enum Event: Equatable {
        /// Can contain line feeds.
        case line(String)
        /// The user pressed Ctrl-D, or the terminal was closed.
        case end
        /// The task was cancelled.
        case cancelled
    }

    private struct State {
        var editor = LineEditor()
        /// Input that was read and not used yet. Without an editor, a line that is longer than 64 KiB is returned in pieces.
        var unread: ArraySlice<UInt8> = []
        var question: (text: TerminalText, waitsForText: Bool)?
        /// Shown above the question until the next key.
        var notice: TerminalText?
        var drawn: InputRows?
        /// The unfinished line of output above the question. The output continues there.
        var lineAbove = ""
        /// The beginning of that line, if other programs have used the terminal meanwhile. It is not above the question.
        var lostLine = ""
        /// The terminal passes on keys.
        var isEditing = false
        var signals: (signals: TerminalSignals, task: Task<Void, Never>)?
    }

    private let state = Mutex(State())

    package init() {}

    /// True if standard input and standard output are both terminals.
    package static var isAvailable: Bool { Console.isTerminal(STDIN_FILENO) && Console.isTerminal(STDOUT_FILENO) }

    /// The kernel stops a background process that reads from its terminal.
    package static var isInForeground: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group < 0 || group == getpgrp()
    }

    private static var canMoveCursor: Bool {
        guard isAvailable, let type = getenv("TERM") else { return false }
        return !["", "dumb"].contains(String(cString: type))
    }

    // MARK: The terminal's modes

    /// Lets the user edit the text, if the terminal can.
    package func begin(_ loop: ClientLoop) {
        state.withLock { state in
            // Without signals or modes the terminal passes on whole lines, as elsewhere.
            guard state.signals == nil, Self.canMoveCursor, let signals = try? TerminalSignals() else { return }
            // In the background, the terminal has the modes of the shell. They change when the process comes to the front.
            if Self.isInForeground {
                guard cshims_begin_line_editing() == 0 else { return signals.unblock() }
                state.isEditing = true
            }
            let task = Task(executorPreference: loop) { [self] in
                while let signal = await signals.next(loop) { handle(signal, signals) }
            }
            state.signals = (signals, task)
        }
    }

    /// Gives the terminal its usual modes back, and removes the question.
    package func finish() {
        state.withLock { state in
            guard let (signals, task) = state.signals.take() else { return }
            // The question stays on a terminal that cannot be written to.
            try? Console.show(Self.removal(&state))
            state.question = nil
            cshims_end_line_editing()
            state.isEditing = false
            task.cancel()
            signals.unblock()
        }
    }

    private func handle(_ signal: Int32, _ signals: TerminalSignals) {
        if signal == SIGTSTP {
            state.withLock { state in
                try? Console.show(Self.removal(&state) + (state.lineAbove.isEmpty ? "" : "\n"))
                state.isEditing = false
                cshims_end_line_editing()
            }
            signals.stopProcess()
        }
        state.withLock { state in
            if signal == SIGWINCH, state.isEditing {
                try? Self.redraw(&state)
            } else if signal != SIGWINCH, state.signals != nil {
                Self.resume(&state)
            }
        }
    }

    /// Continues after the process was stopped. Another program has used the terminal meanwhile.
    private static func resume(_ state: inout State) {
        guard isInForeground else {
            (state.isEditing, state.drawn) = (false, nil)
            cshims_end_line_editing()
            return
        }
        state.isEditing = cshims_begin_line_editing() == 0
        state.drawn = nil
        state.lostLine += state.lineAbove
        state.lineAbove = ""
        try? Console.show("\r\u{1b}[J" + drawing(&state))
    }

    // MARK: Questions

    /// True if a question is shown, also before text is typed.
    package var isAsking: Bool { state.withLock { $0.question?.waitsForText == false } }

    /// Shows a question until another one replaces it, the user answers it, or ``endQuestion(isAnswered:)`` removes it.
    ///
    /// - Parameters:
    ///   - waitsForText: The question is shown only while text is typed.
    ///   - line: The unfinished line of output, after which the cursor is.
    package func ask(_ question: TerminalText, waitsForText: Bool = false, below line: String = "")
        throws(Console.WriteError)
    {
        try state.withLock { state throws(Console.WriteError) in
            let removal = Self.removal(&state)
            state.question = (question, waitsForText)
            Self.set(lineAbove: line, &state)
            try Console.show(removal + Self.drawing(&state))
        }
    }

    /// Removes the question. An answered one stays on the screen.
    package func endQuestion(isAnswered: Bool) throws(Console.WriteError) {
        try state.withLock { state throws(Console.WriteError) in
            if isAnswered { state.drawn = nil }
            state.question = nil
            try Console.show(Self.removal(&state))
        }
    }

    /// Removes the question and the text from the screen, before output is shown.
    package func hide() throws(Console.WriteError) {
        try state.withLock { state throws(Console.WriteError) in try Console.show(Self.removal(&state)) }
    }

    /// Shows the question and the text again, below the output.
    ///
    /// - Parameter line: The unfinished line of output, after which the cursor is.
    package func show(below line: String) throws(Console.WriteError) {
        try state.withLock { state throws(Console.WriteError) in
            Self.set(lineAbove: line, &state)
            try Console.show(Self.drawing(&state))
        }
    }

    private static func set(lineAbove line: String, _ state: inout State) {
        let continues = line.utf8.starts(with: state.lostLine.utf8)
        if !continues { state.lostLine = "" }
        state.lineAbove = String(decoding: line.utf8.dropFirst(state.lostLine.utf8.count), as: UTF8.self)
    }

    private static func redraw(_ state: inout State) throws(Console.WriteError) {
        let removal = removal(&state)
        try Console.show(removal + drawing(&state))
    }

    /// Returns the text that draws the question, unless it is drawn or must not be shown.
    private static func drawing(_ state: inout State) -> TerminalText {
        // In the background, the terminal belongs to another program.
        guard state.drawn == nil, state.isEditing || state.signals == nil, let question = state.question,
            !question.waitsForText || !state.editor.isEmpty || state.notice != nil
        else { return "" }
        let columns = Console.columns(STDOUT_FILENO)
        var rows = InputRows(
            question: WordWrap.question(question.text, columns: columns), before: state.editor.before,
            after: state.editor.after, columns: columns)
        let notice = state.notice.map { WordWrap.message($0, columns: columns) }
        // Other rows show the end of the output and the notice.
        let others = 1 + (notice.map { $0.text.split(separator: "\n").count } ?? 0)
        if let height = Console.rows(STDOUT_FILENO) { rows.cut(height: max(1, height - others)) }
        if let notice { rows.add(above: notice) }
        state.drawn = rows
        return (state.lineAbove.isEmpty ? "" : "\n") + rows.drawing
    }

    /// Returns the text that clears the rows of the question and moves the cursor to the end of the output. Sources:
    /// ECMA-48, sections 8.3.22 (CUU) and 8.3.20 (CUF).
    private static func removal(_ state: inout State) -> TerminalText {
        guard let rows = state.drawn.take() else { return "" }
        let columns = Console.columns(STDOUT_FILENO)
        let clearing = rows.clearing(columns: columns)
        let column = InputRows.column(after: state.lineAbove, columns: columns ?? 80)
        guard !state.lineAbove.isEmpty, column < columns ?? 80 else { return clearing }
        return clearing + "\u{1b}[A" + (column > 0 ? "\u{1b}[\(column)C" : "")
    }

    // MARK: Text

    /// Discards input that was typed before a question was shown, because it is not an answer to that question. A text that
    /// was not ended yet comes back with ``endAnswer()``.
    package func beginAnswer() {
        state.withLock { state in
            tcflush(STDIN_FILENO, TCIFLUSH)
            state.unread = []
            state.editor.beginAnswer()
        }
    }

    package func endAnswer() { state.withLock { $0.editor.endAnswer() } }

    /// Adds a prompt to those that the Up key shows.
    package func remember(_ line: String) { state.withLock { $0.editor.remember(line) } }

    /// Drops the text that is being typed. Returns false if there is none.
    package func clear() throws(Console.WriteError) -> Bool {
        try state.withLock { state throws(Console.WriteError) in
            let isEmpty = !state.editor.canClear && state.unread.isEmpty && cshims_waiting_bytes(STDIN_FILENO) == 0
            guard state.isEditing, !isEmpty else { return false }
            tcflush(STDIN_FILENO, TCIFLUSH)
            state.unread = []
            state.editor.clear()
            state.notice = nil
            try Self.redraw(&state)
            return true
        }
    }

    package func next(_ loop: ClientLoop) async -> Event {
        while true {
            do throws(Console.WriteError) {
                if let event = try takeEvent() { return event }
            } catch {
                return .end
            }
            guard await loop.wait(for: Int32(POLLIN), on: STDIN_FILENO) else { return .cancelled }
            guard let bytes = read() else { return .end }
            state.withLock { state in
                // The shell does not send SIGCONT to a process that ran in the background.
                if !bytes.isEmpty, state.signals != nil, !state.isEditing { Self.resume(&state) }
                state.unread += bytes
            }
        }
    }

    /// Returns nil at the end of the input, and nothing if another task has discarded the input.
    private func read() -> ArraySlice<UInt8>? {
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 0) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? buffer.prefix(count) : nil
    }

    private func takeEvent() throws(Console.WriteError) -> Event? {
        try state.withLock { state throws(Console.WriteError) in
            guard state.isEditing else { return Self.takeLine(&state) }
            return state.unread.isEmpty ? nil : try Self.edit(&state)
        }
    }

    /// Passes input to the editor, until the end of a line.
    private static func edit(_ state: inout State) throws(Console.WriteError) -> Event? {
        state.notice = nil
        while let byte = state.unread.popFirst() {
            switch state.editor.feed(byte) {
            case .line(let words):
                try showEntered(words, &state)
                return .line(words)
            case .end: return .end
            case .refused: state.notice = "acpbridge: not added: a text has at most \(LineEditor.limitBytes >> 10) KiB"
            case nil: break
            }
        }
        try redraw(&state)
        if state.notice != nil { try Console.show("\u{07}") }
        return nil
    }

    /// Leaves the question with its answer on the screen, above further output. A question that waits for text is removed:
    /// the output continues on its unfinished line.
    private static func showEntered(_ words: String, _ state: inout State) throws(Console.WriteError) {
        var shown = removal(&state)
        if let question = state.question, !question.waitsForText {
            let columns = Console.columns(STDOUT_FILENO)
            shown += WordWrap.question(question.text, columns: columns) + "\(lines: words)\n"
            state.question = nil
        }
        try Console.show(shown)
    }

    private static func takeLine(_ state: inout State) -> Event? {
        let end = state.unread.firstIndex(of: 0x0a)
        guard let end = end ?? (state.unread.count >= LineEditor.limitBytes ? state.unread.endIndex : nil) else {
            return nil
        }
        let line = String(decoding: state.unread[..<end], as: UTF8.self)
        state.unread = state.unread[end...].dropFirst()
        // The terminal has shown the answer.
        if state.question?.waitsForText == false { (state.question, state.drawn) = (nil, nil) }
        return .line(line)
    }
}
