import CommandContext
import Glibc
import Posix
import TerminalIO
import TerminalText

/// The destination of an export: stdout, a device or a pipe, or a file that appears only when it is complete.
final class ExportOutput {
    /// A new file, and the path that it gets when it is complete.
    private struct NewFile {
        let temporary: String
        let path: String
    }

    private let fd: Int32
    /// Nil for stdout, devices and pipes, which are written directly.
    private let newFile: NewFile?
    private(set) var byteCount = 0
    private var isComplete = false
    /// A file had the name before.
    private(set) var replacesFile = false

    /// - Parameter path: Nil for stdout. A link stays, and the file that it refers to is replaced.
    init(path: String?) throws(Failure) {
        guard let path else {
            (fd, newFile) = (STDOUT_FILENO, nil)
            return
        }
        switch Self.target(path) {
        case .output: (fd, newFile) = (STDOUT_FILENO, nil)
        case .existing: (fd, newFile) = (open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600), nil)
        case .file:
            let file = ProcessContext.realPath(path)
            replacesFile = access(file, F_OK) == 0
            let temporary = "\(file).\(getpid())"
            unlink(temporary)
            fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            newFile = NewFile(temporary: temporary, path: file)
        }
        guard fd >= 0 else { throw Failure(message: "\(path) cannot be written: \(SystemError("open").reason)") }
    }

    private enum Target {
        /// The process's own output has another name, such as `/dev/stdout`.
        case output
        /// A device, a pipe, or a link to a file that does not exist yet.
        case existing
        case file
    }

    private static func target(_ path: String) -> Target {
        var (status, own) = (stat(), stat())
        guard stat(path, &status) == 0 else {
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK ? .existing : .file
        }
        if fstat(STDOUT_FILENO, &own) == 0, own.st_dev == status.st_dev, own.st_ino == status.st_ino { return .output }
        return status.st_mode & S_IFMT == S_IFREG ? .file : .existing
    }

    deinit {
        if fd != STDOUT_FILENO { close(fd) }
        if let newFile, !isComplete { unlink(newFile.temporary) }
    }

    func write(_ bytes: [UInt8]) throws {
        byteCount += bytes.count
        let isShown = Console.isTerminal(fd)
        let written = isShown ? Array(TerminalText(lines: String(decoding: bytes, as: UTF8.self)).text.utf8) : bytes
        try Console.transfer(written, to: fd)
    }

    /// Gives a new file its name.
    func finish() throws(Failure) {
        guard let newFile else { return }
        guard fsync(fd) == 0, rename(newFile.temporary, newFile.path) == 0 else {
            throw Failure(message: "\(newFile.path) cannot be written: \(SystemError("rename").reason)")
        }
        isComplete = true
    }
}
