/// The sessions that have stored more than the index knows, and when the index reads them. Pure.
///
/// A message that grows is one text, and a text is indexed whole. So a session that writes fast is read only after it has
/// been quiet, or when much of it waits. One that writes at a person's pace is read about once a second, so that new text
/// is found at once; how many of these are read is limited. Between two ticks a session costs one look at a table for each
/// append, not for each update.
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
    /// A session that waits. A busy session is found here without a look at the table.
    private var lastTouched: Int64?

    /// The interval between two ticks is 250 ms.
    static var tick: Duration { .milliseconds(250) }
    /// Two ticks without a new item.
    static var quietTicks: Int { 2 }
    /// 2,000 items: about 16 documents of the shortest chunks, so that a busy session never waits for long.
    static var largeAmount: Int64 { 2_000 }
    /// 20 ticks, 5 s. A session that stores a little in each tick can still be found.
    static var oldestAge: Int { 20 }
    /// A session with fewer new items after three ticks, thus with fewer than 200 items a second, is slow.
    static var slowAmount: Int64 { 100 }
    static var slowAge: Int { 3 }
    /// Slow sessions that are read at one tick: 64 a second, which is some 2 % of a processor. If more of them write, each
    /// one waits longer.
    static var slowLimit: Int { 16 }

    var isEmpty: Bool { waiting.isEmpty }

    /// The sessions that wait.
    var sessions: [Session] { waiting.values.map(\.session) }

    /// Call after a session has stored more.
    mutating func touch(_ sid: Int64, _ session: @autoclosure () -> Session) {
        guard sid != lastTouched else { return }
        lastTouched = sid
        guard waiting[sid] == nil else { return }
        waiting[sid] = Waiting(session: session())
    }

    mutating func forget(_ sid: Int64) {
        waiting[sid] = nil
        lastTouched = nil
    }

    /// Call once in each ``tick`` while a session waits. Returns the sessions to read now, which then no longer wait.
    mutating func advance(_ state: (Session) -> State) -> [Session] {
        var due: [Int64] = []
        var slow: [(sid: Int64, age: Int)] = []
        lastTouched = nil
        for (sid, var entry) in waiting {
            switch entry.advance(to: state(entry.session)) {
            case .later: break
            case .ifSlow: slow.append((sid, entry.age))
            case .now: due.append(sid)
            }
            waiting[sid] = entry
        }
        if slow.count > Self.slowLimit { slow.sort { $0.age > $1.age } }
        due += slow.prefix(Self.slowLimit).map(\.sid)
        return due.compactMap { waiting.removeValue(forKey: $0)?.session }
    }
}

/// When a session is read.
private enum IndexTurn {
    case now
    /// Now, unless too many slow sessions have waited for longer.
    case ifSlow
    case later
}

extension IndexSchedule.Waiting {
    fileprivate mutating func advance(to state: IndexSchedule.State) -> IndexTurn {
        let isFirst = firstHead == nil
        let first = firstHead ?? state.head
        firstHead = first
        quietTicks = !isFirst && state.head == lastHead ? quietTicks + 1 : 0
        lastHead = state.head
        age += 1
        let amount = state.head - first
        if !state.isLive || quietTicks >= IndexSchedule.quietTicks || age >= IndexSchedule.oldestAge
            || amount >= IndexSchedule.largeAmount
        {
            return .now
        }
        return age >= IndexSchedule.slowAge && amount < IndexSchedule.slowAmount ? .ifSlow : .later
    }
}
