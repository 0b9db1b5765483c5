import EventLoop
import SessionLog
import SessionRecords

/// The client of a log in this process, whose threads wake the loop up for the answers.
@LoopActor package final class SessionLogClient: LogClient {
    private let log: SessionLog
    private let wakeUp: WakeUp
    private let services: LoopServices
    private var listener: WakeUpListener?
    package var syncFailed: @LoopActor (LogError) -> Void = { _ in }
    package var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    package var filesLost: @LoopActor (LogError) -> Void = { _ in }
    private var nextTicket: UInt64 = 0
    private var waiting: [UInt64: @LoopActor (Answer) -> Void] = [:]
    /// Answers that were given on the caller's own thread. They are separate from the replies of the log's threads, so
    /// that an append of one session does not wait for thousands of replies to another agent.
    private lazy var answered = sliced()
    private lazy var replies = sliced()

    private typealias Answered = (ticket: UInt64, answer: Answer)

    package init(path: String, durability: Durability, services: LoopServices = .main) throws {
        self.services = services
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        log = try SessionLog(path: path, durability: durability) { wakeUp.signal() }
        listener = try wakeUp.listen(on: services.poller) { [unowned self] in handleReplies() }
    }

    package var damaged: (path: String, rescuedSessions: Int)? { log.damaged }

    package func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        let ticket = ticket(for: action)
        guard let answer = log.submit(WriteRequest(ticket: ticket, request)) else { return }
        // Deliver the answer later, because the caller is in the middle of other work.
        answered.add((ticket, answer))
    }

    package func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        log.submit(ReadRequest(ticket: ticket(for: action), request))
    }

    package func checkFiles() { log.checkFiles() }

    package var isIdle: Bool { waiting.isEmpty }

    package func close() {
        listener?.cancel()
        log.close()
        answered.finish()
        handleReplies()
        replies.finish()
    }

    private func ticket(for action: @escaping @LoopActor (Answer) -> Void) -> UInt64 {
        nextTicket += 1
        waiting[nextTicket] = action
        return nextTicket
    }

    private func handleReplies() { replies.run(log.takeReplies().lazy.map { ($0.ticket, $0.answer) }) }

    /// Returns work that is done in slices, because an agent with thousands of sessions causes as many replies at once.
    private func sliced() -> SlicedWork<Answered> {
        SlicedWork(services) { [weak self] in self?.handle($0) }
    }

    private func handle(_ answered: Answered) {
        switch answered.answer {
        case .syncFailed(let error): syncFailed(error)
        case .filesRestored(let paths): filesRestored(paths)
        case .filesLost(let error): filesLost(error)
        default: break
        }
        waiting.removeValue(forKey: answered.ticket)?(answered.answer)
    }
}
