import EventLoop
import Glibc

/// A file that one process at a time holds (flock(2)), with the holder's process id in it. The system lets go of it
/// when the holder dies, however it dies.
public struct FileLock: ~Copyable {
    private let descriptor: Descriptor

    public enum Failure: Error {
        case held(byProcess: pid_t?)
        case system(SystemError)
    }

    /// - Parameter waiting: wait until the lock is free, instead of failing with `held`.
    public init(path: String, waiting: Bool = false) throws(Failure) {
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

    /// It is truncated, so a link that leads to another file is not followed.
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

    /// One that the program before this one has taken, in this very process.
    init(adopting fd: Int32) { descriptor = Descriptor(owning: fd) }

    var fd: Int32 { descriptor.raw }

    /// Lets go of it; dropping it does the same.
    public consuming func release() {}

    /// Closing would not do: a process that is just being started holds a copy of the descriptor until it has its own
    /// program, and with it the lock.
    deinit { flock(descriptor.raw, LOCK_UN) }

    private static func processId(in fd: Int32) -> pid_t? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(fd, &text, text.count, 0)
        guard count > 0 else { return nil }
        return pid_t(String(decoding: text.prefix(count).prefix { $0 != 0x0a }, as: UTF8.self))
    }
}
