import Glibc

/// An exclusive lock on a file (flock(2)) that one process at a time can hold. The system releases the lock when the
/// holder dies, however it dies.
package struct FileLock: ~Copyable, Sendable {
    private let descriptor: Descriptor

    package enum Failure: Error {
        /// The process id is known if the holder has written it into the file.
        case held(byProcess: pid_t?)
        case system(SystemError)
    }

    /// Creates and locks a lock file, which contains the holder's process id.
    ///
    /// - Parameter waiting: Wait until the lock is free instead of failing with `held`.
    package init(path: String, waiting: Bool = false) throws(Failure) {
        let descriptor = try Self.openFile(path)
        let fd = descriptor.raw
        guard try Self.lock(fd, path, waiting: waiting) else { throw .held(byProcess: Self.processId(in: fd)) }
        self.descriptor = descriptor
        let text = Array("\(getpid())\n".utf8)
        let written = text.withUnsafeBytes { pwrite(fd, $0.baseAddress, $0.count, 0) }
        // In this order, the file keeps its block, which takes 0.2 ms to give up. No id is better than a wrong one.
        ftruncate(fd, written == text.count ? off_t(written) : 0)
    }

    /// Locks an open file. Its content is neither read nor changed.
    ///
    /// - Parameter path: For the error's text.
    package init(locking descriptor: consuming Descriptor, path: String) throws(Failure) {
        guard try Self.lock(descriptor.raw, path, waiting: false) else { throw .held(byProcess: nil) }
        self.descriptor = descriptor
    }

    /// Returns false if another process holds the lock.
    private static func lock(_ fd: Int32, _ path: String, waiting: Bool) throws(Failure) -> Bool {
        while flock(fd, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw .system(SystemError("flock \(path)"))
            }
        }
        return true
    }

    /// The lock file is truncated, so a symbolic link to another file is not followed.
    private static func openFile(_ path: String) throws(Failure) -> Descriptor {
        let fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else { throw .system(SystemError("open \(path)")) }
        let descriptor = Descriptor(owning: fd)
        do throws(SystemError) {
            try FileTrust.check(fd, path: path)
        } catch {
            throw .system(error)
        }
        return descriptor
    }

    /// Adopts a lock that the previous program took in this same process.
    package init(adopting fd: Int32) { descriptor = Descriptor(owning: fd) }

    package var fd: Int32 { descriptor.raw }

    /// Releases the lock. Dropping the value does the same.
    package consuming func release() {}

    /// Closing the descriptor is not enough. A child process holds a copy of the descriptor, and so the lock, until it
    /// runs its own program.
    deinit { flock(descriptor.raw, LOCK_UN) }

    private static func processId(in fd: Int32) -> pid_t? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(fd, &text, text.count, 0)
        guard count > 0 else { return nil }
        return pid_t(String(decoding: text.prefix(count).prefix { $0 != 0x0a }, as: UTF8.self))
    }
}
