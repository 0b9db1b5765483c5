import CommandContext
import Glibc
import Posix
import TerminalIO
import TerminalText

/// The destination of an export: stdout, or a file that appears only when it is complete.
final class ExportOutput {
    private let path: String?
    /// The new file, beside `path`.
    private let temporary: String
    /// The new file, or stdout.
    private let fd: Int32
    private(set) var byteCount = 0
    private var isComplete = false

    /// - Parameter path: Nil for stdout.
    init(path: String?) throws(Failure) {
        self.path = path
        temporary = "\(path ?? "").\(getpid())"
        guard let path else {
            fd = STDOUT_FILENO
            return
        }
        unlink(temporary)
        fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw Failure(message: "\(path) cannot be written: \(SystemError("open").reason)") }
    }

    deinit {
        guard path != nil else { return }
        close(fd)
        if !isComplete { unlink(temporary) }
    }

    func write(_ bytes: [UInt8]) throws {
        byteCount += bytes.count
        guard path == nil, Console.isTerminal(fd) else { return try Console.transfer(bytes, to: fd) }
        try Console.show(TerminalText(lines: String(decoding: bytes, as: UTF8.self)))
    }

    /// Gives the file its name.
    func finish() throws(Failure) {
        guard let path else { return }
        guard fsync(fd) == 0, rename(temporary, path) == 0 else {
            throw Failure(message: "\(path) cannot be written: \(SystemError("rename").reason)")
        }
        isComplete = true
    }
}
