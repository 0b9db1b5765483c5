import Glibc

/// An exclusive lock on a file beside the log, held until this value ends or the process does.
///
/// SQLite would let a second process in; two writers' numbers would then meet. ``LogLock`` locks the log itself too.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: Descriptor

    init(path: String) throws(LogError) {
        let descriptor = try Descriptor(path: path, flags: O_RDWR | O_CREAT)
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .locked(lockPath: path) : .lastSystemError("lock", path)
        }
        self.descriptor = descriptor
    }

    /// Closing would not do: a process that is just being started holds a copy of the descriptor until it has its own
    /// program, and with it the lock.
    deinit { flock(descriptor.number, LOCK_UN) }
}
