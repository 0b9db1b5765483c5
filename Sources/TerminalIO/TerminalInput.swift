import CShims
import Glibc
import Synchronization
import TerminalText
import TinyvexSockets

/// Reads the lines that the user types, and shows them after a question on the last rows of the terminal. ``InputScreen``
/// decides how they are shown.
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
        /// The user pressed Ctrl-X and the key of a command.
        case command(Unicode.Scalar)
        /// The task was cancelled.
        case cancelled
    }

    private struct State {
        var screen = InputScreen()
        /// While the terminal's modes are changed, and while the process is in the background meanwhile.
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

    package static var canMoveCursor: Bool {
        guard isAvailable, let type = getenv("TERM") else { return false }
        return !["", "dumb"].contains(String(cString: type))
    }

    static var size: InputScreen.Size {
        InputScreen.Size(columns: Console.columns(STDOUT_FILENO), rows: Console.rows(STDOUT_FILENO))
    }

    // MARK: The terminal's modes

    /// Lets the user edit the text, if the terminal can.
    package func begin(_ loop: ClientLoop) {
        state.withLock { state in
            // Without signals or modes the terminal passes on whole lines, as elsewhere.
            guard state.signals == nil, Self.canMoveCursor, let signals = try? TerminalSignals() else { return }
            // In the background, the terminal has the modes of the shell. They change when the process comes to the front.
            let isInForeground = Self.isInForeground
            if isInForeground, cshims_begin_line_editing() != 0 { return signals.unblock() }
            state.screen.begin(isInForeground ? .keys : .away)
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
            try? Console.show(state.screen.finish(Self.size))
            cshims_end_line_editing()
            task.cancel()
            signals.unblock()
        }
    }

    private func handle(_ signal: Int32, _ signals: TerminalSignals) {
        if signal == SIGTSTP {
            state.withLock { state in
                try? Console.show(state.screen.suspend(Self.size))
                cshims_end_line_editing()
            }
            signals.stopProcess()
        }
        state.withLock { state in
            if signal == SIGWINCH, state.screen.mode == .keys {
                try? Console.show(state.screen.redraw(Self.size))
            } else if signal != SIGWINCH, state.signals != nil {
                Self.resume(&state)
            }
        }
    }

    /// Continues after the process was stopped.
    private static func resume(_ state: inout State) {
        guard isInForeground else {
            state.screen.leave()
            cshims_end_line_editing()
            return
        }
        let hasModes = cshims_begin_line_editing() == 0
        try? Console.show(state.screen.resume(hasModes ? .keys : .away, size))
    }

    // MARK: Questions

    /// True if a question is shown, also before text is typed.
    package var isAsking: Bool { state.withLock { $0.screen.isAsking } }

    /// Shows a question until another one replaces it, the user answers it, or ``endQuestion(isAnswered:)`` removes it.
    ///
    /// - Parameters:
    ///   - waitsForText: The question is shown only while text is typed.
    ///   - line: The unfinished line of output, after which the cursor is.
    package func ask(_ question: TerminalText, waitsForText: Bool = false, below line: String = "")
        throws(Console.WriteError)
    {
        try show { $0.ask(question, waitsForText: waitsForText, below: line, $1) }
    }

    /// Removes the question. An answered one stays on the screen.
    package func endQuestion(isAnswered: Bool) throws(Console.WriteError) {
        try show { $0.endQuestion(isAnswered: isAnswered, $1) }
    }

    /// Removes the question and the text from the screen, before output is shown.
    package func hide() throws(Console.WriteError) { try show { $0.hide($1) } }

    /// Shows the question and the text again, below the output.
    ///
    /// - Parameter line: The unfinished line of output, after which the cursor is.
    package func show(below line: String) throws(Console.WriteError) { try show { $0.show(below: line, $1) } }

    private func show(
        _ change: (inout InputScreen, InputScreen.Size) -> TerminalText
    ) throws(Console.WriteError) {
        try state.withLock { state throws(Console.WriteError) in try Console.show(change(&state.screen, Self.size)) }
    }

    // MARK: Text

    /// Discards input that was typed before a question was shown, because it is not an answer to that question. A text that
    /// was not ended yet comes back with ``endAnswer()``.
    package func beginAnswer() {
        state.withLock { state in
            tcflush(STDIN_FILENO, TCIFLUSH)
            state.screen.beginAnswer()
        }
    }

    package func endAnswer() { state.withLock { $0.screen.endAnswer() } }

    /// Adds a prompt to those that the Up key shows.
    package func remember(_ line: String) { state.withLock { $0.screen.remember(line) } }

    /// Sets the names of the agent's commands, which Tab completes after a slash.
    package func offer(commands: [String]) { state.withLock { $0.screen.offer(commands: commands) } }

    /// Sets the keys that are commands after Ctrl-X.
    ///
    /// - Parameter help: Names the keys.
    package func offer(keys: Set<Unicode.Scalar>, help: TerminalText) {
        state.withLock { $0.screen.offer(keys: keys, help: help) }
    }

    /// Sets the row above the question. Empty: none. A terminal that shows the text itself has no such row.
    package func set(status: TerminalText) throws(Console.WriteError) { try show { $0.set(status: status, $1) } }

    /// The text that the user has typed for the next prompt.
    package var unsent: String { state.withLock { $0.screen.unsent } }

    /// True if the user edits the text, so that keys can be commands.
    package var takesKeys: Bool { state.withLock { $0.signals != nil } }

    /// Clears the terminal, if it can be cleared.
    package static func clearScreen() throws(Console.WriteError) {
        if canMoveCursor { try Console.show("\u{1b}[H\u{1b}[2J") }
    }

    /// Drops the text that is being typed. Returns false if there is none.
    package func clear() throws(Console.WriteError) -> Bool {
        try state.withLock { state throws(Console.WriteError) in
            guard state.screen.mode == .keys,
                state.screen.canClear || cshims_waiting_bytes(STDIN_FILENO) != 0
            else { return false }
            tcflush(STDIN_FILENO, TCIFLUSH)
            try Console.show(state.screen.clear(Self.size))
            return true
        }
    }

    /// Inserts an unsent prompt before the text that is being typed. Returns false if there is no room for it, or if
    /// the terminal itself shows the text.
    package func putBack(_ prompt: String) throws(Console.WriteError) -> Bool {
        try state.withLock { state throws(Console.WriteError) in
            guard let text = state.screen.putBack(prompt, Self.size) else { return false }
            try Console.show(text)
            return true
        }
    }

    /// Keeps a text that was typed in place of an answer until the question is answered. Returns false if there is no room for
    /// it, or if the terminal itself shows the text.
    package func keepForLater(_ text: String) -> Bool { state.withLock { $0.screen.keepForLater(text) } }

    package func next(_ loop: ClientLoop) async -> Event {
        while true {
            do throws(Console.WriteError) {
                if let entry = try takeEntry() { return entry }
            } catch {
                return .end
            }
            guard await loop.wait(for: Int32(POLLIN), on: STDIN_FILENO) else { return .cancelled }
            guard let bytes = Self.read() else { return .end }
            state.withLock { state in
                // The shell does not send SIGCONT to a process that ran in the background.
                if !bytes.isEmpty, state.signals != nil, state.screen.mode != .keys { Self.resume(&state) }
                state.screen.add(bytes)
            }
        }
    }

    /// Returns nil at the end of the input, and nothing if another task has discarded the input.
    static func read() -> ArraySlice<UInt8>? {
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 0) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? buffer.prefix(count) : nil
    }

    private func takeEntry() throws(Console.WriteError) -> Event? {
        try state.withLock { state throws(Console.WriteError) in
            let (entry, text) = state.screen.takeEntry(Self.size)
            if !text.text.isEmpty { try Console.show(text) }
            return switch entry {
            case .line(let line): .line(line)
            case .end: .end
            case .command(let key): .command(key)
            case nil: nil
            }
        }
    }
}
