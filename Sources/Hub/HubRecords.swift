import JSONScan
import SessionRecords

/// How far one incarnation is stored at the hub.
package struct HubHead: Sendable, Equatable {
    /// The epoch of the newest row.
    package var epoch: Int64
    /// The last timeline number.
    package var n: Int64
    /// The last update's number.
    package var seq: Int64
    /// The timeline number of that update; 0 without one.
    package var seqN: Int64
    /// The first update after which none is missing.
    package var oldest: Int64
    /// The time of the newest row, in milliseconds since 1970.
    package var ts: Int64

    /// The database can have any number. Only with those in the range, no sum of two overflows.
    var isInRange: Bool {
        [n, seq, seqN, oldest].allSatisfy(UpdateNumber.range.contains) && ts.magnitude < UpdateNumber.limit
    }

    package init(epoch: Int64 = 0, n: Int64 = 0, seq: Int64 = 0, seqN: Int64 = 0, oldest: Int64 = 1, ts: Int64 = 0) {
        (self.epoch, self.n, self.seq, self.seqN, self.oldest, self.ts) = (epoch, n, seq, seqN, oldest, ts)
    }
}

/// A stored incarnation, as a shipper finds it after it has connected.
package struct HubPlace: Sendable, Equatable {
    package var head: HubHead
    /// ``HubSession/factsSum`` of the stored facts.
    package var factsSum: Int64
    /// ``SessionRecord/createdTs``.
    package var created: Int64
    /// ``HubClaim/first`` of the head's epoch; nil if the hub has no claim.
    package var claimFirst: Int64?

    package init(head: HubHead, factsSum: Int64, created: Int64, claimFirst: Int64? = nil) {
        (self.head, self.factsSum, self.created, self.claimFirst) = (head, factsSum, created, claimFirst)
    }
}

/// The place and the time of an update at the hub.
package struct HubUpdate: Sendable, Equatable {
    /// Its timeline number.
    package let n: Int64
    /// Milliseconds since 1970.
    package let ts: Int64

    package init(n: Int64, ts: Int64) { (self.n, self.ts) = (n, ts) }
}

/// The part of a log that the hub has, as a shipper finds it after it has connected.
package struct HubContents: Sendable, Equatable {
    package var places: [Int64: HubPlace]
    /// Sessions that ended before this time, in milliseconds since 1970, were deleted at the hub and are not shipped.
    package var retainedFrom: Int64
    /// Changes with each deletion by `hub retain`.
    package var trimmed: Int64
    /// A transaction waits for a standby, so it survives the loss of the server.
    package var hasStandby: Bool

    package init(
        places: [Int64: HubPlace] = [:], retainedFrom: Int64 = 0, trimmed: Int64 = 0, hasStandby: Bool = false
    ) {
        (self.places, self.retainedFrom) = (places, retainedFrom)
        (self.trimmed, self.hasStandby) = (trimmed, hasStandby)
    }
}

/// One claim at the hub.
package struct HubClaim: Sendable, Equatable {
    package let sid: Int64
    package let epoch: Int64
    /// The number of the first update under this claim.
    package let first: Int64
    /// The timeline number after the update before that one. Rows of earlier epochs from this number on are not shown:
    /// they were lost in a power cut, or are stored again under this epoch.
    package let firstN: Int64

    /// See ``HubHead/isInRange``.
    var isInRange: Bool { UpdateNumber.range.contains(first) && UpdateNumber.range.contains(firstN) }

    package init(sid: Int64, epoch: Int64, first: Int64, firstN: Int64) {
        (self.sid, self.epoch, self.first, self.firstN) = (sid, epoch, first, firstN)
    }
}

