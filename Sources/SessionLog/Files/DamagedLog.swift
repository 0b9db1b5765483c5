import Glibc
import SessionRecords
import SessionStore

/// A log file that is too damaged to be opened. It is renamed, so that a person can examine it whole, and replaced by a
/// new log with its readable content.
struct DamagedLog {
    /// The damaged file's present path: `sessions.db.damaged`, or `sessions.db.damaged-` with a number.
    let path: String
    /// The number of sessions that were copied to the new file.
    let rescuedSessions: Int

    private static let countLimit = 1000

    /// Renames the damaged file and creates a new one. Call this under the log's lock, and only if no connection has
    /// the file open.
    static func replace(_ file: LogFile, _ lock: LogLock) throws(LogError) -> DamagedLog {
        let path = try putAside(file)
        lock.replaceDatabase(try LockedDatabase(path: file.path))
        return DamagedLog(path: path, rescuedSessions: try Rescue.copy(from: path, to: file))
    }

    private static func putAside(_ file: LogFile) throws(LogError) -> String {
        let names = [file.damagedPath] + (2...countLimit).map { "\(file.damagedPath)-\($0)" }
        guard let name = names.first(where: { access($0, F_OK) != 0 }) else { throw .damaged }
        // First, because a new log moves lines without tables aside. After a kill between the two, they are there already.
        let lines = LogFile(path: name).linesPath
        if access(lines, F_OK) != 0 { rename(file.linesPath, lines) }
        guard rename(file.path, name) == 0 else { throw .lastSystemError("rename", file.path) }
        // The WAL and the spool hold data that was not in the file yet.
        rename(file.walPath, LogFile(path: name).walPath)
        rename(file.spoolPath, LogFile(path: name).spoolPath)
        unlink(file.sharedMemoryPath)
        return name
    }
}
