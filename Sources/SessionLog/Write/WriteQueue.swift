/// Which of the requests that wait go into the next transaction. Pure.
///
/// Small appends go first, and by themselves, then large requests have a turn, and so on: who says little never waits
/// for more than one transaction of those who say much, and neither keeps the other from its turn. An append may
/// overtake anything of other sessions, and of its own session nothing waits that it must not: a session has one append
/// under way, and claims its life before. All else keeps its order.
struct WriteQueue {
    /// 128 KiB in a transaction: less than a millisecond. A larger request goes alone.
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

    /// In the order they are to be done; empty when nothing waits.
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
