import JSONScan
import SessionRecords

/// The rows of one page of a list, as JSON texts. Pure.
///
/// A page is limited in rows and in bytes, because rows contain text written by agents and editors. The next page
/// continues after the last row.
package struct ListPage {
    /// 1,000 rows, if the request sets no other limit.
    package static let rowLimit = 1_000
    /// 4 MiB: enough for 10,000 typical sessions, and less than a sixteenth of the largest message that a client
    /// accepts.
    static let limitBytes = ReadLimit.listBytes
    /// 512 KiB, for rows that are added to an agent's own response of up to 64 MiB.
    package static let addedLimitBytes = 512 << 10

    package private(set) var rows: [[UInt8]] = []
    private var byteCount = 0
    private let rowLimit: Int
    private let limitBytes: Int

    package init(rowLimit: Int = ListPage.rowLimit, limitBytes: Int = ListPage.limitBytes) {
        self.rowLimit = rowLimit
        self.limitBytes = limitBytes
    }

    /// Adds a row. Returns false if the row must wait for the next page. The first row always fits.
    package mutating func add(_ row: [UInt8]) -> Bool {
        // Includes the comma.
        let cost = row.count + 1
        guard rows.isEmpty || (rows.count < rowLimit && byteCount + cost <= limitBytes) else { return false }
        byteCount += cost
        rows.append(row)
        return true
    }

    /// Adds rows before all others, without regard to the limits.
    mutating func putFirst(_ more: [[UInt8]]) { rows = more + rows }

    /// Adds as many of the records as fit on the page.
    ///
    /// - Parameter row: returns nil for a session that is not listed.
    /// - Returns: the position of the last record, if more records follow it.
    package mutating func add(
        _ listing: SessionListing, _ row: (SessionRecord) -> [UInt8]?
    ) -> ListingPosition? {
        var last: SessionRecord?
        for record in listing.records {
            if let row = row(record), !add(row) { break }
            last = record
        }
        let hasMore = listing.hasMore || last?.sid != listing.records.last?.sid
        return hasMore ? last.map { ListingPosition($0) } : nil
    }

    /// Returns the rows as an array of objects. An array has no member for a cursor, so the last row contains it:
    /// `"nextCursor":"…"`.
    func array(next: String?) -> [UInt8] {
        JSONWriter.array { writer in
            for (index, row) in rows.enumerated() {
                let cursor = index == rows.count - 1 ? next : nil
                writer.element(raw: cursor.map { Self.extended(row, $0) } ?? row)
            }
        }
    }

    private static func extended(_ row: [UInt8], _ cursor: String) -> [UInt8] {
        row.dropLast() + Array(#","nextCursor":"\#(cursor)"}"#.utf8)
    }
}

/// A position in a list that is ordered by these numbers.
package struct ListPosition: Comparable, Hashable, CustomStringConvertible {
    let numbers: [Int64]

    package init(_ numbers: Int64...) { self.numbers = numbers }

    /// Parses ``description``.
    ///
    /// - Parameter count: The number of numbers that order this list.
    package init?(_ text: String, count: Int) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == count, !numbers.contains(nil) else { return nil }
        self.numbers = numbers.compactMap(\.self)
    }

    /// `1763697600123.4711`
    package var description: String { numbers.map(String.init).joined(separator: ".") }

    package func isAfter(_ other: ListPosition) -> Bool { other < self }

    package static func < (left: ListPosition, right: ListPosition) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
