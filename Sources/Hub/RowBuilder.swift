import SessionRecords

/// Joins the items of a timeline to rows. Pure.
package struct RowBuilder {
    /// 256 KiB: larger rows compress no better, and a reader that wants one update reads a whole row.
    static let limitBytes = 256 << 10
    /// 4,096 updates, which bounds the table of times.
    static let limitCount = 4_096

    let sid: Int64
    /// By rising epoch.
    let claims: [EpochClaim]
    package private(set) var rows: [HubRow] = []
    private var open: Open?

    private struct Open {
        let epoch: Int64
        let n: Int64
        let first: Int64
        let ts: Int64
        var count: Int64 = 0
        var lines: [UInt8] = []
        var times: [Int64] = []
    }

    package init(sid: Int64, claims: [EpochClaim]) {
        self.sid = sid
        self.claims = claims
    }

    /// The epoch of an update, or of an entry before it: that of the last claim that does not begin after the update.
    static func epoch(ofUpdate seq: Int64, _ claims: [EpochClaim]) -> Int64 {
        claims.last { $0.first <= seq }?.epoch ?? claims.first?.epoch ?? 1
    }

    package mutating func add(_ item: TimelineItem) {
        switch item {
        case .update(let n, let seq, let ts, let line): add(line, n: n, seq: seq, ts: ts)
        case .entry(let n, let seq, let ts, let kind, let body):
            close()
            rows.append(
                HubRow(
                    sid: sid, epoch: Self.epoch(ofUpdate: seq + 1, claims), n: n, first: seq + 1, count: 0, ts: ts,
                    kind: kind, body: body, offsets: nil))
        }
    }

    private mutating func add(_ line: [UInt8], n: Int64, seq: Int64, ts: Int64) {
        let epoch = Self.epoch(ofUpdate: seq, claims)
        if let open, !fits(line, epoch, seq, n, ts, open) { close() }
        var run = open ?? Open(epoch: epoch, n: n, first: seq, ts: ts)
        open = nil
        run.count += 1
        run.lines += line
        run.lines.append(UInt8(ascii: "\n"))
        run.times.append(ts)
        open = run
    }

    private func fits(_ line: [UInt8], _ epoch: Int64, _ seq: Int64, _ n: Int64, _ ts: Int64, _ run: Open) -> Bool {
        run.epoch == epoch && run.first + run.count == seq && run.n + run.count == n
            && run.count < Self.limitCount && run.lines.count + line.count < Self.limitBytes
            // The table of times has 32 bits for each.
            && Int32(exactly: ts - run.ts) != nil
    }

    /// Call after the last item.
    package mutating func close() {
        guard let run = open else { return }
        open = nil
        rows.append(
            HubRow(
                sid: sid, epoch: run.epoch, n: run.n, first: run.first, count: run.count, ts: run.ts, kind: nil,
                body: run.lines, offsets: Self.offsets(run.times, from: run.ts)))
    }

    private static func offsets(_ times: [Int64], from ts: Int64) -> [UInt8]? {
        guard times.contains(where: { $0 != ts }) else { return nil }
        return times.flatMap { time in
            withUnsafeBytes(of: Int32(truncatingIfNeeded: time - ts).littleEndian) { Array($0) }
        }
    }

    /// The time of an update in ``HubRow/offsets``; 0 if they end before it.
    static func offset(_ index: Int, in offsets: [UInt8]) -> Int64 {
        guard 4 * index + 3 < offsets.count else { return 0 }
        let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(offsets[4 * index + $1]) << (8 * UInt32($1)) }
        return Int64(Int32(bitPattern: bits))
    }
}

extension HubRow {
    /// The items from timeline number `start` on. Nil if the row's parts contradict each other.
    package func items(from start: Int64) -> [TimelineItem]? {
        if let kind { return start > n ? [] : [.entry(n: n, seq: first - 1, ts: ts, kind: kind, body: body)] }
        let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        guard lines.count == count, offsets.map({ $0.count == 4 * lines.count }) ?? true else { return nil }
        return zip(lines.indices, lines).suffix(Int(max(0, n + count - max(start, n)))).map { index, line in
            let number = Int64(index)
            return .update(
                n: n + number, seq: first + number, ts: ts + RowBuilder.offset(index, in: offsets ?? []),
                line: Array(line))
        }
    }

}
