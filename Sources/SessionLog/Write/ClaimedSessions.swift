/// What the writer knows of one life since its claim.
struct ClaimedSession {
    var epoch: Int64
    /// The last update's number.
    var head: Int64
    var timelineHead: Int64
    /// The session's row holds its last time, so the next append must take that back.
    var isSettled: Bool

    /// As it is with the row added.
    mutating func count(_ row: AppendRow) {
        switch row {
        case .run(_, let count, _):
            head += Int64(count)
            timelineHead += Int64(count)
        case .entry: timelineHead += 1
        }
    }
}

/// The claimed lives, as committed and as the running transaction would leave them. Some 50 bytes for each claimed
/// since start.
struct ClaimedSessions {
    private var committed: [Int64: ClaimedSession] = [:]
    private var staged: [Int64: ClaimedSession] = [:]

    /// As the running transaction has left it. Setting stages.
    subscript(sid: Int64) -> ClaimedSession? {
        get { staged[sid] ?? committed[sid] }
        set { staged[sid] = newValue }
    }

    /// It was deleted. Nothing is appended to it, whether that is committed or not.
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
