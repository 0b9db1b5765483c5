import Diagnostics
import Glibc
import Posix
import SessionRecords
import SessionStore

/// The steps that restore the files of an open log under their names. They run on the writer's thread.
enum LogRestoration {
    private static let countLimit = 1000

    /// Creates the log's folder if it is missing. The caller is responsible for the folders above it.
    static func makeFolder(of file: LogFile) throws(LogError) {
        guard let end = file.path.lastIndex(of: "/"), end > file.path.startIndex else { return }
        let folder = String(file.path[..<end])
        guard mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
        throw .lastSystemError("create", folder)
    }

    /// Renames foreign files that have taken the log files' names, to `sessions.db.found` or to that name with a
    /// number. A database is moved with its WAL and shared memory.
    static func putAside(_ lost: [OpenedFiles.Part], of file: LogFile) throws(LogError) {
        let parts = lost.filter { $0 != .lock && access(file.path(of: $0), F_OK) == 0 }
        guard !parts.isEmpty else { return }
        let names =
            [LogFile(path: "\(file.path).found")] + (2...countLimit).map { LogFile(path: "\(file.path).found-\($0)") }
        let free = names.first { name in OpenedFiles.Part.allCases.allSatisfy { access(name.path(of: $0), F_OK) != 0 } }
        guard let free else { throw .system(operation: "rename", path: file.path, errno: EEXIST) }
        for part in parts where rename(file.path(of: part), free.path(of: part)) != 0 {
            throw .lastSystemError("rename", file.path(of: part))
        }
    }

    /// Writes the log's whole content into a new file under the log's name, and syncs it to disk. If this fails, no
    /// content is lost.
    static func copy(_ store: WriteConnection, to file: LogFile) throws(LogError) -> LockedDatabase {
        let temporary = file.path + ".new"
        unlink(temporary)
        do throws(LogError) {
            let database = try LockedDatabase(path: temporary)
            // SQLite's locks on the copy are dropped with its connection. That is safe because no other connection has
            // the copy open yet.
            try store.copy(toFile: temporary)
            guard fdatasync(database.number) == 0 else { throw .lastSystemError("sync", temporary) }
            guard rename(temporary, file.path) == 0 else { throw .lastSystemError("rename", temporary) }
            syncFolder(of: file)
            return database
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes the WAL and shared memory of the previous file. The copy already has the WAL's content, and SQLite would
    /// read that WAL as the copy's own.
    static func removeSideFiles(of file: LogFile) {
        unlink(file.path(of: .wal))
        unlink(file.path(of: .sharedMemory))
    }

    /// If a power cut takes the rename back, the log is as lost as before.
    static func syncFolder(of file: LogFile) {
        orLog("syncing the log's folder") { () throws(LogError) in try file.syncFolder() }
    }
}
