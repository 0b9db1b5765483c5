/// The subagents of a session that are shown with it.
package struct SubagentSelection: Sendable {
    let agent: String
    /// The first update of the session that is shown. A subagent's earlier updates are not shown.
    let firstSeq: Int64

    package init(agent: String, firstSeq: Int64 = 1) {
        self.agent = agent
        self.firstSeq = firstSeq
    }
}

/// The part of a subagent's timeline that belongs to a session, and the part of that which is shown. In milliseconds since
/// 1970.
struct SubagentPart: Equatable {
    let announced: Int64
    let shown: Int64
}

/// Decides which subagents of a session are followed, and from which time on they are shown. Pure.
struct SubagentStarts {
    struct Start: Equatable {
        let id: String
        let part: SubagentPart

        /// The same, but not shown before this time.
        func shown(since time: Int64) -> Start {
            Start(id: id, part: SubagentPart(announced: part.announced, shown: max(part.shown, time)))
        }
    }

    /// 64 subagents that were announced in a part that is not shown. Further ones are not followed.
    private static let limit = 64

    private let firstSeq: Int64
    private var early: [(id: String, announced: Int64)] = []
    /// The time of the last entry.
    private var lastTime: Int64 = 0
    private var isBegun = false

    init(firstSeq: Int64) { self.firstSeq = firstSeq }

    /// Call with the entries of the session's timeline. Returns the subagents to follow from now on.
    mutating func note(_ entry: TimelineValue) -> [Start] {
        lastTime = entry.time
        let begun = entry.isUpdate && entry.seq >= firstSeq ? begin(at: entry.time) : []
        guard entry.updateKind == "subagent_update", let id = entry.update?["sessionId"]?.stringValue else {
            return begun
        }
        if isBegun { return begun + [Start(id: id, part: SubagentPart(announced: entry.time, shown: entry.time))] }
        if early.count < Self.limit { early.append((id, entry.time)) }
        return []
    }

    /// Call when all stored entries have arrived: what follows is shown.
    mutating func caughtUp() -> [Start] { begin(at: lastTime + 1) }

    private mutating func begin(at time: Int64) -> [Start] {
        guard !isBegun else { return [] }
        isBegun = true
        defer { early = [] }
        return early.map { Start(id: $0.id, part: SubagentPart(announced: $0.announced, shown: time)) }
    }
}
