import CShims
import Glibc
import Posix
import SQLite
import SessionRecords
import Synchronization

/// The file beside the log's tables that holds the lines of floods (`sessions.db-lines`): of large runs that the tables do
/// not take (``TableAllowance``). The row of such a run has the place and the size of its lines.
///
/// SQLite would write these bytes twice: to the WAL, and at the next checkpoint to the tables. Here they are written once.
/// They are written before their row is committed, and do not change while a row refers to them. So the file needs no
/// format of its own. Bytes to which no row refers are not part of the log.
///
/// For several threads. Only the writer's thread writes, frees and restores.
package final class LinesFile: Sendable {

    /// 2 TiB: the usual file systems can hold longer files. Places are not used again, so a log reaches this after it has
    /// stored so many bytes here. From then on large runs are stored in the tables.
    static let largestPlace: Int64 = 2 << 40

    private final class OpenFile: Sendable {
        let descriptor: Descriptor

        init(_ path: String, flags: Int32) throws(LogError) {
            descriptor = try LogFile.open(path, flags: flags | O_NOFOLLOW)
        }
    }

    private struct State {
        var file: OpenFile
        /// The end of the lines whose rows are committed.
        var committedEnd: Int64 = 0
        /// Lines before this place are on disk.
        var syncedEnd: Int64 = 0
        /// For tests: the end of a simulated disk.
        var limit = Int64.max
    }

    private let path: String
    private let state: Mutex<State>
    /// Locked by a query that reads lines, and while lines are freed.
    private let reading = Mutex(())

    /// Creates the file if it is missing.
    package convenience init(path: String) throws(LogError) { try self.init(path, flags: O_RDWR | O_CREAT) }

    /// Opens the file to read it. Throws if it does not exist.
    package convenience init(readOnly path: String) throws(LogError) { try self.init(path, flags: O_RDONLY) }

    private init(_ path: String, flags: Int32) throws(LogError) {
        self.path = path
        state = Mutex(State(file: try OpenFile(path, flags: flags)))
    }

    /// Calls `body` with the number of the open descriptor. The file can have lost its name.
    package func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result { body(file.descriptor.raw) }

    private var file: OpenFile { state.withLock { $0.file } }

    // MARK: Reading

    /// Calls `body` while nothing is freed. The body must begin its snapshot of the tables itself. So each row that it
    /// reads has its lines.
    func whileNothingIsFreed<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try reading.withLock { (_) throws(Failure) in try body() }
    }

    /// Throws ``SQLiteError/damaged`` if the file has no such place.
    func checkPlace(_ place: Int64, size: Int64) throws(SQLiteError) {
        let (end, overflow) = place.addingReportingOverflow(size)
        guard place >= 0, size > 0, !overflow, end <= byteCount else { throw .damaged }
    }

    private var byteCount: Int64 {
        var status = stat()
        return fstat(file.descriptor.raw, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Fills `bytes` from a place. Throws ``SQLiteError/damaged`` if the file ends before.
    func read(into bytes: UnsafeMutableRawBufferPointer, from place: Int64) throws(SQLiteError) {
        let file = file
        var filled = 0
        while filled < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let count = pread(file.descriptor.raw, rest.baseAddress, rest.count, off_t(place) + filled)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .readFailed }
            guard count > 0 else { throw .damaged }
            filled += count
        }
    }

    // MARK: Writing

    /// Records what the tables say when the log is opened, and cuts off lines behind the end, whose rows were not
    /// committed.
    ///
    /// - Parameter synced: Lines before this place are on disk.
    func begin(end: Int64, synced: Int64) {
        state.withLock { ($0.committedEnd, $0.syncedEnd) = (end, synced) }
        guard byteCount > end else { return }
        ftruncate(file.descriptor.raw, off_t(end))
    }

    /// Returns when all bytes are in the page cache.
    func write(_ bytes: UnsafeRawBufferPointer, at place: Int64) throws(SQLiteError) {
        let (file, limit) = state.withLock { ($0.file, $0.limit) }
        guard place + Int64(bytes.count) <= limit else { throw .full }
        try Self.write(bytes, at: place, to: file)
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, at place: Int64, to file: OpenFile
    ) throws(SQLiteError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(file.descriptor.raw, rest.baseAddress, rest.count, off_t(place) + written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw errno == ENOSPC || errno == EDQUOT ? .full : .writeFailed }
            written += count
        }
    }

    /// The end of the lines whose rows are committed. The next lines begin here.
    var committedEnd: Int64 { state.withLock { $0.committedEnd } }

    /// Call this after the rows of the lines before this place were committed.
    func committed(to end: Int64) { state.withLock { $0.committedEnd = end } }

    /// Call this after a transaction was rolled back. Its lines are overwritten by the next.
    func rolledBack() { state.withLock { $0.syncedEnd = min($0.syncedEnd, $0.committedEnd) } }

    // MARK: Syncing

    /// Lines before this place are on disk.
    var syncedEnd: Int64 { state.withLock { $0.syncedEnd } }

    /// Returns when the lines of all rows committed before are on disk.
    package func sync() throws(LogError) {
        let (end, isDone) = state.withLock { ($0.committedEnd, $0.committedEnd <= $0.syncedEnd) }
        if !isDone { try sync(to: end) }
    }

    /// Returns when all that was written is on disk.
    ///
    /// - Parameter end: Everything before this place was written.
    func sync(to end: Int64) throws(LogError) {
        try Self.sync(file, path)
        state.withLock { $0.syncedEnd = max($0.syncedEnd, end) }
    }

    private static func sync(_ file: OpenFile, _ path: String) throws(LogError) {
        guard fdatasync(file.descriptor.raw) == 0 else { throw .lastSystemError("sync", path) }
    }

    // MARK: Freeing

    /// The bytes that the file occupies on disk, without the freed ones.
    func usedBytes() -> Int64 {
        var status = stat()
        return fstat(file.descriptor.raw, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    /// Gives the space of these places back, and syncs that. Waits for a query that is being answered. The rows must be
    /// deleted, and the deletion on disk.
    func free(_ places: [Range<Int64>]) throws(LogError) {
        let file = file
        try reading.withLock { (_) throws(LogError) in
            for place in places { try free(place, in: file) }
        }
        try Self.sync(file, path)
    }

    private func free(_ place: Range<Int64>, in file: OpenFile) throws(LogError) {
        guard cshims_free_range(file.descriptor.raw, off_t(place.lowerBound), place.count) == 0 else {
            throw .lastSystemError("free space in", path)
        }
    }

    // MARK: Restoring

    /// Writes the whole content into a new file under the file's name, and syncs it. If this fails, no content is lost.
    package func restore() throws(LogError) {
        let temporary = path + ".new"
        unlink(temporary)
        do throws(LogError) {
            let copy = try OpenFile(temporary, flags: O_RDWR | O_CREAT)
            try copyContent(to: copy)
            try Self.sync(copy, temporary)
            guard rename(temporary, path) == 0 else { throw .lastSystemError("rename", temporary) }
            state.withLock { $0.file = copy }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func copyContent(to copy: OpenFile) throws(LogError) {
        let end = byteCount
        guard ftruncate(copy.descriptor.raw, off_t(end)) == 0 else { throw .lastSystemError("write", path) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var place: Int64 = 0
        while place < end {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, Int(end - place))])
            try LogError.wrapping { () throws(SQLiteError) in
                try read(into: part, from: place)
                // Free space reads as zeros. The copy needs no space for it.
                if part.contains(where: { $0 != 0 }) {
                    try Self.write(UnsafeRawBufferPointer(part), at: place, to: copy)
                }
            }
            place += Int64(part.count)
        }
    }

    /// For tests: simulates a disk with room for so many more bytes. Nil removes the limit.
    func limitGrowth(bytes: Int64?) {
        state.withLock { state in state.limit = bytes.map { state.committedEnd + $0 } ?? .max }
    }
}