/// A part of a timeline: consecutive updates, or one entry.
package struct HubRow: Sendable, Equatable {
    package let sid: Int64
    package let epoch: Int64
    /// The timeline number of the first item.
    package let n: Int64
    /// The number of the first update; for an entry, of the next update.
    package let first: Int64
    /// The number of updates; 0 for an entry.
    package let count: Int64
    /// The time of the first item, in milliseconds since 1970.
    package let ts: Int64
    /// The kind of an entry; nil for updates.
    package let kind: String?
    /// Each update followed by LF, or the entry's body.
    package let body: [UInt8]
    /// For each update 4 bytes, little-endian: its time in milliseconds after `ts`. Nil if all times are `ts`.
    package let offsets: [UInt8]?

    package init(
        sid: Int64, epoch: Int64, n: Int64, first: Int64, count: Int64, ts: Int64, kind: String?, body: [UInt8],
        offsets: [UInt8]?
    ) {
        (self.sid, self.epoch, self.n, self.first, self.count, self.ts) = (sid, epoch, n, first, count, ts)
        (self.kind, self.body, self.offsets) = (kind, body, offsets)
    }

    /// 128 MiB of `body` and `offsets`: twice the usual limit of a line. A row has several small lines or one long line.
    /// PostgreSQL stores up to 1 GB, of which a reader would hold several copies.
    static let limitBytes = 128 << 20

    /// See ``HubHead/isInRange``.
    var isInRange: Bool {
        [n, first, count].allSatisfy(UpdateNumber.range.contains) && ts.magnitude < UpdateNumber.limit
    }

    /// True if the row has as many updates as it states, or one JSON text.
    var hasMessagesOnly: Bool {
        kind == nil
            ? SessionUpdateLines.count(body).map(Int64.init) == count : (try? JSONValue(validating: body)) != nil
    }

    /// The bytes that the row adds to a transaction, with an allowance for its other columns.
    package var costBytes: Int { body.count + (offsets?.count ?? 0) + 128 }
}

/// The facts about an incarnation that the hub's lists show.
package struct HubSession: Sendable, Equatable {
    package var record: SessionRecord
    /// True while a turn runs.
    package var isRunning: Bool

    package init(_ record: SessionRecord, isRunning: Bool) {
        self.record = record
        self.isRunning = isRunning
    }

    package var sid: Int64 { record.sid }

    /// The days from 1970 to the UTC day on which the session began.
    package var day: Int64 {
        let day = record.createdTs / 86_400_000
        // Days outside PostgreSQL's and the schema's range, from a clock that was far off, go to the nearest one.
        return min(max(day, 0), HubSchema.lastDay)
    }

    /// A checksum of everything that the session's row holds. A shipper sends the row again if it differs.
    package var factsSum: Int64 {
        var text = "\(record.agent)\0\(record.sessionId)\0\(record.title ?? "\u{1}")\0\(record.cwd ?? "\u{1}")\0"
        text += "\(record.firstPrompt ?? "\u{1}")\0\(record.tenant ?? "\u{1}")\0\(record.parentId ?? "\u{1}")\0"
        text += "\(record.label.title ?? "\u{1}")\0\(record.label.tags.joined(separator: "\n"))\0"
        text += "\(record.label.isArchived)\0\(record.journal.epoch)\0\(record.state == .live)\0\(isRunning)\0"
        text += "\(record.exit ?? "\u{1}")\0\(record.createdTs)"
        // A session without usage has the sum of earlier versions, so it is not sent again after an upgrade.
        if let usage = record.usage { text += "\0\(usage)" }
        return Checksum.of(Array(text.utf8))
    }
}

/// The contents of one transaction.
package struct HubBatch: Sendable, Equatable {
    package var sessions: [HubSession] = []
    package var claims: [HubClaim] = []
    package var rows: [HubRow] = []
    package var heads: [Int64: HubHead] = [:]
    package private(set) var costBytes = 0

    package init() {}

    package var isEmpty: Bool { sessions.isEmpty && claims.isEmpty && rows.isEmpty && heads.isEmpty }
    /// The sessions of which the batch has something.
    package var sids: Set<Int64> { Set(sessions.map(\.sid)).union(claims.map(\.sid)).union(heads.keys) }

    package mutating func add(_ row: HubRow) {
        rows.append(row)
        costBytes += row.costBytes
    }

    /// Removes everything of the session.
    package mutating func remove(_ sid: Int64) {
        costBytes -= rows.reduce(0) { $0 + ($1.sid == sid ? $1.costBytes : 0) }
        sessions.removeAll { $0.sid == sid }
        claims.removeAll { $0.sid == sid }
        rows.removeAll { $0.sid == sid }
        heads[sid] = nil
        if isEmpty { costBytes = 0 }
    }

    package mutating func add(_ session: HubSession) {
        sessions.removeAll { $0.sid == session.sid }
        sessions.append(session)
        // An allowance for the texts, which are limited to some KiB.
        costBytes += 1024
    }
}
