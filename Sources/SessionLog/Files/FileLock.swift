import Glibc

/// An exclusive lock on a file beside the log, held until this value or the process ends.
///
/// SQLite alone would allow a second process, and the numbers of two writers would then collide. ``LogLock`` locks the
/// log itself too.
struct FileLock: ~Copyable, Sendable {
    private let descriptor: Descriptor

    init(path: String) throws(LogError) {
        let descriptor = try Descriptor(path: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .locked(lockPath: path) : .lastSystemError("lock", path)
        }
        self.descriptor = descriptor
    }

    /// Closing the descriptor is not enough. A child process holds a copy of the descriptor, and so the lock, until it
    /// runs its own program.
    deinit { flock(descriptor.number, LOCK_UN) }
}
