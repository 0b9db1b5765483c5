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
            guard flags & O_CREAT == 0 || fchmod(descriptor.raw, 0o600) == 0 else {
                throw .lastSystemError("change mode of", path)
            }
        }

        /// Nil if this cannot be found out.
        var status: stat? {
            var status = stat()
            return fstat(descriptor.raw, &status) == 0 ? status : nil
        }
    }

    private struct State {
        var file: OpenFile
        /// The end of the lines whose rows are committed.
        var committedEnd: Int64 = 0
        var syncs = LinesSyncs()
        /// From here on the file takes no lines.
        var lastPlace = LinesFile.largestPlace
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

    /// Throws ``SQLiteError/corrupt`` if the file has no such place.
    func checkPlace(_ place: Int64, size: Int64) throws(SQLiteError) {
        let (end, overflow) = place.addingReportingOverflow(size)
        guard place >= 0, size > 0, !overflow, end <= byteCount else { throw .corrupt }
    }

    private var byteCount: Int64 { file.status.map { Int64($0.st_size) } ?? 0 }

    /// Fills `bytes` from a place. Throws ``SQLiteError/corrupt`` if the file ends before.
    func read(into bytes: UnsafeMutableRawBufferPointer, from place: Int64) throws(SQLiteError) {
        let file = file
        var filled = 0
        while filled < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let count = pread(file.descriptor.raw, rest.baseAddress, rest.count, off_t(place) + filled)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .readFailed }
            guard count > 0 else { throw .corrupt }
            filled += count
        }
    }

    // MARK: Writing

    /// Records what the tables say when the log is opened. The next lines come behind everything that the file has, because
    /// another copy of the tables can refer to it. After a kill, this can be a few lines whose rows were not committed.
    ///
    /// - Parameters:
    ///   - end: The end of the lines that have rows.
    ///   - synced: Lines before this place are on disk.
    func begin(end: Int64, synced: Int64) {
        let end = max(end, byteCount)
        state.withLock { state in
            state.committedEnd = end
            state.syncs.opened(synced: synced)
        }
    }

    /// Renames the file if it has lines, because a new log has none. A person has moved or deleted only the tables.
    static func putAside(_ path: String) throws(LogError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return }
        let names = ["\(path).found"] + (2...1000).map { "\(path).found-\($0)" }
        guard let name = names.first(where: { access($0, F_OK) != 0 }), rename(path, name) == 0 else {
            throw .lastSystemError("rename", path)
        }
    }

    /// Returns false if lines at this place belong into the tables.
    func takesLines(at place: Int64) -> Bool { place < state.withLock { $0.lastPlace } }

    /// Returns when all bytes are in the page cache.
    func write(_ bytes: UnsafeRawBufferPointer, at place: Int64) throws(SQLiteError) {
        let (file, limit) = state.withLock { ($0.file, $0.limit) }
        guard place + Int64(bytes.count) <= limit else { throw .full }
        do throws(SQLiteError) {
            try Self.write(bytes, at: place, to: file)
        } catch {
            // The file system has no longer files. The next lines go into the tables.
            if errno == EFBIG { state.withLock { $0.lastPlace = place } }
            throw error
        }
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, at place: Int64, to file: OpenFile
    ) throws(SQLiteError) {
        guard LogFile.writeAll(bytes, at: off_t(place), to: file.descriptor.raw) else {
            throw SQLiteError(ofWrite: errno)
        }
    }

    /// The end of the lines whose rows are committed. The next lines begin here.
    var committedEnd: Int64 { state.withLock { $0.committedEnd } }

    /// Call this after the rows of the lines before this place were committed.
    func committed(to end: Int64) { state.withLock { $0.committedEnd = end } }

    /// Call this after a transaction was rolled back. Its lines are overwritten by the next.
    func rolledBack() { state.withLock { $0.syncs.discarded(from: $0.committedEnd) } }

    // MARK: Syncing

    /// Lines before this place are on disk.
    var syncedEnd: Int64 { state.withLock { $0.syncs.syncedEnd } }

    /// Returns when the lines of all rows committed before are on disk.
    package func sync() throws(LogError) {
        try sync(to: committedEnd)
    }

    /// Returns when all that was written is on disk.
    ///
    /// - Parameter end: Everything before this place was written.
    func sync(to end: Int64) throws(LogError) {
        while true {
            let (file, attempt) = state.withLock { ($0.file, $0.syncs.next) }
            guard attempt.start < end else { return }
            // After a failed sync Linux takes the lines to be on disk, and the next sync would succeed, so they are written
            // again: https://wiki.postgresql.org/wiki/Fsync_Errors
            if attempt.mustRewrite { try copy(attempt.start..<end, to: file) }
            try sync(file)
            if state.withLock({ $0.syncs.succeeded(attempt, to: end) }) { return }
        }
    }

    private func sync(_ file: OpenFile) throws(LogError) {
        guard fdatasync(file.descriptor.raw) != 0 else { return }
        let error = LogError.lastSystemError("sync", path)
        let end = byteCount
        state.withLock { $0.syncs.failed(writtenEnd: end) }
        throw error
    }

    /// Writes lines at the same places of a file, in pieces of up to 1 MiB. Nothing is freed between the reading and the
    /// writing of a piece.
    private func copy(_ places: Range<Int64>, to target: OpenFile) throws(LogError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        var place = places.lowerBound
        while place < places.upperBound {
            let end = min(place + Int64(Self.pieceBytes), places.upperBound)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(end - place)])
            try reading.withLock { (_) throws(LogError) in
                try LogError.wrapping { () throws(SQLiteError) in
                    try read(into: piece, from: place)
                    try Self.write(UnsafeRawBufferPointer(piece), at: place, to: target)
                }
            }
            place = end
        }
    }

    private static let pieceBytes = 1 << 20

    // MARK: Freeing

    /// The bytes that the file occupies on disk, without the freed ones. A file system can reserve more at the end.
    func usedBytes() -> Int64 { file.status.map { min(Int64($0.st_blocks) * 512, Int64($0.st_size)) } ?? 0 }

    /// Gives the space of these places back, and syncs that. Waits for a query that is being answered. The rows must be
    /// deleted, and the deletion on disk.
    func free(_ places: [Range<Int64>]) throws(LogError) {
        let file = file
        for place in places {
            // In pieces, so that a query waits only for one.
            for start in stride(from: place.lowerBound, to: place.upperBound, by: Self.freedBytes) {
                let end = min(start + Int64(Self.freedBytes), place.upperBound)
                try reading.withLock { (_) throws(LogError) in try free(start..<end, in: file) }
            }
        }
        try sync(file)
    }

    /// 16 MiB.
    private static let freedBytes = 16 << 20

    private func free(_ place: Range<Int64>, in file: OpenFile) throws(LogError) {
        guard cshims_free_range(file.descriptor.raw, off_t(place.lowerBound), place.count) == 0 else {
            throw .lastSystemError("free space in", path)
        }
    }

    // MARK: Restoring

    /// Writes the whole content into a new file under the file's name, and syncs it. If this fails, no content is lost. The
    /// folder must be synced afterwards.
    package func restore() throws(LogError) {
        let temporary = path + ".new"
        unlink(temporary)
        do throws(LogError) {
            let copy = try OpenFile(temporary, flags: O_RDWR | O_CREAT | O_EXCL)
            try copyContent(of: file, to: copy)
            guard fdatasync(copy.descriptor.raw) == 0 else { throw .lastSystemError("sync", temporary) }
            guard rename(temporary, path) == 0 else { throw .lastSystemError("rename", temporary) }
            state.withLock { $0.file = copy }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private func copyContent(of file: OpenFile, to copy: OpenFile) throws(LogError) {
        guard let end = file.status?.st_size else { throw .lastSystemError("read", path) }
        guard ftruncate(copy.descriptor.raw, end) == 0 else { throw .lastSystemError("write", path) }
        var place: off_t = 0
        while let data = Self.data(in: file, from: place, end: end) {
            try self.copy(Int64(data.lowerBound)..<Int64(data.upperBound), to: copy)
            place = data.upperBound
        }
    }

    /// Returns the next places that are not free, or nil at the end. A file system without free places returns all.
    private static func data(in file: OpenFile, from place: off_t, end: off_t) -> Range<off_t>? {
        // lseek(2): SEEK_DATA and SEEK_HOLE, which Swift does not import.
        let (seekData, seekHole): (Int32, Int32) = (3, 4)
        guard place < end else { return nil }
        let start = lseek(file.descriptor.raw, place, seekData)
        guard start >= 0 else { return errno == ENXIO ? nil : place..<end }
        let hole = lseek(file.descriptor.raw, start, seekHole)
        return start < end ? start..<(hole > start ? min(hole, end) : end) : nil
    }

    /// For tests: simulates a disk with room for so many more bytes. Nil removes the limit.
    func limitGrowth(bytes: Int64?) {
        state.withLock { state in state.limit = bytes.map { state.committedEnd + $0 } ?? .max }
    }
}
