/// The sessions that have stored more than the index knows, and when the index reads them. Pure.
///
/// A message that grows is one text, and a text is indexed whole. So a session is read only after it has been quiet, or
/// when much of it waits. Between two ticks a session costs one look at a table for each append, not for each update.
///
/// The table has one entry for each session with new data, so it is bounded by the sessions in memory.
struct IndexSchedule<Session> {
    /// The state of a session at a tick.
    struct State: Equatable {
        /// The last timeline number.
        let head: Int64
        /// The session has an agent, so it can store more.
        let isLive: Bool
    }

    fileprivate struct Waiting {
        let session: Session
        /// The head at the first tick; nil before it.
        var firstHead: Int64?
        var lastHead: Int64 = 0
        var quietTicks = 0
        var age = 0
    }

    private var waiting: [Int64: Waiting] = [:]

    /// Two ticks without a new item.
    static var quietTicks: Int { 2 }
    /// 2,000 items: about 16 documents of the shortest chunks, so that a busy session never waits for long.
    static var largeAmount: Int64 { 2_000 }
    /// 30 ticks. A session that stores a little in each tick can still be found.
    static var oldestAge: Int { 30 }

    var isEmpty: Bool { waiting.isEmpty }

    /// The sessions that wait.
    var sessions: [Session] { waiting.values.map(\.session) }

    /// Call after a session has stored more.
    mutating func touch(_ sid: Int64, _ session: @autoclosure () -> Session) {
        guard waiting[sid] == nil else { return }
        waiting[sid] = Waiting(session: session())
    }

    mutating func forget(_ sid: Int64) { waiting[sid] = nil }

    /// Call once a second while a session waits. Returns the sessions to read now, which then no longer wait.
    mutating func tick(_ state: (Session) -> State) -> [Session] {
        var due: [Session] = []
        for (sid, var entry) in waiting {
            if entry.advance(to: state(entry.session)) {
                due.append(entry.session)
                waiting[sid] = nil
            } else {
                waiting[sid] = entry
            }
        }
        return due
    }
}

extension IndexSchedule.Waiting {
    /// Returns true if the session must be read now.
    fileprivate mutating func advance(to state: IndexSchedule.State) -> Bool {
        let isFirst = firstHead == nil
        let first = firstHead ?? state.head
        firstHead = first
        quietTicks = !isFirst && state.head == lastHead ? quietTicks + 1 : 0
        lastHead = state.head
        age += 1
        return !state.isLive || quietTicks >= IndexSchedule.quietTicks || age >= IndexSchedule.oldestAge
            || state.head - first >= IndexSchedule.largeAmount
    }
}
