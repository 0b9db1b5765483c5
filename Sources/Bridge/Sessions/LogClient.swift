import EventLoop
import SessionLog

/// The log as the loop sees it: requests with an action for the answer, which runs on the loop.
@LoopActor final class LogClient {
    private let log: SessionLog
    private let wakeUp: WakeUp
    private var listener: WakeUpListener?
    /// What was stored may not outlive a power cut. Comes unasked.
    var syncFailed: @LoopActor (LogError) -> Void = { _ in }
    /// Files of the log had lost their names, and were put back. Comes unasked.
    var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    /// The same, and they cannot be put back: nothing is stored.
    var filesLost: @LoopActor (LogError) -> Void = { _ in }
    private var nextTicket: UInt64 = 0
    private var waiting: [UInt64: @LoopActor (Answer) -> Void] = [:]
    /// Answered already.
    private var answered: [(ticket: UInt64, answer: Answer)] = []

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
        answered.append((ticket, answer))
        // Not now: the caller is in the midst of something.
        if answered.count == 1 { EventLoop.main.schedule(after: .zero) { [weak self] in self?.takeAnswered() } }
    }

    func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        log.submit(ReadRequest(ticket: ticket(for: action), request))
    }

    /// See ``SessionLog/checkFiles()``.
    func checkFiles() { log.checkFiles() }

    /// Every request has been answered.
    var isIdle: Bool { waiting.isEmpty }

    /// Returns once everything that was submitted is stored, or has failed.
    func close() {
        listener?.cancel()
        log.close()
        takeAnswered()
        takeReplies()
    }

    private func ticket(for action: @escaping @LoopActor (Answer) -> Void) -> UInt64 {
        nextTicket += 1
        waiting[nextTicket] = action
        return nextTicket
    }

    private func takeAnswered() {
        let answered = answered
        self.answered = []
        for (ticket, answer) in answered { waiting.removeValue(forKey: ticket)?(answer) }
    }

    private func takeReplies() {
        for reply in log.takeReplies() {
            switch reply.answer {
            case .syncFailed(let error): syncFailed(error)
            case .filesRestored(let paths): filesRestored(paths)
            case .filesLost(let error): filesLost(error)
            default: break
            }
            waiting.removeValue(forKey: reply.ticket)?(reply.answer)
        }
    }
}
