import Glibc
import Synchronization

/// The right to have a log open: a lock (flock(2)) on the file beside the log, and one on the database itself.
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
        let lock = try FileLock(path: file.lockPath)
        held = Mutex(Held(file: lock, database: try LockedDatabase(path: file.path)))
    }

    var database: FileIdentity? { held.withLock { FileIdentity(descriptor: $0.database.number) } }

    /// Replaces the database by another file. No connection to the previous database can be open.
    func replaceDatabase(_ database: consuming LockedDatabase) {
        var database: LockedDatabase? = consume database
        held.withLock { held in
            if let new = database.take() { held.database = new }
        }
    }

    /// Creates and locks the file beside the database again, after that file has lost its name.
    func replaceFile(path: String) throws(LogError) {
        var lock: FileLock? = try FileLock(path: path)
        held.withLock { held in
            if let new = lock.take() { held.file = new }
        }
    }
}

/// A database file, open and locked. ``LogLock`` explains when it can be closed.
struct LockedDatabase: ~Copyable, Sendable {
    private let descriptor: Descriptor

    var number: Int32 { descriptor.number }

    /// Creates the file if it is missing, and makes sure that only its owner can read it. SQLite gives `-wal` and
    /// `-shm` the same mode.
    init(path: String) throws(LogError) {
        let descriptor = try Descriptor(path: path, flags: O_RDWR | O_CREAT)
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .locked(lockPath: path) : .lastSystemError("lock", path)
        }
        guard fchmod(descriptor.number, 0o600) == 0 else { throw .lastSystemError("change mode of", path) }
        self.descriptor = descriptor
    }

    /// See ``FileLock``: a child process can hold a copy of the descriptor until it runs its own program.
    deinit { flock(descriptor.number, LOCK_UN) }
}
