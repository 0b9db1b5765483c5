import EventLoop
import SessionLog

/// The folds of the sessions that somebody asks about. Each knows how far it has come, and goes on from there, page by
/// page from the log, when it is asked for again: between two looks it costs nothing, whatever its session does.
@LoopActor final class SessionViews {
    /// Sessions whose folds are kept; of more the one not asked for longest goes, and is made anew when wanted.
    static let countLimit = 64
    private static let pageBytes = 256 << 10

    private final class View {
        var fold = SessionFold()
        /// The timeline number that was seen last.
        var seen: Int64 = 0
        var isReading = false
        var waiting: [@LoopActor (SessionFold?) -> Void] = []
    }

    private let log: LogClient
    private var views: [Int64: View] = [:]
    /// By their places in the log, the one asked for last at the end.
    private var order: [Int64] = []

    init(log: LogClient) { self.log = log }

    /// The session's fold as far as it is stored; nil when the log cannot be read.
    func fold(of session: Session, then action: @escaping @LoopActor (SessionFold?) -> Void) {
        guard let sid = session.sid else { return action(nil) }
        let view = view(sid)
        view.waiting.append(action)
        if !view.isReading { readOn(view, session, sid) }
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

    private func readOn(_ view: View, _ session: Session, _ sid: Int64) {
        guard view.seen < session.timelineHead else { return finish(view, view.fold) }
        view.isReading = true
        log.read(.timeline(sid: sid, after: view.seen, maxBytes: Self.pageBytes)) { [self] answer in
            view.isReading = false
            guard case .timeline(let page) = answer, let last = page.items.last else { return finish(view, nil) }
            for item in page.items { view.fold.take(item) }
            view.seen = last.n
            readOn(view, session, sid)
        }
    }

    private func finish(_ view: View, _ fold: SessionFold?) {
        let waiting = view.waiting
        view.waiting = []
        for action in waiting { action(fold) }
    }
}
