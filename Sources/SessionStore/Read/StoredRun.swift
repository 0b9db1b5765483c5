import CVector
import SQLite
import SessionRecords

/// The run in a statement's current row. Its bytes are valid until the next step.
struct StoredRun {
    let first: Int64
    let count: Int
    let ts: Int64
    let block: LineBlock

    /// For statements that select `first, count, ts, lines, sum`.
    init(_ row: Statement) throws(SQLiteError) {
        try Self.checkMemory(for: row.byteCount(3))
        first = row.integer(0)
        count = Int(row.integer(1))
        ts = row.integer(2)
        block = LineBlock(bytes: try row.wholeBytes(3, sum: 4))
    }

    /// Checks for enough memory, because a line can be as long as 64 MiB. SQLite has already loaded the bytes, or has
    /// failed. An answer copies them, and that copy is copied again into frames or JSON. Neither copy can report a
    /// failure.
    private static func checkMemory(for byteCount: Int) throws(SQLiteError) {
        guard byteCount > 1 << 20, cvector_can_allocate(2 * byteCount + (16 << 20)) == 0 else { return }
        throw SQLiteError.outOfMemory
    }

    /// The number after the run's last update. The addition wraps, because a damaged file can contain any number.
    var end: Int64 { first &+ Int64(count) }

    /// Returns the offset in the bytes at which update `seq` begins. The update must be one of the run's.
    func offset(of seq: Int64) throws(SQLiteError) -> Int {
        guard seq >= first, let offset = block.offset(afterLines: Int(seq - first)) else { throw .damaged }
        return offset
    }
}

extension Statement {
    /// Returns a column's bytes as they were written, or throws if they do not match their checksum. The bytes are
    /// valid until the next step or reset.
    func wholeBytes(_ column: Int32, sum: Int32) throws(SQLiteError) -> UnsafeRawBufferPointer {
        let bytes = bytes(column)
        guard isNull(sum) || integer(sum) == Int64(CRC32C.of(bytes)) else { throw .damaged }
        return bytes
    }
}
