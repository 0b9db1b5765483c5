import Glibc

/// The right to have a log open: an exclusive lock on a file beside it, held until this value ends or the process does.
///
/// SQLite would let a second process in; two writers' numbers would then meet. A lock on the log itself would not do:
/// closing any descriptor of that file drops SQLite's own locks: <https://sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32

    init(path: String) throws(LogError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .lastSystemError("open", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error: LogError =
                errno == EWOULDBLOCK ? .locked(lockPath: path) : .lastSystemError("lock", path)
            Glibc.close(descriptor)
            throw error
        }
    }

    deinit { Glibc.close(descriptor) }
}
