import SessionRecords

/// Selects the waiting requests for the next transaction. Pure.
///
/// Small appends go first, in a transaction of their own. Then large requests have a turn, then small appends again. So
/// a session with few requests never waits for more than one transaction of busy sessions, and neither group keeps the
/// other from its turn.
///
/// An append can overtake all requests of other sessions. Its own session has no waiting request that it must not
/// overtake, because a session has one append in flight and makes its claim before. All other requests keep their
/// order.
struct WriteQueue {
    /// 128 KiB in a transaction: less than a millisecond. A larger request has a transaction of its own.
    static let transactionBytes = 128 << 10

    private var small: [WriteRequest] = []
    private var others: [WriteRequest] = []
    private var isTurnOfOthers = false

    var isEmpty: Bool { small.isEmpty && others.isEmpty }

    mutating func add(_ request: WriteRequest) {
        if request.isSmallAppend {
            small.append(request)
        } else {
            others.append(request)
        }
    }

    /// Returns the next requests in the order in which they must be handled. Empty when nothing waits.
    mutating func takeBatch() -> [WriteRequest] {
        isTurnOfOthers = small.isEmpty || (isTurnOfOthers && !others.isEmpty)
        defer { isTurnOfOthers.toggle() }
        return isTurnOfOthers ? Self.takeBatch(of: &others) : Self.takeBatch(of: &small)
    }

    private static func takeBatch(of requests: inout [WriteRequest]) -> [WriteRequest] {
        var bytes = 0
        let end = requests.firstIndex { request in
            bytes += request.costBytes
            return bytes > transactionBytes
        }
        let batch = requests.prefix(max(1, end ?? requests.count))
        requests.removeFirst(batch.count)
        return Array(batch)
    }
}
