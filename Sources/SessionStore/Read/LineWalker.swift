import SQLite

/// Iterates over a session's updates one by one, from run to run. It borrows the statement's rows: the caller must bind
/// the statement before the walk and reset it afterwards.
struct LineWalker {
    struct Line {
        let seq: Int64
        let ts: Int64
        /// The line without its LF. Valid until the next line is requested.
        let bytes: UnsafeRawBufferPointer
    }

    private var next: Int64
    private var run: StoredRun?
    private var offset = 0
    private let buffer: RunBuffer
    private let lineLimitBytes: Int

    /// - Parameter lineLimitBytes: Longer lines are passed on empty.
    init(from seq: Int64, _ buffer: RunBuffer, lineLimitBytes: Int = .max) {
        next = seq
        self.buffer = buffer
        self.lineLimitBytes = lineLimitBytes
    }

    /// `runs` is ``ReadStatements/runsFrom``, bound to the first number wanted. Returns `nil` when there are no more
    /// lines.
    mutating func nextLine(_ runs: Statement) throws(SQLiteError) -> Line? {
        guard let run = try currentRun(runs) else { return nil }
        guard let end = run.block.endOfLine(at: offset) else { throw .damaged }
        defer {
            next += 1
            offset = end
        }
        let line = offset..<(end - 1 - offset > lineLimitBytes ? offset : end - 1)
        return Line(
            seq: next, ts: run.times.time(of: next), bytes: UnsafeRawBufferPointer(rebasing: run.block.bytes[line]))
    }

    private mutating func currentRun(_ runs: Statement) throws(SQLiteError) -> StoredRun? {
        if let run, next < run.end { return run }
        while try runs.step() {
            let found = try StoredRun(runs, buffer, lineLimitBytes: lineLimitBytes)
            // The statement begins with the greatest `first` that is not above the wanted number. That run can lie
            // wholly before the number.
            guard next < found.end else { continue }
            offset = try found.offset(of: next)
            run = found
            return found
        }
        run = nil
        return nil
    }
}
