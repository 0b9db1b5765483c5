import JSONScan
import SessionLog

/// The rows of one page of a list, as JSON texts. Pure.
///
/// Bounded in count and in bytes, since what agents and editors write is part of the rows. The next page continues
/// after the last row.
struct ListPage {
    /// 1,000 rows, where the request sets no other limit.
    static let rowLimit = 1_000
    /// 4 MiB: 10,000 usual sessions, and less than a sixteenth of what a client takes as one message.
    static let limitBytes = ReadLimit.listBytes
    /// 512 KiB, where rows are added to an agent's own answer of up to 64 MiB.
    static let addedLimitBytes = 512 << 10

    private(set) var rows: [[UInt8]] = []
    private var byteCount = 0
    private let rowLimit: Int
    private let limitBytes: Int

    init(rowLimit: Int = ListPage.rowLimit, limitBytes: Int = ListPage.limitBytes) {
        self.rowLimit = rowLimit
        self.limitBytes = limitBytes
    }

    /// False if the row must wait for the next page. The first row always fits.
    mutating func add(_ row: [UInt8]) -> Bool {
        // With its comma.
        let cost = row.count + 1
        guard rows.isEmpty || (rows.count < rowLimit && byteCount + cost <= limitBytes) else { return false }
        byteCount += cost
        rows.append(row)
        return true
    }

    /// The rows as an array of objects. An array has no place for a cursor, so the last row has it: `"nextCursor":"…"`.
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

/// A place in a list whose rows are ordered by these numbers.
struct ListPosition: Comparable, CustomStringConvertible {
    let numbers: [Int64]

    init(_ numbers: Int64...) { self.numbers = numbers }

    /// Reads ``description``.
    ///
    /// - Parameter count: how many numbers order this list.
    init?(_ text: String, count: Int) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == count, !numbers.contains(nil) else { return nil }
        self.numbers = numbers.compactMap(\.self)
    }

    /// `1763697600123.4711`
    var description: String { numbers.map(String.init).joined(separator: ".") }

    func isAfter(_ other: ListPosition) -> Bool { other < self }

    static func < (left: ListPosition, right: ListPosition) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
