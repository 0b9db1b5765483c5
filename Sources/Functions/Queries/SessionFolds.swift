import EventLoop
import LogAccess
import SessionFolding
import SessionRecords
import SessionStreams

/// The folds of the sessions that clients query. Each fold stores the position up to which it has read the log. The
/// next query continues from there, page by page. Between two queries a fold costs nothing, even if its session is
/// active.
@LoopActor final class SessionFolds {
    /// The maximum number of folds to keep. Above it, the least recently queried fold is deleted, and built again when
    /// it is needed.
    static let countLimit = 64
    private static let pageBytes = 256 << 10

    private final class Reading {
        var fold = SessionFold()
        /// The number of the last timeline entry that was processed.
        var seen: Int64 = 0
        var isReading = false
        /// With the number of the last entry that the answer must contain: the newest one at the time of the query.
        var waiting: [(last: Int64, action: @LoopActor (SessionFold?) -> Void)] = []
    }

    private let log: LogClient
    private var readings: [Int64: Reading] = [:]
    /// The sessions' positions in the log, the most recently queried last.
    private var order: [Int64] = []

    init(log: LogClient) { self.log = log }

    /// Passes the fold of all stored entries of the session to `action`, or nil if the log cannot be read.
    func fold(of session: Session, then action: @escaping @LoopActor (SessionFold?) -> Void) {
        guard let sid = session.sid else { return action(nil) }
        let reading = reading(sid)
        reading.waiting.append((session.timelineHead, action))
        if !reading.isReading { readOn(reading, sid) }
    }

    func forget(_ sid: Int64) {
        readings[sid] = nil
        order.removeAll { $0 == sid }
    }

    private func reading(_ sid: Int64) -> Reading {
        order.removeAll { $0 == sid }
        order.append(sid)
        if let reading = readings[sid] { return reading }
        let reading = Reading()
        readings[sid] = reading
        if order.count > Self.countLimit { readings[order.removeFirst()] = nil }
        return reading
    }

    private func readOn(_ reading: Reading, _ sid: Int64) {
        finish(reading, reading.fold) { $0 <= reading.seen }
        guard !reading.waiting.isEmpty else { return }
        reading.isReading = true
        log.read(.timeline(sid: sid, after: reading.seen, maxBytes: Self.pageBytes)) { [self] answer in
            reading.isReading = false
            guard case .timeline(let page) = answer, let last = page.items.last else {
                return finish(reading, nil) { _ in true }
            }
            for item in page.items { reading.fold.apply(item) }
            reading.seen = last.n
            readOn(reading, sid)
        }
    }

    private func finish(_ reading: Reading, _ fold: SessionFold?, _ isDone: (Int64) -> Bool) {
        let done = reading.waiting.filter { isDone($0.last) }
        reading.waiting.removeAll { isDone($0.last) }
        for query in done { query.action(fold) }
    }
}
