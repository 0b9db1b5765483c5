import EventLoop
import SessionLog

/// The log as the loop sees it: requests with an action for the answer, which runs on the loop.
@LoopActor final class LogClient {
    private let log: SessionLog
    private let wakeUp: WakeUp
    private var listener: WakeUpListener?
    /// What was stored may not outlive a power cut. Comes unasked.
    var syncFailed: @LoopActor (LogError) -> Void = { _ in }
    private var nextTicket: UInt64 = 0
    private var waiting: [UInt64: @LoopActor (Answer) -> Void] = [:]
    /// Answered by the caller's own thread. Apart from the threads' replies, so that an append of one session does not
    /// wait for thousands of replies to another agent's.
    private lazy var answered = sliced()
    private lazy var replies = sliced()

    private typealias Answered = (ticket: UInt64, answer: Answer)

    init(path: String, durability: Durability) throws {
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        log = try SessionLog(path: path, durability: durability) { wakeUp.signal() }
        listener = try wakeUp.listen { [unowned self] in takeReplies() }
    }

    /// See ``SessionLog/damaged``.
    var damaged: (path: String, rescuedSessions: Int)? { log.damaged }

    func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        let ticket = ticket(for: action)
        guard let answer = log.submit(WriteRequest(ticket: ticket, request)) else { return }
        // Not now: the caller is in the midst of something.
        answered.add((ticket, answer))
    }

    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        log.submit(ReadRequest(ticket: ticket(for: action), request))
    }

    /// Every request has been answered.
    var isIdle: Bool { waiting.isEmpty }

    /// Returns once everything that was submitted is stored, or has failed.
    func close() {
        listener?.cancel()
        log.close()
        answered.finish()
        takeReplies()
        replies.finish()
    }

    private func ticket(for action: @escaping @LoopActor (Answer) -> Void) -> UInt64 {
        nextTicket += 1
        waiting[nextTicket] = action
        return nextTicket
    }

    private func takeReplies() { replies.run(log.takeReplies().lazy.map { ($0.ticket, $0.answer) }) }

    /// An agent with thousands of sessions causes as many replies at once.
    private func sliced() -> SlicedWork<Answered> {
        SlicedWork { [weak self] in self?.handle($0) }
    }

    private func handle(_ answered: Answered) {
        if case .syncFailed(let error) = answered.answer { syncFailed(error) }
        waiting.removeValue(forKey: answered.ticket)?(answered.answer)
    }
}
