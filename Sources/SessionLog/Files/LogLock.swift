import Glibc
import Posix
import SessionRecords
import SessionStore
import Synchronization

/// The right to have a log open: a lock (flock(2)) on the file beside the log, and one on the database itself.
///
/// SQLite alone would allow a second process, and the numbers of two writers would then collide.
///
/// The file beside the database can be deleted, and a database can have several names. The lock on the database refuses
/// a second bridge in both cases. SQLite locks with fcntl(2), and flock(2) does not affect those locks on a local disk.
/// But closing any descriptor of the database drops the process's fcntl locks on it. So this descriptor is closed only
/// while SQLite has no connection open. execve(2) closes both descriptors, and the new program locks again.
final class LogLock: Sendable {
    private struct Held: ~Copyable {
        var file: FileLock
        var database: LockedDatabase
    }

    private let held: Mutex<Held>

    /// Creates the database if it is missing. Call this before SQLite opens the database.
    init(_ file: LogFile) throws(LogError) {
        let lock = try FileLock(besideLog: file.lockPath)
        held = Mutex(Held(file: lock, database: try LockedDatabase(path: file.path)))
    }

    /// The identity of the open file beside the database, which can have lost its name.
    var file: FileIdentity? { held.withLock { FileIdentity(descriptor: $0.file.fd) } }

    /// The same for the database.
    var database: FileIdentity? { held.withLock { FileIdentity(descriptor: $0.database.number) } }

    /// The open database.
    var databaseFile: Int32 { held.withLock { $0.database.number } }

    /// Replaces the database by another file. No connection to the previous database can be open.
    func replaceDatabase(_ database: consuming LockedDatabase) {
        var database: LockedDatabase? = consume database
        held.withLock { held in
            if let new = database.take() { held.database = new }
        }
    }

    /// Creates and locks the file beside the database again, after that file has lost its name.
    func replaceFile(path: String) throws(LogError) {
        var lock: FileLock? = try FileLock(besideLog: path)
        held.withLock { held in
            if let new = lock.take() { held.file = new }
        }
    }
}

/// A database file, open and locked. ``LogLock`` explains when it can be closed.
struct LockedDatabase: ~Copyable, Sendable {
    private let lock: FileLock

    var number: Int32 { lock.fd }

    /// Creates the file if it is missing, and makes sure that only its owner can read it. SQLite gives `-wal` and
    /// `-shm` the same mode.
    init(path: String) throws(LogError) {
        let lock = try FileLock(logFile: path, flags: O_RDWR | O_CREAT)
        guard fchmod(lock.fd, 0o600) == 0 else { throw .lastSystemError("change mode of", path) }
        self.lock = lock
    }
}

extension FileLock {
    /// Creates the file beside the log if it is missing, and locks it. The file stays empty.
    fileprivate init(besideLog path: String) throws(LogError) {
        try self.init(logFile: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
    }

    fileprivate init(logFile path: String, flags: Int32) throws(LogError) {
        let file = try LogFile.open(path, flags: flags)
        do throws(Failure) {
            try self.init(locking: file, path: path)
        } catch {
            switch error {
            case .held: throw .locked(lockPath: path)
            case .system(let error): throw .system(operation: "lock", path: path, errno: error.code)
            }
        }
    }
}
