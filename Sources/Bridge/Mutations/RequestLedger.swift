import EventLoop
import Tinyvex

/// Which mutations were asked for under which `requestId`, and what came of them, so that none runs twice: a client that
/// lost its answer asks again, perhaps over another connection, and gets the first one's. Pure.
///
/// What has failed by no fault of the call is forgotten: nothing was done, and it may run again.
struct RequestLedger {
    /// Those of different people are different, whatever they call them.
    struct Key: Hashable {
        let who: String
        var tenant: String? = nil
        let requestId: String
    }

    /// What is meant by a `requestId`: a name and canonical arguments.
    struct Call: Equatable {
        let name: String
        let arguments: [UInt8]
    }

    enum Verdict {
        /// It is new; ``finish(_:_:at:)`` must follow.
        case run
        /// It is running: the first one's outcome will be this one's.
        case wait
        case repeated(QueryOutcome)
        /// The `requestId` was used for something else.
        case mismatch
    }

    static let countLimit = 10_000
    /// 4 MiB: arguments and outcomes together.
    static let limitBytes = 4 << 20
    /// Longer than any client goes on asking.
    static let lifetime = Duration.seconds(15 * 60)
    /// What an entry takes besides.
    private static let entryBytes = 256

    private struct Entry {
        let call: Call
        var outcome: QueryOutcome?
        var until: Instant?
        let byteCount: Int
    }

    private var entries: [Key: Entry] = [:]
    /// Those that are finished, the oldest first; before `head` they are gone.
    private var finished: [Key] = []
    private var head = 0
    private(set) var byteCount = 0

    var count: Int { entries.count }

    mutating func begin(_ key: Key, _ call: Call, at now: Instant) -> Verdict {
        forgetOld(at: now)
        guard let entry = entries[key] else {
            let bytes = Self.entryBytes + key.who.utf8.count + key.requestId.utf8.count + call.arguments.count
            entries[key] = Entry(call: call, byteCount: bytes)
            byteCount += bytes
            return .run
        }
        guard entry.call == call else { return .mismatch }
        return entry.outcome.map { .repeated($0) } ?? .wait
    }

    mutating func finish(_ key: Key, _ outcome: QueryOutcome, at now: Instant) {
        guard let entry = entries[key] else { return }
        byteCount -= entry.byteCount
        entries[key] = nil
        if case .failure(let rejection) = outcome, rejection.rpcCode == .internalError { return }
        let bytes = entry.byteCount + outcome.byteCount
        entries[key] = Entry(call: entry.call, outcome: outcome, until: now + Self.lifetime, byteCount: bytes)
        byteCount += bytes
        finished.append(key)
        forgetOld(at: now)
    }

    private mutating func forgetOld(at now: Instant) {
        while head < finished.count, let entry = entries[finished[head]],
            byteCount > Self.limitBytes || finished.count - head > Self.countLimit
                || (entry.until.map { $0 <= now } ?? false)
        {
            byteCount -= entry.byteCount
            entries[finished[head]] = nil
            head += 1
        }
        guard head > 64, head * 2 > finished.count else { return }
        finished.removeFirst(head)
        head = 0
    }
}

extension QueryOutcome {
    fileprivate var byteCount: Int {
        switch self {
        case .success(let bytes): bytes.count
        case .failure(let rejection): rejection.message.utf8.count
        }
    }
}
