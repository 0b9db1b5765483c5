import AgentQuestions
import BridgeRequests
import Glibc
import JSONScan
import SessionOutput
import Synchronization
import TerminalIO
import TinyvexMachine
import TinyvexSync

/// Shows the agent's permission requests and elicitations to the user at the terminal.
///
/// The session's timeline contains its requests and all answers, from any client. ``SessionlessQuestions`` reads the
/// others. A dialog ends when its answer
/// appears, and then the next dialog begins. Without an open dialog nothing is read from the terminal, unless the owner
/// reads it all the time.
package final class TerminalDialogs: Sendable {
    private struct State {
        var pending = PendingQuestions()
        var open: QuestionDialog?
        /// An answer was sent. The timeline will show which client's answer counted.
        var isAnswered = false
        var reading: Task<Void, Never>?
        /// The user does not want dialogs, or lacks the right to answer.
        var isOff = false
    }

    private let state = Mutex(State())
    private let client: CommandClient
    private let session: ListedSession
    private let output: AttachOutput
    private let readsLines: Bool

    /// - Parameter readsLines: false if the owner passes each line to `entered`.
    init(_ client: CommandClient, _ session: ListedSession, _ output: AttachOutput, readsLines: Bool = true) {
        self.client = client
        self.session = session
        self.output = output
        self.readsLines = readsLines
    }

    /// Returns nil if dialogs are impossible, because the terminal is missing or the user lacks the right to answer.
    package static func onTerminal(
        _ client: CommandClient, _ session: ListedSession, _ output: AttachOutput
    ) async throws -> TerminalDialogs? {
        guard TerminalInput.isAvailable, session.isLive, let role = try await client.role(), role >= .control else {
            return nil
        }
        return TerminalDialogs(client, session, output)
    }

    var isOpen: Bool { state.withLock { $0.open != nil && !$0.isAnswered } }

    // MARK: Events of the session

    /// Call with the entries that have been shown.
    package func note(_ entries: [TimelineValue]) throws {
        // While a single turn is printed, use only that turn's entries.
        guard output.turn?.hasBegun != false else { return }
        state.withLock { state in
            for entry in entries { state.pending.note(entry) }
        }
        try settle()
    }

    /// Sets the agent's elicitations without a session, which are on no timeline.
    func set(sessionless questions: [AgentQuestion]) throws {
        state.withLock { $0.pending.set(sessionless: questions) }
        try settle()
    }

    /// Stops all dialogs.
    func end() throws {
        try state.withLock { state in
            state.isOff = true
            try close(&state)
        }
    }

    private func settle() throws {
        try state.withLock { state in
            if let open = state.open, !state.pending.isWaiting(open.question) { try close(&state) }
            guard state.open == nil, !state.isOff, output.isCaughtUp, TerminalInput.isInForeground,
                let question = state.pending.first
            else { return }
            let dialog = QuestionDialog(question)
            state.open = dialog
            if readsLines { output.input.begin(client.loop) }
            output.input.beginAnswer()
            // A multiplexer marks the window.
            try Console.show("\u{07}")
            try output.ask(dialog.line)
            if readsLines { state.reading = Task(executorPreference: client.loop) { [self] in await read() } }
        }
    }

    private func close(_ state: inout State) throws {
        guard state.open != nil else { return }
        if !state.isAnswered {
            try output.endQuestion(isAnswered: false)
            output.input.endAnswer()
        }
        state.open = nil
        state.isAnswered = false
        state.reading?.cancel()
        state.reading = nil
        if readsLines { output.input.finish() }
    }

    // MARK: Input of the user

    private func read() async {
        while isOpen {
            switch await output.input.next(client.loop) {
            case .line(let words): _ = try? await entered(words)
            case .cancelled: return
            // Only an editor of prompts offers commands.
            case .command: break
            case .end:
                try? end()
                try? output.report(
                    "acpbridge: the question stays open; `acpbridge answer \(Table.cell(session.id))` or another client answers it"
                )
                return
            }
        }
    }

    /// Returns true if the line was an answer, or a part of one, or an attempt at one.
    func entered(_ words: String) async throws -> Bool {
        if !client.isConnected, let dialog = state.withLock({ $0.isAnswered ? nil : $0.open }) {
            // A menu takes its keys without Enter, and the request can be void when the bridge is back.
            try output.endQuestion(isAnswered: true)
            try output.ask("Your answer was not sent, because the bridge cannot be reached now. \(dialog.line)")
            return true
        }
        let wasChoosing = state.withLock { $0.open?.isChoosing == true }
        guard let (dialog, step) = state.withLock({ Self.enter(words, &$0) }) else { return false }
        try output.endQuestion(isAnswered: true)
        switch step {
        case .again(let reason):
            let isKept = wasChoosing && !readsLines && Self.isPrompt(words) && output.input.keepForLater(words)
            try output.ask("\(reason)\(isKept ? " Your text is kept for the next prompt." : "") \(dialog.line)")
        case .next: try output.ask(dialog.line)
        case .done(let answer):
            output.input.endAnswer()
            try await send(answer, to: dialog.question)
        }
        return true
    }

    /// A text of several words. A single one, such as `yes` or `allow`, was meant as the answer.
    private static func isPrompt(_ words: String) -> Bool { words.contains(where: \.isWhitespace) }

    private static func enter(_ words: String, _ state: inout State) -> (QuestionDialog, QuestionDialog.Step)? {
        guard !state.isAnswered, var dialog = state.open else { return nil }
        let step = dialog.enter(words)
        state.open = dialog
        if case .done = step { state.isAnswered = true }
        return (dialog, step)
    }

    /// The session that the answer names: the followed one, which names its subagents by their ids. A subagent at another bridge is
    /// named by its journal, because this bridge can have one of the same id. Nil if it is not found.
    private func asker(of question: AgentQuestion) async -> ListedSession? {
        guard session.bridge != nil, let id = question.session, id != session.id else { return session }
        return (try? await client.runningSession(id: id, agent: session.agent) { $0.bridge == session.bridge }) ?? nil
    }

    private func send(_ answer: QuestionAnswer, to question: AgentQuestion) async throws {
        guard let asker = await asker(of: question) else {
            return try output.report(
                "acpbridge: your answer was not sent: its session was not found; `acpbridge answer` lists the requests")
        }
        let arguments =
            question.processArguments(answer)
            ?? asker.arguments(of: asker.id == session.id ? question.session : nil) { writer in
                writer.member("requestId", raw: question.requestId)
                answer.write(to: &writer)
            }
        do throws(BridgeFailure) {
            try await client.mutation(answer.mutation, args: arguments)
        } catch {
            try output.report("acpbridge: your answer was not accepted: \(error)")
            try state.withLock { state in
                if error.error.isForWantOfRole { state.isOff = true }
                guard !state.isOff, var dialog = state.open, dialog.question.requestId == question.requestId,
                    state.pending.isWaiting(question)
                else {
                    return
                }
                // If the request is still open, the user can try again. Otherwise the timeline will end the dialog
                // shortly.
                dialog.restart()
                state.open = dialog
                state.isAnswered = false
                output.input.beginAnswer()
                try output.ask(dialog.line)
            }
        }
    }
}

extension TinyvexError {
    fileprivate var isForWantOfRole: Bool {
        switch self {
        case .server("TVX011", _, _), .unauthorized: true
        default: false
        }
    }
}
