import SessionOutput
import Synchronization
import TerminalText
import TinyvexMachine

/// The input line for prompts. It is below the conversation while the agent is idle. During a turn it is only shown while
/// the user types.
final class PromptLine: Sendable {
    private struct State {
        var turns: OpenTurns
        /// The running turn was cancelled from this terminal.
        var isCancelled = false
        /// The time of the last Ctrl-C while the agent was idle.
        var warned: ContinuousClock.Instant?
        var isShown = false
        /// A question of the agent occupies the line's place.
        var isAsking = false
        /// Prompts that were typed while the agent was idle. The terminal already shows them, and their turns begin
        /// shortly.
        var echoes: [String] = []
        /// The number of prompts that were typed here.
        var promptCount = 0
        /// Prompts whose turns have not begun.
        var waiting: [(number: Int, words: String)] = []
        var firstMessage: TerminalText?

        var isIdle: Bool { turns.isIdle && echoes.isEmpty }
    }

    private let state: Mutex<State>
    private let session: String

    /// - Parameter isRunning: a turn is already running, so its beginning will not be passed to `note`.
    init(session: String, isRunning: Bool) {
        self.session = session
        state = Mutex(State(turns: OpenTurns(session: session, isRunning: isRunning)))
    }

    /// True until the earlier output was shown.
    var isBeginning: Bool { state.withLock { $0.firstMessage != nil } }

    /// Shows the text once, after all earlier output.
    func showOnce(_ words: TerminalText) { state.withLock { $0.firstMessage = words } }

    // MARK: Events of the session

    /// Hides the input line before a turn begins, so that the turn is shown in one piece.
    func hide(before batch: [StreamPiece], _ output: AttachOutput) throws {
        let hides = state.withLock { state in
            guard state.isShown else { return false }
            var turns = state.turns
            return batch.entries.contains { entry in
                _ = turns.note(entry)
                return !turns.isIdle
            }
        }
        guard hides else { return }
        state.withLock { $0.isShown = false }
        try output.ask("> ", waitsForText: true)
    }

    /// - Parameter isAsking: a question occupies the line's place.
    func note(_ entries: [TimelineValue], isAsking: Bool, _ output: AttachOutput) throws {
        state.withLock { state in
            state.isAsking = isAsking
            for entry in entries {
                if entry.kind == "prompt", entry.content["sessionId"]?.stringValue == session,
                    let index = state.waiting.firstIndex(where: { $0.words == entry.promptText })
                {
                    state.waiting.remove(at: index)
                }
                if state.turns.note(entry) { (state.isCancelled, state.warned) = (false, nil) }
            }
        }
        guard output.isCaughtUp else { return }
        if let firstMessage = state.withLock({ $0.firstMessage.take() }) { try output.reportAtLineEnd(firstMessage) }
        try settle(output)
    }

    private func settle(_ output: AttachOutput) throws {
        let (wasShown, isShown, isAsking) = state.withLock { state in
            defer { state.isShown = state.isIdle && !state.isAsking }
            return (state.isShown, state.isIdle && !state.isAsking, state.isAsking)
        }
        if !isAsking, !isShown || !wasShown { try output.ask("> ", waitsForText: !isShown) }
    }

    /// Returns true once for each prompt that the terminal already shows because it was typed there.
    func isEcho(of prompt: String) -> Bool {
        state.withLock { state in
            guard let index = state.echoes.firstIndex(of: prompt) else { return false }
            state.echoes.remove(at: index)
            return true
        }
    }

    // MARK: Input of the user

    /// Returns the prompt's number; nil if the line is no prompt.
    ///
    /// - Parameter isConnected: The bridge can be reached.
    func entered(_ words: String, _ output: AttachOutput, isConnected: Bool) throws -> Int? {
        let isPrompt = words.contains { !$0.isWhitespace }
        let (wasShown, number) = state.withLock { state in
            state.warned = nil
            state.promptCount += isPrompt ? 1 : 0
            if isPrompt, state.isIdle { state.echoes.append(words) }
            // The terminal cannot always know of a running turn.
            if isPrompt { state.waiting.append((state.promptCount, words)) }
            defer { state.isShown = state.isShown && !isPrompt }
            return (state.isShown, isPrompt ? state.promptCount : nil)
        }
        if wasShown {
            try output.endQuestion(isAnswered: true)
            try output.ask("> ", waitsForText: isPrompt)
        }
        if isPrompt, !isConnected {
            try output.report("acpbridge: the prompt will be sent when the bridge can be reached again")
        } else if isPrompt, !wasShown {
            try output.report("acpbridge: the prompt will be sent when the running turn ends")
        }
        return number
    }

    /// The prompts that were typed here and whose turns have not begun, in order.
    var waitingPrompts: [(number: Int, words: String)] { state.withLock { $0.waiting } }

    /// The prompt does not wait any longer. Returns whether it did.
    @discardableResult func stopsWaiting(_ number: Int) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
    }

    /// The bridge did not accept the prompt.
    func refused(_ words: String, _ output: AttachOutput) throws {
        _ = isEcho(of: words)
        try settle(output)
    }

    /// The effect of Ctrl-C without typed text.
    enum Interruption { case cancel, warn, leave }

    /// A turn can end while a person presses Ctrl-C to cancel it. So Ctrl-C leaves only if it comes twice.
    func interrupted(at now: ContinuousClock.Instant) -> Interruption {
        state.withLock { state in
            guard state.isIdle else {
                defer { state.isCancelled = true }
                return state.isCancelled ? .leave : .cancel
            }
            defer { state.warned = now }
            return state.warned.map { $0 + Self.warningLife > now } == true ? .leave : .warn
        }
    }

    private static let warningLife = Duration.seconds(5)
}
