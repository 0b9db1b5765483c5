import Glibc
import Posix
import Synchronization

/// Writes the daemon's own log to a descriptor, which stays open until the process ends.
package struct DescriptorOutput: Sendable {
    private let fd: Int32

    package static let standardError = DescriptorOutput(fd: STDERR_FILENO)

    init(fd: Int32) { self.fd = fd }

    /// Returns the number of bytes that were written. A pipe is ready if it has room for PIPE_BUF bytes, so a line of
    /// ``DiagnosticLine/limitBytes`` never blocks.
    @Sendable package func write(_ line: [UInt8]) -> Int {
        var room = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) == 1, room.revents & Int16(POLLOUT) != 0 else { return 0 }
        return max(0, Glibc.write(fd, line, line.count))
    }
}

/// Appends the daemon's own log to a file, which only its owner can read. A full file is renamed to `FILE.1`, which
/// replaces the one before it.
package final class FileOutput: Sendable {
    private let path: String
    private let limitBytes: Int
    private let fd: Mutex<Int32>
    /// True if the descriptor is that of standard error. Its number stays the same, and it is never closed.
    private let isStandardError: Bool

    /// The default of `--limit bridge-log`: 16 MiB, some 100,000 lines. The log takes up to twice this size.
    package static let limitBytes = 16 << 20

    /// A FIFO must have a reader already: to wait for one would stop the start of the bridge.
    package init(_ path: String, limitBytes: Int = limitBytes) throws(SystemError) {
        self.path = path
        self.limitBytes = limitBytes
        let opened = Self.open(path)
        guard opened >= 0 || errno != ENXIO else {
            throw SystemError(refusing: path, because: "no program reads it; start its reader first, or name a file")
        }
        guard opened >= 0 else { throw SystemError("open \(path)") }
        fd = Mutex(opened)
        isStandardError = false
    }

    /// Takes over a standard error stream that is the file at `path`. Everything that the process writes to standard error
    /// later is then in the new file. Nil if standard error is something else, such as a terminal.
    ///
    /// - Parameter descriptor: The number of standard error.
    package init?(standardErrorIn path: String, limitBytes: Int = limitBytes, descriptor: Int32 = STDERR_FILENO) {
        self.path = path
        self.limitBytes = limitBytes
        fd = Mutex(descriptor)
        isStandardError = true
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, isCurrent(status) else { return nil }
    }

    deinit {
        if !isStandardError { fd.withLock { _ = close($0) } }
    }

    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }

    /// Returns the number of bytes that were written.
    @Sendable package func write(_ line: [UInt8]) -> Int {
        fd.withLock { fd in
            rotateIfFull(&fd, for: line.count)
            return DescriptorOutput(fd: fd).write(line)
        }
    }

    /// Begins a new file if the present one has reached its limit. Call before a write that does not use ``write(_:)``.
    package func rotateIfFull() { fd.withLock { rotateIfFull(&$0, for: 1) } }

    /// If the file cannot be renamed, it grows, so that no line is lost. A device or a pipe is never renamed.
    private func rotateIfFull(_ fd: inout Int32, for count: Int) {
        var status = stat()
        guard fstat(fd, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) + count > limitBytes,
            status.st_size > 0, isRenamed(status)
        else { return }
        let fresh = Self.open(path)
        guard fresh >= 0 else { return }
        if isStandardError {
            dup2(fresh, fd)
            close(fresh)
        } else {
            close(fd)
            fd = fresh
        }
    }

    /// Returns true if the full file has the name `FILE.1` now. During an upgrade in place two processes share a standard
    /// error stream, and the other one can have renamed the file.
    private func isRenamed(_ full: stat) -> Bool {
        isCurrent(full) ? rename(path, path + ".1") == 0 : isStandardError
    }

    /// Another program can have renamed the file.
    private func isCurrent(_ opened: stat) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_ino == opened.st_ino && status.st_dev == opened.st_dev
    }
}

/// Sends the daemon's own log to systemd's journal, one datagram per event. Source: systemd's "Native Journal Protocol".
package struct JournalOutput: Sendable {
    private let fd: Int32
    private let path: String

    package static let standardPath = "/run/systemd/journal/socket"

    package init(path: String = standardPath) throws(SystemError) {
        guard access(path, W_OK) == 0 else { throw SystemError("open \(path)") }
        fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard fd >= 0 else { throw SystemError("socket") }
        self.path = path
    }

    /// Returns the number of bytes that were sent: all or none. The address is given each time, because the journal's
    /// daemon can be restarted.
    @Sendable package func write(_ entry: [UInt8]) -> Int {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                max(0, sendto(fd, entry, entry.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, size))
            }
        }
    }
}
