import CShims
import Glibc
import Posix
import Synchronization
import TerminalText
import TinyvexSockets

/// Shows a ``ChoiceMenu`` below the cursor, and removes it after the choice.
package final class TerminalMenu: Sendable {
    private struct State {
        var menu: ChoiceMenu
        /// The terminal has the modes for keys, and the process is in its foreground.
        var isShown = false
        /// The choice has ended. A signal can come later.
        var isFinished = false
    }

    /// 50 ms. The bytes of one key arrive together, also over a network.
    private static let sequencePause = Duration.milliseconds(50)

    private let state: Mutex<State>

    package init(_ menu: ChoiceMenu) { state = Mutex(State(menu: menu)) }

    /// True if the terminal can show a menu.
    package static var isAvailable: Bool { TerminalInput.canMoveCursor && TerminalInput.isInForeground }

    /// Replaces the rows, also while the person chooses.
    package func set(_ rows: [ChoiceMenu.Row]) {
        state.withLock { state in
            state.menu.set(rows)
            draw(&state)
        }
    }

    /// Returns the id of the chosen row; nil if the person left, or the task was cancelled. Ctrl-C leaves, too. Throws if
    /// the terminal refuses the modes for keys.
    ///
    /// - Parameter interruptions: Those of the caller, which stay readable after the choice; nil if it reads none.
    package func choose(_ loop: ClientLoop, _ interruptions: Interruptions? = nil) async throws -> String? {
        let own = interruptions == nil ? try Interruptions() : nil
        defer { own?.end() }
        let signals = try TerminalSignals()
        defer { finish(signals) }
        guard cshims_begin_line_editing() == 0 else { throw SystemError("tcsetattr") }
        state.withLock { state in
            (state.isShown, state.isFinished) = (true, false)
            draw(&state)
        }
        return try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { try await self.readKeys(loop) }
            group.addTask {
                _ = await (interruptions ?? own)?.next(loop)
                return nil
            }
            let watch = Task(executorPreference: loop) {
                while let signal = await signals.next(loop) { self.handle(signal, signals) }
            }
            defer {
                watch.cancel()
                group.cancelAll()
            }
            return try await group.next() ?? nil
        }
    }

    private func finish(_ signals: TerminalSignals) {
        state.withLock { state in
            state.isFinished = true
            hide(&state)
        }
        signals.unblock()
    }

    private func hide(_ state: inout State) {
        guard state.isShown else { return }
        try? Console.show(state.menu.clear(TerminalInput.size))
        state.isShown = false
        cshims_end_line_editing()
    }

    private func draw(_ state: inout State) {
        guard state.isShown else { return }
        // A terminal that cannot be written to ends the menu by its input.
        try? Console.show(state.menu.draw(TerminalInput.size, hasColour: Console.hasColour(STDOUT_FILENO)))
    }

    private func readKeys(_ loop: ClientLoop) async throws -> String? {
        while await loop.wait(for: Int32(POLLIN), on: STDIN_FILENO) {
            guard let bytes = TerminalInput.read() else { return nil }
            if let event = handle(bytes) { return event.id }
            if let event = await pause(loop) { return event.id }
        }
        return nil
    }

    private func handle(_ bytes: ArraySlice<UInt8>) -> ChoiceMenu.Event? {
        state.withLock { state in
            for byte in bytes {
                if let event = state.menu.feed(byte) { return event }
            }
            draw(&state)
            return nil
        }
    }

    /// Decides whether an escape character at the end of the input was a key.
    private func pause(_ loop: ClientLoop) async -> ChoiceMenu.Event? {
        guard state.withLock({ $0.menu.isInSequence }) else { return nil }
        await loop.sleep(until: .now + Self.sequencePause)
        guard cshims_waiting_bytes(STDIN_FILENO) == 0 else { return nil }
        return state.withLock { state in
            let event = state.menu.pause()
            draw(&state)
            return event
        }
    }

    private func handle(_ signal: Int32, _ signals: TerminalSignals) {
        if signal == SIGTSTP {
            state.withLock { hide(&$0) }
            signals.stopProcess()
        }
        state.withLock { state in
            guard !state.isFinished else { return }
            if signal != SIGWINCH {
                state.isShown = TerminalInput.isInForeground && cshims_begin_line_editing() == 0
                state.menu.forgetDrawing()
            }
            draw(&state)
        }
    }
}

extension ChoiceMenu.Event {
    fileprivate var id: String? { if case .chosen(let id) = self { id } else { nil } }
}
