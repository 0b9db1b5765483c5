/// The sessions that have stored more than the index knows, and when the index reads them. Pure.
///
/// A search reads the sessions that wait before it looks for words (``takeAll()``), so the schedule only has to limit how
/// much a search must read. A session that writes is read after 4 to 6 s: each read costs as much as some updates, and wakes
/// four threads. A message that grows is one text, of which at most 4 KiB are indexed again at each read. So the number of
/// sessions that are read while they write is limited, and others wait until they are quiet, or have much to read. Between
/// two ticks a session costs one look at a table for each append, not for each update.
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

    /// The interval between two ticks is 2 s.
    static var tick: Duration { .seconds(2) }
    /// Two ticks without a new item.
    static var quietTicks: Int { 2 }
    /// 2,000 items: about 16 documents of the shortest chunks, so that a busy session never waits for long.
    static var largeAmount: Int64 { 2_000 }
    /// 20 ticks, 40 s. A session that stores a little in each tick is read, too.
    static var oldestAge: Int { 20 }
    /// Three ticks, 4 to 6 s. A session that still writes is then read.
    static var writingAge: Int { 3 }
    /// Sessions that are read at one tick while they write: 8 a second, which is less than 1 % of a processor. If more of them
    /// write, each one waits longer.
    static var writingLimit: Int { 16 }

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

    /// Returns all sessions that wait, which then no longer wait.
    mutating func takeAll() -> [Session] {
        defer { self = IndexSchedule() }
        return sessions
    }

    /// Call once in each ``tick`` while a session waits. Returns the sessions to read now, which then no longer wait.
    mutating func advance(_ state: (Session) -> State) -> [Session] {
        var due: [Int64] = []
        var writing: [(sid: Int64, age: Int)] = []
        lastTouched = nil
        for (sid, var entry) in waiting {
            switch entry.advance(to: state(entry.session)) {
            case .later: break
            case .inTurn: writing.append((sid, entry.age))
            case .now: due.append(sid)
            }
            waiting[sid] = entry
        }
        if writing.count > Self.writingLimit { writing.sort { $0.age > $1.age } }
        due += writing.prefix(Self.writingLimit).map(\.sid)
        return due.compactMap { waiting.removeValue(forKey: $0)?.session }
    }
}

/// When a session is read.
private enum IndexTurn {
    case now
    /// Now, unless too many sessions have waited for longer.
    case inTurn
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
        return age >= IndexSchedule.writingAge ? .inTurn : .later
    }
}
