import BridgeRequests
import Glibc
import JSONScan
import SessionOutput
import SessionText
import Synchronization
import TerminalIO
import TinyvexMachine
import TinyvexSync

/// Shows the agent's permission requests to the user at the terminal.
///
/// The session's timeline contains the requests and all answers, from any client. A dialog ends when its answer
/// appears, and then the next dialog begins. Without an open dialog nothing is read from the terminal, unless the owner
/// reads it all the time.
package final class TerminalDialogs: Sendable {
    private struct State {
        var pending = PendingPermissions()
        var open: PermissionQuestion?
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
    private let input: TerminalInput
    private let readsLines: Bool

    /// - Parameter readsLines: false if the owner passes each line to `entered`.
    init(
        _ client: CommandClient, _ session: ListedSession, _ output: AttachOutput,
        input: TerminalInput = TerminalInput(),
        readsLines: Bool = true
    ) {
        self.client = client
        self.session = session
        self.output = output
        self.input = input
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

    /// Call with the pieces that have been shown.
    package func note(_ batch: [StreamPiece]) throws {
        // While a single turn is printed, use only that turn's entries.
        guard output.turn?.hasBegun != false else { return }
        let entries = batch.entries
        state.withLock { state in
            for entry in entries { state.pending.note(entry) }
        }
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
            if let open = state.open, !state.pending.isWaiting(open) { try close(&state) }
            guard state.open == nil, !state.isOff, output.isCaughtUp, TerminalInput.isInForeground,
                let question = state.pending.first
            else { return }
            state.open = question
            input.forget()
            try output.ask(question.line)
            if readsLines { state.reading = Task(executorPreference: client.loop) { [self] in await read() } }
        }
    }

    private func close(_ state: inout State) throws {
        guard state.open != nil else { return }
        if !state.isAnswered { try output.endQuestion(isAnswered: false) }
        state.open = nil
        state.isAnswered = false
        state.reading?.cancel()
        state.reading = nil
    }

    // MARK: Input of the user

    private func read() async {
        while isOpen {
            switch await input.next(client.loop) {
            case .line(let words): _ = try? await entered(words)
            case .cancelled: return
            case .end:
                try? end()
                try? output.report("acpbridge: the terminal was closed; other clients can still answer")
                return
            }
        }
    }

    /// Returns true if the line was an answer, or an attempt at one.
    func entered(_ words: String) async throws -> Bool {
        guard let question = state.withLock({ $0.isAnswered ? nil : $0.open }) else { return false }
        guard let option = question.option(for: words.trimmed) else {
            try output.endQuestion(isAnswered: true)
            try output.ask("Type 1 to \(question.options.count). \(question.line)")
            return true
        }
        state.withLock { $0.isAnswered = true }
        try output.endQuestion(isAnswered: true)
        try await answer(question, option)
        return true
    }

    private func answer(_ question: PermissionQuestion, _ option: PermissionOption) async throws {
        let arguments = session.arguments { writer in
            writer.member("requestId", raw: question.requestId)
            writer.memberObject("outcome") { writer in
                writer.member("outcome", "selected")
                writer.member("optionId", option.id)
            }
        }
        do throws(BridgeFailure) {
            try await client.mutation("permissions:answer", args: arguments)
        } catch {
            try output.report("acpbridge: your answer was not accepted: \(error)")
            try state.withLock { state in
                if error.error.isForWantOfRole { state.isOff = true }
                guard !state.isOff, state.open?.requestId == question.requestId, state.pending.isWaiting(question)
                else {
                    return
                }
                // If the request is still open, the user can try again. Otherwise the timeline will end the dialog
                // shortly.
                state.isAnswered = false
                try output.ask(question.line)
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

extension String {
    fileprivate var trimmed: String {
        let words = drop(while: \.isWhitespace)
        return String(words[..<(words.lastIndex { !$0.isWhitespace }.map(words.index(after:)) ?? words.startIndex)])
    }
}
