import Glibc
import Synchronization

/// The right to have a log open: a lock (flock(2)) on the file beside it, and one on the database itself.
///
/// The file beside it can be deleted, and a database can be reached by several names; the lock on the database refuses a
/// second bridge then too. SQLite locks with fcntl(2), which flock(2) does not affect on a local disk. But closing any
/// descriptor of the database drops the process's fcntl locks on it, so this descriptor is closed only when no connection
/// of SQLite's is open. Both descriptors are closed by execve(2): a program that takes this one's place locks again.
final class LogLock: Sendable {
    private struct Held: ~Copyable {
        var file: FileLock
        var database: LockedDatabase
    }

    private let held: Mutex<Held>

    /// The database is created if it is missing. Before SQLite opens it.
    init(_ file: LogFile) throws(LogError) {
        let lock = try FileLock(path: file.lockPath)
        held = Mutex(Held(file: lock, database: try LockedDatabase(path: file.path)))
    }

    var database: FileIdentity? { held.withLock { FileIdentity(descriptor: $0.database.number) } }

    /// The database is another file from here on. No connection may be open to the one before.
    func replaceDatabase(_ database: consuming LockedDatabase) {
        var database: LockedDatabase? = consume database
        held.withLock { held in
            if let new = database.take() { held.database = new }
        }
    }

    /// The file beside the database has lost its name.
    func replaceFile(path: String) throws(LogError) {
        var lock: FileLock? = try FileLock(path: path)
        held.withLock { held in
            if let new = lock.take() { held.file = new }
        }
    }
}

/// A database file, open and locked. See ``LogLock`` for when it may be closed.
struct LockedDatabase: ~Copyable, Sendable {
    private let descriptor: Descriptor

    var number: Int32 { descriptor.number }

    /// Creates the file if it is missing, and makes sure that only its owner can read it. SQLite gives `-wal` and `-shm` the
    /// same mode.
    init(path: String) throws(LogError) {
        let descriptor = try Descriptor(path: path, flags: O_RDWR | O_CREAT)
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .locked(lockPath: path) : .lastSystemError("lock", path)
        }
        guard fchmod(descriptor.number, 0o600) == 0 else { throw .lastSystemError("change mode of", path) }
        self.descriptor = descriptor
    }

    /// See ``FileLock``: a process that is just being started may hold a copy.
    deinit { flock(descriptor.number, LOCK_UN) }
}
