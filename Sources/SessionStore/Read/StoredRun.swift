import SQLite
import SessionRecords

/// The run in a statement's current row. Its bytes are valid until the next step.
struct StoredRun {
    let first: Int64
    let count: Int
    let ts: Int64
    let block: LineBlock

    static let columns = "first, count, ts, lines, sum, place, size"

    /// For statements that select ``columns``.
    ///
    /// - Parameters:
    ///   - buffer: Gets the lines if they are outside of the tables.
    ///   - lineLimitBytes: A single longer line outside of the tables is not read or checked, and becomes an empty line. A line
    ///     of more than ``RunSplitter/rowBytes`` always has a run of its own.
    init(_ row: Statement, _ buffer: RunBuffer, lineLimitBytes: Int = .max) throws(SQLiteError) {
        first = row.integer(0)
        count = Int(row.integer(1))
        ts = row.integer(2)
        if row.isNull(5) {
            // SQLite has already loaded the bytes, or has failed.
            try RunBuffer.checkMemory(for: row.byteCount(3), copies: 2)
            block = LineBlock(bytes: try row.wholeBytes(3, sum: 4))
        } else if count == 1, row.integer(6) - 1 > lineLimitBytes {
            block = .emptyLine
        } else {
            let bytes = try buffer.read(size: row.integer(6), from: row.integer(5))
            guard row.integer(4) == Int64(CRC32C.of(bytes)) else { throw .damaged }
            block = LineBlock(bytes: bytes)
        }
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
