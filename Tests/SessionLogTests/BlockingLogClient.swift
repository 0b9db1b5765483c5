import Posix
import SessionRecords
import Testing

@testable import SessionLog

/// A log and a caller that waits for each reply, unlike the event loop. The log wakes the caller; no clock does.
final class BlockingLogClient {
    let log: SessionLog
    private let woken = Handoffs()
    private var lastTicket: UInt64 = 0
    private var collected: [UInt64: Answer] = [:]
    /// Answers without a request.
    private var unasked: [Answer] = []

    init(_ path: String, durability: Durability = .normal, marksInterruptions: Bool = false) throws(LogError) {
        log = try SessionLog(
            LogOpening(
                path: path, durability: durability, marksInterruptions: marksInterruptions, wake: woken.wake))
    }

    deinit { log.close() }

    func submit(_ operation: WriteRequest.Operation) -> UInt64 {
        lastTicket += 1
        if let stored = log.submit(WriteRequest(ticket: lastTicket, operation)) {
            collected[lastTicket] = stored.answer
            if stored.mustWakeWriter { log.wakeWriter() }
        }
        return lastTicket
    }

    func submit(_ query: ReadRequest.Query) -> UInt64 {
        lastTicket += 1
        log.submit(ReadRequest(ticket: lastTicket, query))
        return lastTicket
    }

    func answer(to ticket: UInt64) -> Answer {
        while true {
            if let answer = collected.removeValue(forKey: ticket) { return answer }
            woken.wait()
            for reply in log.takeReplies() {
                if reply.ticket == 0 { unasked.append(reply.answer) } else { collected[reply.ticket] = reply.answer }
            }
        }
    }

    /// Returns the answers without a request that arrived before `body` returned.
    func unasked(until body: () throws -> Void) rethrows -> [Answer] {
        try body()
        return unasked
    }

    /// Returns immediately.
    func hasAnswer(to ticket: UInt64) -> Bool {
        collected[ticket] != nil
    }

    func ask(_ operation: WriteRequest.Operation) -> Answer { answer(to: submit(operation)) }
    func ask(_ query: ReadRequest.Query) -> Answer { answer(to: submit(query)) }
}

/// Receives the wake-ups that the log posts through `wake`.
private final class Handoffs: Sendable {
    private let semaphore = Semaphore()
    var wake: @Sendable () -> Void { { self.semaphore.post() } }
    func wait() { semaphore.wait() }
}

/// The answer's kind is not the one that the test expects.
struct UnexpectedAnswer: Error {
    let answer: Answer
}

extension BlockingLogClient {
    func claim(
        _ sessionId: String = "s", agent: String = "demo", mode: ClaimMode = .fresh,
        facts: SessionFacts = SessionFacts()
    ) throws -> Lease {
        let answer = ask(.claim(agent: agent, sessionId: sessionId, mode: mode, facts: facts))
        guard case .claimed(let lease) = answer else { throw UnexpectedAnswer(answer: answer) }
        return lease
    }

    /// Ends the session as if its agent had gone.
    func end(_ lease: Lease) throws {
        let answer = ask(.describe(sid: lease.sid, facts: SessionFacts(state: .ended, exit: "exit:0")))
        guard answer == .described else { throw UnexpectedAnswer(answer: answer) }
    }

    @discardableResult
    func append(_ lease: Lease, after: Int64, _ items: [LogItem]) throws -> (head: Int64, timelineHead: Int64) {
        let answer = ask(.append(sid: lease.sid, epoch: lease.epoch, after: after, items: items))
        guard case .appended(let head, let timelineHead) = answer else { throw UnexpectedAnswer(answer: answer) }
        return (head, timelineHead)
    }

    func page(_ sid: Int64, from: Int64 = 1, maxBytes: Int = ReadLimit.pageBytes) throws -> UpdatePage {
        let answer = ask(.page(sid: sid, from: from, maxBytes: maxBytes))
        guard case .page(let page) = answer else { throw UnexpectedAnswer(answer: answer) }
        return page
    }

    func timeline(
        _ sid: Int64, after: Int64 = 0, through: Int64 = .max, maxBytes: Int = ReadLimit.pageBytes
    ) throws -> TimelinePage {
        let answer = ask(.timeline(sid: sid, after: after, through: through, maxBytes: maxBytes))
        guard case .timeline(let page) = answer else { throw UnexpectedAnswer(answer: answer) }
        return page
    }

    func updates(
        _ sid: Int64, _ start: HistoryStart, limit: Int = 1000, _ direction: HistoryDirection = .forward
    ) throws -> HistoryPage {
        let answer = ask(.updates(sid: sid, start: start, limit: limit, direction: direction))
        guard case .updates(let page) = answer else { throw UnexpectedAnswer(answer: answer) }
        return page
    }

    func sessions(liveOnly: Bool = false, limit: Int = 1000) throws -> [SessionRecord] {
        try recent(liveOnly: liveOnly, limit: limit).records
    }

    func recent(
        liveOnly: Bool = false, limit: Int = 1000, after position: ListingPosition? = nil
    ) throws -> SessionListing {
        let answer = ask(.sessions(liveOnly: liveOnly, limit: limit, after: position))
        guard case .listing(let listing) = answer else { throw UnexpectedAnswer(answer: answer) }
        return listing
    }

    func list(
        _ filter: SessionFilter = SessionFilter(), offset: Int = 0, limit: Int = 1000,
        after position: ListingPosition? = nil
    ) throws -> SessionListing {
        let answer = ask(.list(filter, offset: offset, limit: limit, after: position))
        guard case .listing(let listing) = answer else { throw UnexpectedAnswer(answer: answer) }
        return listing
    }

    func find(_ sessionId: String, agent: String? = nil) throws -> [SessionRecord] {
        let answer = ask(.find(sessionId: sessionId, agent: agent))
        guard case .sessions(let records) = answer else { throw UnexpectedAnswer(answer: answer) }
        return records
    }

    func incarnation(_ sid: Int64) throws -> [SessionRecord] {
        let answer = ask(.incarnation(sid: sid))
        guard case .sessions(let records) = answer else { throw UnexpectedAnswer(answer: answer) }
        return records
    }

    func position(_ sid: Int64, _ journal: Journal, _ seq: Int64) -> Answer {
        ask(.position(sid: sid, journal: journal, seq: seq))
    }
}

extension LogItem {
    static func run(_ lines: [String], ts: Int64 = 1_000) -> LogItem {
        .run(lines: lines.flatMap { Array($0.utf8) + [10] }, count: lines.count, ts: ts)
    }

    static func entry(_ kind: String, _ body: String = "", ts: Int64 = 1_000) -> LogItem {
        .entry(kind: kind, body: Array(body.utf8), ts: ts)
    }
}

/// "1\n2\n…": lines that contain their own numbers.
func numbered(_ range: ClosedRange<Int64>) -> [String] { range.map { "\($0)" } }
