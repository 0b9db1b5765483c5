/// The answer to one request.
public struct Reply: Sendable {
    /// The request's; 0 for ``Answer/syncFailed(_:)``, ``Answer/filesRestored(_:)`` and ``Answer/filesLost(_:)``, which
    /// nobody asked for.
    public let ticket: UInt64
    public let answer: Answer
}

public enum Answer: Sendable, Equatable {
    case claimed(Lease)
    /// Stored: `head` is now the last update's number, `timelineHead` the last timeline number.
    case appended(head: Int64, timelineHead: Int64)
    case described
    case deleted
    /// Done: `oldest` is now the first update kept. A run is kept whole, so it may be lower than was asked for.
    case trimmed(oldest: Int64)
    case forgotten(Forgotten)
    case page(UpdatePage)
    case timeline(TimelinePage)
    case updates(HistoryPage)
    case sessions([SessionRecord])
    case listing(SessionListing)
    case position(Position)
    case sizes([PartSize])
    /// Nothing of the request was done.
    case failed(LogError)
    /// A sync failed: until one succeeds, a power cut can take back more. Comes once, not every time.
    case syncFailed(LogError)
    /// Files of the log were deleted, moved or replaced, and were put back with all that was stored. Their names.
    case filesRestored([String])
    /// The same, and they cannot be put back. All requests fail until they can. Comes once, not every time.
    case filesLost(LogError)
}

/// The right to append to one life, until the next claim.
public struct Lease: Sendable, Equatable {
    public let journal: Journal
    public var sid: Int64 { journal.sid }
    public var epoch: Int64 { journal.epoch }
    /// The first update that retention has kept.
    public let oldest: Int64
    /// The last update's number, 0 if none.
    public let head: Int64
    /// The last timeline number, 0 if none.
    public let timelineHead: Int64
    /// The claim began a new life.
    public let wasCreated: Bool
}

/// Updates `first ... last`.
public struct UpdatePage: Sendable, Equatable {
    /// The number asked for, or the oldest kept if that is higher.
    public var first: Int64
    public var count: Int
    /// `count` lines, each followed by one LF.
    public var lines: [UInt8]
    /// Nothing after this page was committed when it was read.
    public var isAtEnd: Bool
    /// The last number in the page; `first - 1` if it is empty.
    public var last: Int64 { first + Int64(count) - 1 }
}

public struct TimelinePage: Sendable, Equatable {
    /// Rising by one from `after + 1`, or from the oldest kept if that is higher.
    public var items: [TimelineItem]
    /// Nothing after this page was committed when it was read.
    public var isAtEnd: Bool
}

/// One thing on a timeline. `n` counts updates and entries together from 1; `ts` is in milliseconds since 1970.
public enum TimelineItem: Sendable, Equatable {
    /// `line` is without its LF.
    case update(n: Int64, seq: Int64, ts: Int64, line: [UInt8])
    /// `seq` is the number of the last update before the entry, 0 if there is none.
    case entry(n: Int64, seq: Int64, ts: Int64, kind: String, body: [UInt8])

    public var n: Int64 {
        switch self {
        case .update(let n, _, _, _), .entry(let n, _, _, _, _): n
        }
    }
}

public struct HistoryPage: Sendable, Equatable {
    public var updates: [Update]
    /// Where the next page in the same direction begins, as ``HistoryStart/seq(_:)``; `nil` when there was no more.
    public var nextSeq: Int64?

    public struct Update: Sendable, Equatable {
        public let seq: Int64
        /// Milliseconds since 1970.
        public let ts: Int64
        /// Without its LF.
        public let line: [UInt8]
    }
}

/// What a reader's place is worth.
public enum Position: Sendable, Equatable {
    /// What the reader has applied is this life's history; it goes on with the next number.
    case valid
    /// It is not, or retention has taken what would come next; the reader goes on with number `first`.
    case resetTo(first: Int64)
}
