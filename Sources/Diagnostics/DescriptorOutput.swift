import Glibc
import Posix

/// Writes the daemon's own log to a descriptor, which stays open until the process ends.
package struct DescriptorOutput: Sendable {
    private let fd: Int32

    package static let standardError = DescriptorOutput(fd: STDERR_FILENO)

    /// Opens a file for appending, which only its owner can read.
    package static func file(_ path: String) throws(SystemError) -> DescriptorOutput {
        let fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else { throw SystemError("open \(path)") }
        return DescriptorOutput(fd: fd)
    }

    init(fd: Int32) { self.fd = fd }

    /// Returns the number of bytes that were written. A pipe is ready if it has room for PIPE_BUF bytes, so a line of
    /// ``DiagnosticLine/limitBytes`` never blocks.
    @Sendable package func write(_ line: [UInt8]) -> Int {
        var room = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) == 1, room.revents & Int16(POLLOUT) != 0 else { return 0 }
        return max(0, Glibc.write(fd, line, line.count))
    }
}
