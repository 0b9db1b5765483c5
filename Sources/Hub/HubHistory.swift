import Glibc
import SessionRecords

/// The state of one session at the hub, without its rows: how far it is stored, and which rows are valid. Pure.
package struct HubHistory: Sendable, Equatable {
    package let head: HubHead
    /// By rising epoch.
    let claims: [HubClaim]

    /// 4,096 claims. A log has one for each time that a bridge has begun to write the session again. A reader can need a query
    /// for each of them, and another program can have written any number.
    static let claimLimit = 4_096

    package init(head: HubHead, claims: [HubClaim]) {
        self.head = head
        self.claims = claims
    }

    /// Rows of one epoch that are valid, and lie one after another.
    struct Stretch: Equatable {
        let epoch: Int64
        /// The first number; 1 if the claim is not known.
        let first: Int64
        /// The number after the last valid one.
        let end: Int64
    }

    /// Of an epoch's rows, those are valid that begin below the claims of all later epochs.
    private func stretch(_ number: Int64, _ first: KeyPath<HubClaim, Int64>) -> Stretch {
        guard let claim = claims.last(where: { $0[keyPath: first] <= number }) else {
            return Stretch(epoch: claims.first?.epoch ?? head.epoch, first: 1, end: .max)
        }
        let later = claims.filter { $0.epoch > claim.epoch }.map { $0[keyPath: first] }
        return Stretch(epoch: claim.epoch, first: claim[keyPath: first], end: later.min() ?? .max)
    }

    /// The stretch with an update.
    func stretch(ofUpdate seq: Int64) -> Stretch { stretch(seq, \.first) }

    /// The stretch with an item of the timeline.
    func stretch(ofItem n: Int64) -> Stretch { stretch(n, \.firstN) }

    // MARK: Resuming

    /// Whether a reader that has applied `seq` under an epoch can continue.
    ///
    /// A reader that was served by the session's bridge can be ahead of the hub, also by an epoch. It waits.
    package func position(epoch: Int64, seq: Int64) -> Position {
        let isKnown = epoch >= head.epoch || claims.contains { $0.epoch == epoch }
        guard isKnown, seq >= head.oldest - 1 else { return .resetTo(first: head.oldest) }
        guard let next = claims.filter({ $0.epoch > epoch }).map(\.first).min(), seq >= next else { return .valid }
        return .resetTo(first: max(next, head.oldest))
    }

    // MARK: Pages

    /// Joins the rows to a page of updates.
    ///
    /// - Parameters:
    ///   - rows: the stretch's rows with updates from `from` on, without gaps; the first one can begin earlier.
    ///   - limitBytes: a single line above the limit is returned alone.
    /// - Returns: Nil if a row's parts contradict each other.
    func page(of rows: [HubRow], from: Int64, in stretch: Stretch, limitBytes: Int) -> UpdatePage? {
        var page = UpdatePage(first: from, count: 0, lines: [], isAtEnd: false)
        for row in rows {
            let next = page.last + 1
            guard row.first <= next, next < stretch.end, page.count == 0 || page.lines.count < limitBytes else { break }
            guard row.first + row.count > next else { continue }
            let wanted = min(row.first + row.count, stretch.end) - next
            guard
                let (count, range) = row.lines(
                    after: next - row.first, wanted, room: limitBytes - page.lines.count, takesOne: page.count == 0)
            else { return nil }
            guard count > 0 || page.count == 0 else { break }
            page.lines += row.body[range]
            page.count += count
            if count < wanted { break }
        }
        page.isAtEnd = page.last >= head.seq
        return page
    }

    /// Joins the rows to a page of the timeline.
    ///
    /// - Parameter rows: the stretch's rows from item `start` on.
    /// - Returns: Nil if a row's parts contradict each other.
    func timeline(of rows: [HubRow], from start: Int64, in stretch: Stretch, limitBytes: Int) -> TimelinePage? {
        var page = TimelinePage(items: [], isAtEnd: false)
        var room = limitBytes
        var next: Int64?
        rows: for row in rows {
            guard let items = row.items(from: start) else { return nil }
            for item in items {
                guard item.n < stretch.end, item.n == next ?? item.n else { break rows }
                guard page.items.isEmpty || item.costBytes <= room else { break rows }
                room -= item.costBytes
                page.items.append(item)
                next = item.n + 1
            }
        }
        page.isAtEnd = (page.items.last?.n ?? start - 1) >= head.n
        return page
    }
}

extension HubRow {
    /// Finds the lines that fit.
    ///
    /// - Parameters:
    ///   - skipped: the lines before them.
    ///   - takesOne: the first line is taken, whatever its length.
    /// - Returns: Nil if the row has fewer lines.
    fileprivate func lines(after skipped: Int64, _ wanted: Int64, room: Int, takesOne: Bool) -> (
        count: Int, range: Range<Int>
    )? {
        body.withUnsafeBytes { bytes in
            var offset = 0
            for _ in 0..<skipped {
                guard let end = Self.endOfLine(bytes, at: offset) else { return nil }
                offset = end
            }
            let start = offset
            var count = 0
            while Int64(count) < wanted {
                guard let end = Self.endOfLine(bytes, at: offset) else { return nil }
                if end - start > room, count > 0 || !takesOne { break }
                offset = end
                count += 1
            }
            return (count, start..<offset)
        }
    }

    private static func endOfLine(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        guard let base = bytes.baseAddress, offset < bytes.count,
            let end = memchr(base + offset, 0x0a, bytes.count - offset)
        else { return nil }
        return UnsafeRawPointer(end) - base + 1
    }
}

extension TimelineItem {
    /// The item's bytes, with an allowance for the item itself. The allowance bounds a page of empty lines too.
    fileprivate var costBytes: Int {
        switch self {
        case .update(_, _, _, let line): line.count + 64
        case .entry(_, _, _, _, let body): body.count + 64
        }
    }
}

/// Collects the updates of a history query, in its direction. Pure.
struct HistoryCollector {
    private(set) var page = HistoryPage(updates: [], nextSeq: nil)
    private let limit: Int
    private var room = ReadLimit.historyBytes

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { page.nextSeq != nil }

    /// Adds an update. If it does not fit, the page notes where the next page begins.
    mutating func add(_ item: TimelineItem) {
        guard case .update(_, let seq, let ts, let line) = item, !isFull else { return }
        let costBytes = line.count + 64
        guard page.updates.isEmpty || (page.updates.count < limit && costBytes <= room) else {
            page.nextSeq = page.updates.last?.seq
            return
        }
        room -= costBytes
        page.updates.append(HistoryPage.Update(seq: seq, ts: ts, line: line))
    }
}
