import Glibc
import Posix
import SQLite
import SessionRecords

/// A new log that was written as bytes, until it is on disk. See ``NewDatabase``.
struct NewLog {
    let id = Schema.newLogId
    private let pieces: [NewDatabase.Piece]
    private let byteCount: Int
    private let file: LogFile
    /// Of the log's lock. Another one could not be closed while SQLite has the file open: that would drop SQLite's locks.
    private let descriptor: Int32
    /// Linux takes the pages of a failed sync to be on disk, so they are written again.
    private var mustWriteAgain = false

    /// Writes a new log into the file if the file is empty, or if a killed process has written a part of a new log. Nil if the
    /// file has anything else, or if there is a WAL or journal of a file before it, which SQLite would apply. SQL creates the
    /// tables then, and SQLite removes these files.
    ///
    /// If a write fails, the file is empty again.
    init?(_ file: LogFile, descriptor: Int32) throws(LogError) {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size == 0 || Self.hasNoHeader(descriptor), access(file.walPath, F_OK) != 0,
            access(file.journalPath, F_OK) != 0
        else { return nil }
        let row: [Statement.Value] = [.integer(Int64(id)), .null, .null, .integer(0), .integer(0)]
        let database = NewDatabase(
            Schema.objects, row: ("log", row), version: UInt32(Schema.version), pageBytes: Schema.pageBytes)
        // If the descriptions of the tables should ever need more than one page, SQL creates the tables.
        guard let pieces = database.pieces, size == 0 || Self.isPart(descriptor, size: size, of: database, pieces)
        else {
            return nil
        }
        self.pieces = pieces
        byteCount = database.byteCount
        self.file = file
        self.descriptor = descriptor
        guard write() else {
            let error = SQLiteError(ofWrite: errno)
            ftruncate(descriptor, 0)
            throw LogError(error)
        }
    }

    /// The header of a file that was not written to its end is missing, because it comes last.
    private static func hasNoHeader(_ descriptor: Int32) -> Bool {
        var header = [UInt8](repeating: 0, count: 16)
        return pread(descriptor, &header, header.count, 0) > 0 && header.allSatisfy { $0 == 0 }
    }

    /// True if each byte of the file is zero or the one of a new log, except for the row with the id. No other file is
    /// overwritten, also if its header is gone: a log with sessions has them on pages that are empty in a new log.
    private static func isPart(
        _ descriptor: Int32, size: off_t, of database: NewDatabase, _ pieces: [NewDatabase.Piece]
    ) -> Bool {
        guard size <= database.byteCount else { return false }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { return false }
        for piece in pieces {
            let isRow = (Schema.pageBytes + 1..<2 * Schema.pageBytes).contains(piece.place)
            for (place, byte) in zip(piece.place..., piece.bytes)
            where place < bytes.count && (isRow || bytes[place] == byte) { bytes[place] = 0 }
        }
        return bytes.allSatisfy { $0 == 0 }
    }

    /// The beginning of the file comes last. Returns false if a write fails; `errno` then has the reason.
    private func write() -> Bool {
        write(pieces.dropLast()) && ftruncate(descriptor, off_t(byteCount)) == 0 && write(pieces.suffix(1))
    }

    private func write(_ pieces: ArraySlice<NewDatabase.Piece>) -> Bool {
        for piece in pieces {
            guard piece.bytes.withUnsafeBytes({ LogFile.writeAll($0, at: off_t(piece.place), to: descriptor) }) else {
                return false
            }
        }
        return true
    }

    /// Returns when the file and the names in its folder are on disk. Call this before SQLite moves a WAL into the file.
    mutating func sync() throws(LogError) {
        if mustWriteAgain {
            guard write() else { throw LogError(SQLiteError(ofWrite: errno)) }
        }
        mustWriteAgain = true
        guard fdatasync(descriptor) == 0 else { throw .lastSystemError("sync", file.path) }
        try file.syncFolder()
    }
}
