import EventLoop
import LogAccess
import SessionFolding
import SessionRecords
import SessionStreams

/// The folds of the sessions that clients query. Each fold stores the position up to which it has read the log. The
/// next query continues from there, page by page. Between two queries a fold costs nothing, even if its session is
/// active.
@LoopActor final class SessionViews {
    /// The maximum number of folds to keep. Above it, the least recently queried fold is deleted, and built again when
    /// it is needed.
    static let countLimit = 64
    private static let pageBytes = 256 << 10

    private final class View {
        var fold = SessionFold()
        /// The number of the last timeline entry that was processed.
        var seen: Int64 = 0
        var isReading = false
        /// With the number of the last entry that the answer must contain: the newest one at the time of the query.
        var waiting: [(last: Int64, action: @LoopActor (SessionFold?) -> Void)] = []
    }

    private let log: LogClient
    private var views: [Int64: View] = [:]
    /// The sessions' positions in the log, the most recently queried last.
    private var order: [Int64] = []

    init(log: LogClient) { self.log = log }

    /// Passes the fold of all stored entries of the session to `action`, or nil if the log cannot be read.
    func fold(of session: Session, then action: @escaping @LoopActor (SessionFold?) -> Void) {
        guard let sid = session.sid else { return action(nil) }
        let view = view(sid)
        view.waiting.append((session.timelineHead, action))
        if !view.isReading { readOn(view, sid) }
    }

    func forget(_ sid: Int64) {
        views[sid] = nil
        order.removeAll { $0 == sid }
    }

    private func view(_ sid: Int64) -> View {
        order.removeAll { $0 == sid }
        order.append(sid)
        if let view = views[sid] { return view }
        let view = View()
        views[sid] = view
        if order.count > Self.countLimit { views[order.removeFirst()] = nil }
        return view
    }

    private func readOn(_ view: View, _ sid: Int64) {
        finish(view, view.fold) { $0 <= view.seen }
        guard !view.waiting.isEmpty else { return }
        view.isReading = true
        log.read(.timeline(sid: sid, after: view.seen, maxBytes: Self.pageBytes)) { [self] answer in
            view.isReading = false
            guard case .timeline(let page) = answer, let last = page.items.last else {
                return finish(view, nil) { _ in true }
            }
            for item in page.items { view.fold.apply(item) }
            view.seen = last.n
            readOn(view, sid)
        }
    }

    private func finish(_ view: View, _ fold: SessionFold?, _ isDone: (Int64) -> Bool) {
        let done = view.waiting.filter { isDone($0.last) }
        view.waiting.removeAll { isDone($0.last) }
        for query in done { query.action(fold) }
    }
}
