import Glibc

/// The right to have a log open: an exclusive lock on a file beside it, held until this value ends or the process does.
///
/// SQLite would let a second process in; two writers' numbers would then meet. A lock on the log itself would not do:
/// closing any descriptor of that file drops SQLite's own locks:
/// <https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: Descriptor

    init(path: String) throws(LogError) {
        let descriptor = try Descriptor(path: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .locked(lockPath: path) : .lastSystemError("lock", path)
        }
        self.descriptor = descriptor
    }

    /// Closing would not do: a process that is just being started holds a copy of the descriptor until it has its own
    /// program, and with it the lock.
    deinit { flock(descriptor.number, LOCK_UN) }
}
