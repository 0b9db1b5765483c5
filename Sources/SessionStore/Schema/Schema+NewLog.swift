import Glibc
import Posix
import SQLite
import SessionRecords

extension Schema {
    /// Writes a new log into the file if the file is empty, and returns the log's id. Nil if it is not empty. No connection in
    /// this process can have the file open, because closing the file drops the process's locks on it.
    ///
    /// If the process is killed meanwhile, the file has no header. Such a file is replaced like a damaged one. If a write fails,
    /// the file is empty again.
    static func writeNewLog(_ file: LogFile) throws(LogError) -> UInt32? {
        let descriptor = try LogFile.open(file.path, flags: O_RDWR)
        guard lseek(descriptor.raw, 0, SEEK_END) == 0 else { return nil }
        let id = newLogId
        let row: [Statement.Value] = [.integer(Int64(id)), .null, .null, .integer(0), .integer(0)]
        let log = NewDatabase(objects, row: ("log", row), version: UInt32(version), pageBytes: pageBytes)
        // If the descriptions of the tables should ever need more than one page, SQL creates the tables.
        guard let pieces = log.pieces else { return nil }
        // The beginning of the file comes last.
        guard write(pieces.dropLast(), to: descriptor), ftruncate(descriptor.raw, off_t(log.byteCount)) == 0,
            write(pieces.suffix(1), to: descriptor)
        else {
            let error = SQLiteError(ofWrite: errno)
            ftruncate(descriptor.raw, 0)
            throw LogError(error)
        }
        return id
    }

    /// Returns false if a write fails; `errno` then has the reason.
    private static func write(_ pieces: ArraySlice<NewDatabase.Piece>, to file: borrowing Descriptor) -> Bool {
        for piece in pieces {
            guard piece.bytes.withUnsafeBytes({ LogFile.writeAll($0, at: off_t(piece.place), to: file) }) else {
                return false
            }
        }
        return true
    }
}
