import SessionRecords

extension [WriteRequest.Operation] {
    /// Joins the appends of each session that follow each other, so that small runs can share rows (``SmallRuns``). The
    /// order of a session's items stays the same; that of different sessions does not matter.
    ///
    /// The log then stores all appends that were joined, or none.
    func joiningAppends() -> [WriteRequest.Operation] {
        var joined: [WriteRequest.Operation] = []
        var appends: [JoinedAppend] = []
        var latest: [Int64: Int] = [:]
        for operation in self {
            guard case .append(let sid, let epoch, let after, let items) = operation else {
                joined += appends.map(\.operation) + [operation]
                (appends, latest) = ([], [:])
                continue
            }
            if let index = latest[sid], appends[index].isFollowed(byEpoch: epoch, after: after) {
                appends[index].add(items)
            } else {
                latest[sid] = appends.count
                appends.append(JoinedAppend(sid: sid, epoch: epoch, after: after, items: items))
            }
        }
        return joined + appends.map(\.operation)
    }
}

private struct JoinedAppend {
    let sid: Int64
    let epoch: Int64
    let after: Int64
    private var items: [LogItem] = []
    /// The number of the last update.
    private var head: Int64

    init(sid: Int64, epoch: Int64, after: Int64, items: [LogItem]) {
        (self.sid, self.epoch, self.after, head) = (sid, epoch, after, after)
        add(items)
    }

    var operation: WriteRequest.Operation { .append(sid: sid, epoch: epoch, after: after, items: items) }

    func isFollowed(byEpoch epoch: Int64, after: Int64) -> Bool { self.epoch == epoch && head == after }

    mutating func add(_ more: [LogItem]) {
        items += more
        for item in more { head &+= Int64(item.lineCount) }
    }
}
