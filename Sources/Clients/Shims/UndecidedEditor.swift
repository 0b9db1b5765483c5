import Agents
import EventLoop

/// The lines of an editor that has not chosen between a kept agent and an agent of its own.
@LoopActor final class UndecidedEditor {
    enum Outcome {
        /// The editor gets its own agent. `unanswered` are the bytes that the bridge has not answered.
        case startAgent(answered: [UInt8], unanswered: [UInt8])
        /// The editor takes over the kept agent. These bytes are its next lines.
        case takeOver([UInt8])
        /// The editor has closed its input, and all of its lines are answered.
        case end
    }

    private var choice: EditorChoice
    /// Bytes that are neither answered nor passed on: one chunk, and an unfinished line of at most
    /// ``EditorChoice/lineLimitBytes``.
    private var unread: [UInt8]
    /// A line is being answered. The next line is examined after the answer.
    private(set) var awaitsAnswer = false
    private var hasInputEnded = false
    private let offer: @LoopActor () -> EditorChoice.Offer
    /// Answers a line.
    private let answer: @LoopActor ([UInt8]) -> Void
    private let decided: @LoopActor (Outcome) -> Void

    /// - Parameter decided: Called once. No other function may be called after it.
    init(
        _ state: State = State(), offer: @escaping @LoopActor () -> EditorChoice.Offer,
        answer: @escaping @LoopActor ([UInt8]) -> Void, decided: @escaping @LoopActor (Outcome) -> Void
    ) {
        (choice, unread) = (state.choice, state.unread)
        self.offer = offer
        self.answer = answer
        self.decided = decided
    }

    struct State: Codable {
        var choice = EditorChoice()
        var unread: [UInt8] = []
    }

    /// The state for the hand-over to another program. Nil while a line is being answered.
    var state: State? { awaitsAnswer ? nil : State(choice: choice, unread: unread) }

    func wrote(_ chunk: UnsafeRawBufferPointer) {
        unread += chunk
        examine()
    }

    func endedInput() {
        hasInputEnded = true
        examine()
    }

    /// Call when a line has been answered.
    func wasAnswered() {
        awaitsAnswer = false
        examine()
    }

    private func examine() {
        guard !awaitsAnswer else { return }
        guard let end = unread.firstIndex(of: 0x0a) else { return examineUnfinished() }
        let line = Array(unread[..<end])
        switch choice.step(line, offer()) {
        case .answer:
            unread.removeFirst(end + 1)
            awaitsAnswer = true
            answer(line)
        case .takeOver: decided(.takeOver(unread))
        case .startAgent: startAgent()
        }
    }

    private func examineUnfinished() {
        if unread.count > EditorChoice.lineLimitBytes { return startAgent() }
        guard hasInputEnded else { return }
        if unread.isEmpty, !choice.answered.isEmpty { decided(.end) } else { startAgent() }
    }

    private func startAgent() { decided(.startAgent(answered: choice.answered, unanswered: unread)) }
}
