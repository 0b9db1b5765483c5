import EventLoop
import SessionLog
import SessionRecords

/// The client of a log in this process. The log's threads wake the loop up for the answers.
@LoopActor package final class SessionLogClient: LogClient {
    private let log: SessionLog
    private let wakeUp: WakeUp
    private let services: LoopServices
    private var listener: WakeUpListener?
    package var syncFailed: @LoopActor (LogError?) -> Void = { _ in }
    package var filesRestored: @LoopActor ([String]) -> Void = { _ in }
    package var filesLost: @LoopActor (LogError) -> Void = { _ in }
    private var nextTicket: UInt64 = 0
    /// The turn of the loop in which an append was last answered at once.
    private var latestTurn = -1
    private var waiting: [UInt64: @LoopActor (Answer) -> Void] = [:]
    /// Answers that were given on the caller's own thread. They are separate from the replies of the log's threads, so
    /// that an append of one session does not wait for thousands of replies to another agent.
    private let answered: SlicedWork
    /// The replies of the log's threads. An agent with thousands of sessions causes as many at once.
    private let replies: SlicedWork

    /// A log that is being opened on its own thread: see ``LogOpening``.
    package struct Opening {
        fileprivate let log: LogOpening
        fileprivate let wakeUp: WakeUp

        package init(path: String, durability: Durability, marksInterruptions: Bool = false) throws {
            let wakeUp = try WakeUp()
            log = try LogOpening(path: path, durability: durability, marksInterruptions: marksInterruptions) {
                wakeUp.signal()
            }
            self.wakeUp = wakeUp
        }
    }

    package convenience init(path: String, durability: Durability, services: LoopServices = .main) throws {
        try self.init(Opening(path: path, durability: durability), services: services)
    }

    /// Blocks until the log is open.
    package init(_ opening: Opening, services: LoopServices) throws {
        self.services = services
        answered = SlicedWork(services)
        replies = SlicedWork(services)
        wakeUp = opening.wakeUp
        log = try SessionLog(opening.log)
        listener = try wakeUp.listen(on: services.poller) { [unowned self] in handleReplies() }
    }

    package var damaged: (path: String, rescuedSessions: Int)? { log.damaged }

    package func write(_ request: WriteRequest.Operation, then action: @escaping @LoopActor (Answer) -> Void) {
        nextTicket += 1
        let request = WriteRequest(ticket: nextTicket, request)
        guard let stored = log.submit(request) else {
            // The reply cannot have been handled yet, because replies are handled on this thread.
            waiting[nextTicket] = action
            return
        }
        if mayAnswerAtOnce(request) {
            deliver(stored, to: action)
        } else {
            answered.add { [self] in deliver(stored, to: action) }
        }
    }

    /// True for one append of each turn, if it is a few updates of a slow session.
    ///
    /// A larger append is a part of a flood, whose next part grows while this answer waits for the next turn. And an agent
    /// can write to thousands of sessions at once.
    private func mayAnswerAtOnce(_ request: WriteRequest) -> Bool {
        let turn = services.time.turnCount
        guard turn != latestTurn, request.costBytes <= Self.atOnceBytes, answered.isEmpty else { return false }
        latestTurn = turn
        return true
    }

    /// 2 KiB, of which 256 bytes are counted for the append itself: some five updates.
    private static let atOnceBytes = 2 << 10

    private func deliver(_ stored: StoredAppend, to action: @LoopActor (Answer) -> Void) {
        action(stored.answer)
        if stored.mustWakeWriter { log.wakeWriter() }
    }

    package func read(_ request: ReadRequest.Query, then action: @escaping @LoopActor (Answer) -> Void) {
        nextTicket += 1
        waiting[nextTicket] = action
        log.submit(ReadRequest(ticket: nextTicket, request))
    }

    package func checkFiles() { log.checkFiles() }

    package var isIdle: Bool { waiting.isEmpty && answered.isEmpty }

    package func close() {
        listener?.cancel()
        log.close()
        answered.finish()
        handleReplies()
        replies.finish()
    }

    private func handleReplies() {
        replies.run(log.takeReplies()) { [weak self] in self?.handle($0) }
    }

    private func handle(_ reply: LogReply) {
        switch reply.answer {
        case .syncFailed(let error): syncFailed(error)
        case .filesRestored(let paths): filesRestored(paths)
        case .filesLost(let error): filesLost(error)
        default: break
        }
        waiting.removeValue(forKey: reply.ticket)?(reply.answer)
    }
}
