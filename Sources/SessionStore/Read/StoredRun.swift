import SQLite
import SessionRecords

/// The run in a statement's current row. Its bytes are valid until the next step.
struct StoredRun {
    let times: RunTimes
    let block: LineBlock

    static let columns = "\(RunTimes.columns), lines, sum, place, size"

    /// For statements that select ``columns``.
    ///
    /// - Parameters:
    ///   - buffer: Gets the lines if they are outside of the tables.
    ///   - lineLimitBytes: A single longer line outside of the tables is not read or checked, and becomes an empty line. A line
    ///     of more than ``RunSplitter/rowBytes`` always has a run of its own.
    init(_ row: Statement, _ buffer: RunBuffer, lineLimitBytes: Int = .max) throws(SQLiteError) {
        guard let times = RunTimes(row) else { throw .damaged }
        self.times = times
        if row.isNull(6) {
            // SQLite has already loaded the bytes, or has failed.
            try RunBuffer.checkMemory(for: row.byteCount(4), copies: 2)
            block = LineBlock(bytes: try row.wholeBytes(4, sum: 5))
        } else if times.count == 1, row.integer(7) > 1, row.integer(7) - 1 > lineLimitBytes {
            block = .emptyLine
        } else {
            let bytes = try buffer.read(size: row.integer(7), from: row.integer(6))
            guard row.integer(5) == Int64(CRC32C.of(bytes)) else { throw .damaged }
            block = LineBlock(bytes: bytes)
        }
        // Each line has an LF.
        guard times.count <= block.bytes.count else { throw .damaged }
    }

    var first: Int64 { times.first }
    /// The number after the run's last update.
    var end: Int64 { times.end }

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
