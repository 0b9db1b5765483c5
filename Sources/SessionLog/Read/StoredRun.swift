/// The run in a statement's current row; its bytes are good until the next step.
struct StoredRun {
    let first: Int64
    let count: Int
    let ts: Int64
    let block: LineBlock

    /// For statements that select `first, count, ts, lines`.
    init(_ row: Statement) {
        first = row.integer(0)
        count = Int(row.integer(1))
        ts = row.integer(2)
        block = LineBlock(bytes: row.bytes(3))
    }

    /// The number after the run's last. Wrapping, as a damaged file may say anything.
    var end: Int64 { first &+ Int64(count) }

    /// Where update `seq`, one of the run's, begins in the bytes.
    func offset(of seq: Int64) throws(LogError) -> Int {
        guard seq >= first, let offset = block.offset(afterLines: Int(seq - first)) else { throw .damaged }
        return offset
    }
}
