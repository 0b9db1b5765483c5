import EventLoop
import LiveQueries
import Posix
import Tinyvex

/// Records each mutation's `requestId` and outcome, so that no mutation runs twice. A client that lost the response
/// repeats the call, perhaps over another connection, and receives the outcome of the first call. Pure.
///
/// The ledger forgets a call that failed for a reason outside the call. Nothing was changed, so the call can run again.
struct RequestLedger {
    /// Equal ids of different users are different keys.
    struct Key: Hashable {
        let who: String
        var tenant: String? = nil
        let requestId: String
    }

    /// The call that a `requestId` identifies: a name and canonical arguments.
    struct Call: Equatable {
        let name: String
        let arguments: [UInt8]
    }

    enum Verdict {
        /// The call is new; ``finish(_:_:at:)`` must follow.
        case run
        /// The first call is still running, and this call will receive the same outcome.
        case wait
        case repeated(QueryOutcome)
        /// The `requestId` was used for a different call.
        case mismatch
    }

    static let countLimit = 10_000
    /// 4 MiB for arguments and outcomes together.
    static let limitBytes = 4 << 20
    /// Longer than any client repeats a call.
    static let lifetime = Duration.seconds(15 * 60)
    /// The overhead of an entry, in addition to its arguments and outcome.
    private static let entryBytes = 256

    private struct Entry {
        let call: Call
        var outcome: QueryOutcome?
        var until: Instant?
        let byteCount: Int
    }

    private var entries: [Key: Entry] = [:]
    /// Keys of finished calls, the oldest first. Elements before `head` are already deleted.
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
