/// The answer to one request.
package struct LogReply: Sendable {
    /// The ticket of the request, or 0 for ``Answer/syncFailed(_:)``, ``Answer/filesRestored(_:)`` and
    /// ``Answer/filesLost(_:)``, which answer no request.
    package let ticket: UInt64
    package let answer: Answer

    package init(ticket: UInt64, answer: Answer) {
        self.ticket = ticket
        self.answer = answer
    }
}

package enum Answer: Sendable, Equatable {
    case claimed(Lease)
    /// Stored. `head` is now the last update's number, and `timelineHead` the last timeline number.
    case appended(head: Int64, timelineHead: Int64)
    case described
    case deleted
    case deletionsNoted
    /// Trimmed. `oldest` is now the first update kept. Runs are kept whole, so `oldest` can be lower than the request
    /// asked for.
    case trimmed(oldest: Int64)
    case forgotten(Forgotten)
    case page(UpdatePage)
    case timeline(TimelinePage)
    /// In the order of the request. A session that is unknown or damaged has nil. The answer ends early when it has no
    /// more room.
    case timelines([TimelinePage?])
    case updates(HistoryPage)
    case sessions([SessionRecord])
    case listing(SessionListing)
    case position(Position)
    case sizes([PartSize])
    case claims([EpochClaim])
    case usage(UsageByDay)
    case logId(UInt32)
    /// The first of the noted deletions.
    case deletions([Int64])
    /// The request failed, and no part of it was done.
    case failed(LogError)
    /// Syncs fail, or succeed again (nil). As long as they fail, a power cut can take back more. Each change is reported
    /// once.
    case syncFailed(LogError?)
    /// Files of the log were deleted, moved or replaced, and were restored with all stored content. The value holds the
    /// files' names.
    case filesRestored([String])
    /// Files of the log were deleted, moved or replaced, and cannot be restored. All requests fail until the files can
    /// be restored. This is reported once, not for every failure.
    case filesLost(LogError)
}

/// The right to append to one incarnation, until the next claim.
package struct Lease: Sendable, Equatable {
    package let journal: Journal
    package var sid: Int64 { journal.sid }
    package var epoch: Int64 { journal.epoch }
    /// The first update that retention has kept.
    package let oldest: Int64
    /// The last update's number, or 0 before the first update.
    package let head: Int64
    /// The last timeline number, or 0 if the timeline is empty.
    package let timelineHead: Int64
    /// The claim began a new incarnation.
    package let wasCreated: Bool
    /// The stored usage of an earlier session that the claim continues; nil for other claims.
    package let usage: String?

    package init(
        journal: Journal, oldest: Int64, head: Int64, timelineHead: Int64, wasCreated: Bool, usage: String? = nil
    ) {
        self.journal = journal
        self.oldest = oldest
        self.head = head
        self.timelineHead = timelineHead
        self.wasCreated = wasCreated
        self.usage = usage
    }
}

/// One claim of an incarnation.
package struct EpochClaim: Sendable, Equatable {
    package let epoch: Int64
    /// The number of the first update under this claim, or of the next update if the claim has none.
    package let first: Int64

    package init(epoch: Int64, first: Int64) {
        self.epoch = epoch
        self.first = first
    }
}

/// Updates `first ... last`.
package struct UpdatePage: Sendable, Equatable {
    /// The requested number, or the oldest number kept if that is higher.
    package var first: Int64
    package var count: Int
    /// `count` lines, each followed by one LF.
    package var lines: [UInt8]
    /// When the page was read, nothing after it was committed.
    package var isAtEnd: Bool
    /// The last number in the page, or `first - 1` if the page is empty.
    package var last: Int64 { first + Int64(count) - 1 }

    package init(first: Int64, count: Int, lines: [UInt8], isAtEnd: Bool) {
        self.first = first
        self.count = count
        self.lines = lines
        self.isAtEnd = isAtEnd
    }
}

package struct TimelinePage: Sendable, Equatable {
    /// The items' numbers rise by one from `after + 1`, or from the oldest number kept if that is higher.
    package var items: [TimelineItem]
    /// When the page was read, nothing after it was committed.
    package var isAtEnd: Bool

    package init(items: [TimelineItem], isAtEnd: Bool) {
        self.items = items
        self.isAtEnd = isAtEnd
    }
}

/// One update or entry on a timeline. `n` counts updates and entries together from 1. `ts` is in milliseconds since
/// 1970.
package enum TimelineItem: Sendable, Equatable {
    /// `line` does not include its LF.
    case update(n: Int64, seq: Int64, ts: Int64, line: [UInt8])
    /// `seq` is the number of the last update before the entry, or 0 if there is none.
    case entry(n: Int64, seq: Int64, ts: Int64, kind: String, body: [UInt8])

    package var n: Int64 {
        switch self {
        case .update(let n, _, _, _), .entry(let n, _, _, _, _): n
        }
    }
}

package struct HistoryPage: Sendable, Equatable {
    package var updates: [Update]
    /// The start of the next page in the same direction, as ``HistoryStart/seq(_:)``. `nil` if there were no more
    /// updates.
    package var nextSeq: Int64?

    package init(updates: [Update], nextSeq: Int64?) {
        self.updates = updates
        self.nextSeq = nextSeq
    }

    package struct Update: Sendable, Equatable {
        package let seq: Int64
        /// Milliseconds since 1970.
        package let ts: Int64
        /// The line without its LF.
        package let line: [UInt8]

        package init(seq: Int64, ts: Int64, line: [UInt8]) {
            self.seq = seq
            self.ts = ts
            self.line = line
        }
    }
}

/// Whether a reader's position is still valid.
package enum Position: Sendable, Equatable {
    /// The updates that the reader has applied belong to this incarnation's history. The reader continues with the next
    /// number.
    case valid
    /// The applied updates do not belong to this incarnation's history, or retention has deleted the next update. The
    /// reader continues with number `first`.
    case resetTo(first: Int64)
}
