import SessionRecords

/// The writer's knowledge of one incarnation since the incarnation's claim.
package struct ClaimedSession: Sendable {
    package var epoch: Int64
    /// The last update's number.
    package var head: Int64
    package var timelineHead: Int64
    /// True if the session's row holds the session's last time. The next append must then clear that mark.
    package var isSettled: Bool

    /// Counts a row that is added to the session.
    mutating func count(_ row: AppendRow) {
        switch row {
        case .run(_, let count, _, _): countLines(count)
        case .entry: timelineHead += 1
        }
    }

    /// Counts the items of an append. Returns false if the log would refuse to store them: see ``AppendRow/rows(of:)``.
    package mutating func count(_ items: [LogItem]) -> Bool {
        for item in items {
            switch item {
            case .run(let lines, let count, _):
                guard RunSplitter.accepts(lines, count: count) else { return false }
                countLines(count)
            case .entry: timelineHead += 1
            }
        }
        return true
    }

    private mutating func countLines(_ count: Int) {
        head += Int64(count)
        timelineHead += Int64(count)
    }
}

/// The claimed incarnations, in the committed state and in the state that the running transaction would leave. Each
/// incarnation claimed since the start takes about 50 bytes.
package struct ClaimedSessions {
    private var committed: [Int64: ClaimedSession] = [:]
    private var staged: [Int64: ClaimedSession] = [:]

    /// The session in the state that the running transaction has left. Setting changes only the running transaction's
    /// state.
    package subscript(sid: Int64) -> ClaimedSession? {
        get { staged[sid] ?? committed[sid] }
        set { staged[sid] = newValue }
    }

    /// Forgets a deleted incarnation. Nothing is appended to it, whether the deletion is committed or not.
    mutating func forget(_ sid: Int64) {
        committed[sid] = nil
        staged[sid] = nil
    }

    mutating func commit() {
        for (sid, session) in staged { committed[sid] = session }
        rollBack()
    }

    mutating func rollBack() { staged.removeAll(keepingCapacity: true) }
}
