import CSQLite
import CVector

/// The run in a statement's current row; its bytes are good until the next step.
struct StoredRun {
    let first: Int64
    let count: Int
    let ts: Int64
    let block: LineBlock

    /// For statements that select `first, count, ts, lines, sum`.
    init(_ row: Statement) throws(LogError) {
        try Self.checkMemory(for: row.byteCount(3))
        first = row.integer(0)
        count = Int(row.integer(1))
        ts = row.integer(2)
        block = LineBlock(bytes: try row.wholeBytes(3, sum: 4))
    }

    /// A line can be as long as 64 MiB. SQLite has its bytes by now, or has failed; an answer copies them, and the copy is
    /// copied into frames or JSON, neither of which can fail.
    private static func checkMemory(for byteCount: Int) throws(LogError) {
        guard byteCount > 1 << 20, cvector_can_allocate(2 * byteCount + (16 << 20)) == 0 else { return }
        throw LogError(sqlite: SQLITE_NOMEM)
    }

    /// The number after the run's last. Wrapping, as a damaged file may say anything.
    var end: Int64 { first &+ Int64(count) }

    /// Where update `seq`, one of the run's, begins in the bytes.
    func offset(of seq: Int64) throws(LogError) -> Int {
        guard seq >= first, let offset = block.offset(afterLines: Int(seq - first)) else { throw .damaged }
        return offset
    }
}

extension Statement {
    /// A column's bytes as they were written, good until the next step or reset.
    func wholeBytes(_ column: Int32, sum: Int32) throws(LogError) -> UnsafeRawBufferPointer {
        let bytes = bytes(column)
        guard isNull(sum) || integer(sum) == Int64(CRC32C.of(bytes)) else { throw .damaged }
        return bytes
    }
}
