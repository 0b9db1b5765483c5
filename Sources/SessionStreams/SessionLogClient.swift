import EventLoop
import SessionLog
import SessionRecords

/// The client of a log in this process. The log's threads wake the loop up for the answers.
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
    private let answered: SlicedWork
    /// The replies of the log's threads. An agent with thousands of sessions causes as many at once.
    private let replies: SlicedWork

    /// A log that is being opened on its own thread: see ``LogOpening``.
    package struct Opening {
        fileprivate let log: LogOpening
        fileprivate let wakeUp: WakeUp

        package init(path: String, durability: Durability) throws {
            let wakeUp = try WakeUp()
            log = try LogOpening(path: path, durability: durability) { wakeUp.signal() }
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
        guard let stored = log.submit(WriteRequest(ticket: nextTicket, request)) else {
            // The reply cannot have been handled yet, because replies are handled on this thread.
            waiting[nextTicket] = action
            return
        }
        // Deliver the answer later, because the caller is in the middle of other work.
        answered.add { [log] in
            action(stored.answer)
            log.wake(stored.wakes)
        }
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
