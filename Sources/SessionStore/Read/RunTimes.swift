import SQLite
import SessionRecords

/// The numbers and times of a run's updates, from a statement's current row. Valid until the next step.
struct RunTimes {
    let first: Int64
    let count: Int
    /// The number after the run's last update.
    let end: Int64
    /// The time of the last update.
    private let last: Int64
    /// The column `earlier`: see ``Schema``. Empty if all updates have the same time.
    private let earlier: UnsafeRawBufferPointer

    static let columns = "first, count, ts, earlier"

    /// For statements that select ``columns`` first. Returns nil for numbers that the log never writes: the file is damaged.
    init?(_ row: Statement) {
        first = row.integer(0)
        count = Int(row.integer(1))
        guard first > 0, count > 0, UpdateNumber.range.contains(first), UpdateNumber.range.contains(Int64(count)) else {
            return nil
        }
        end = first + Int64(count)
        last = row.integer(2)
        earlier = row.isNull(3) ? UnsafeRawBufferPointer(start: nil, count: 0) : row.bytes(3)
    }

    func isBefore(_ ts: Int64) -> Bool { last < ts }

    /// Returns the time of update `seq`. If a damaged row has no time for it, returns the row's last time.
    func time(of seq: Int64) -> Int64 {
        let index = Int(truncatingIfNeeded: seq &- first)
        guard (0..<earlier.count / 4).contains(index) else { return last }
        return last &- Int64(UInt32(littleEndian: earlier.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
    }

    /// Returns the first update that is not earlier than `ts`. The last update must not be earlier.
    func firstUpdate(notBefore ts: Int64) -> Int64 {
        let index = (0..<min(count, earlier.count / 4)).first { time(of: first + Int64($0)) >= ts }
        return first + Int64(index ?? 0)
    }
}
