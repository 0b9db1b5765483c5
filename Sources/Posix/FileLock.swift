import Glibc

/// A lock file (flock(2)) that one process at a time can hold. The file contains the holder's process id. The system
/// releases the lock when the holder dies, however it dies.
package struct FileLock: ~Copyable {
    private let descriptor: Descriptor

    package enum Failure: Error {
        case held(byProcess: pid_t?)
        case system(SystemError)
    }

    /// - Parameter waiting: Wait until the lock is free instead of failing with `held`.
    package init(path: String, waiting: Bool = false) throws(Failure) {
        let descriptor = try Self.openFile(path)
        let fd = descriptor.raw
        while flock(fd, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw .held(byProcess: Self.processId(in: fd))
            default: throw .system(SystemError("flock \(path)"))
            }
        }
        self.descriptor = descriptor
        ftruncate(fd, 0)
        let text = Array("\(getpid())\n".utf8)
        _ = text.withUnsafeBytes { pwrite(fd, $0.baseAddress, $0.count, 0) }
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
