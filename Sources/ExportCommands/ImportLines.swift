import CommandContext
import Glibc
import Posix
import SessionExport
import TerminalText

/// The file of an import, which is read twice. A copy of standard input takes its place.
final class ImportSource: Sendable {
    /// For messages.
    let name: String
    fileprivate let path: String
    /// A file without a name, which is deleted when it is closed.
    private let copy: Descriptor?

    /// - Parameters:
    ///   - file: A path, or `-`.
    ///   - limitBytes: More of standard input is not copied. A byte beyond the limit makes the check of the size fail.
    init(_ file: String, limitBytes: Int) throws(Failure) {
        if file == "-" {
            let copy = try Self.unnamedFile()
            try Self.copyStandardInput(to: copy.raw, limitBytes: limitBytes)
            name = "standard input"
            path = "/proc/self/fd/\(copy.raw)"
            self.copy = consume copy
        } else {
            name = file
            path = file
            copy = nil
        }
    }

    private static func unnamedFile() throws(Failure) -> Descriptor {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var template = Array("\(folder.isEmpty ? "/tmp" : folder)/acpbridge-import.XXXXXX".utf8CString)
        let fd = mkstemp(&template)
        guard fd >= 0 else {
            throw Failure(message: "a temporary file cannot be made: \(SystemError("mkstemp").reason)")
        }
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        unlink(&template)
        return Descriptor(owning: fd)
    }

    private static func copyStandardInput(to file: Int32, limitBytes: Int) throws(Failure) {
        var copied = 0
        var chunk = [UInt8](repeating: 0, count: ImportLines.chunkBytes)
        while copied <= limitBytes {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure(message: "standard input cannot be read: \(SystemError("read").reason)")
            }
            if count == 0 { return }
            guard write(file, chunk, count) == count else {
                throw Failure(message: "the temporary file cannot be written: \(SystemError("write").reason)")
            }
            copied += count
        }
    }
}

/// Reads a file line by line.
struct ImportLines: ~Copyable {
    fileprivate static let chunkBytes = 256 << 10

    /// For messages.
    private let name: String
    private let file: Descriptor
    /// Bytes that were read and not returned, at most one line and one chunk. A line beyond the limit is returned in its
    /// first part, which is longer than the limit too, so that the check of the line fails.
    private var waiting: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(_ source: ImportSource) throws(Failure) {
        file = try Self.opened(source.path)
        name = source.name
    }

    private static func opened(_ path: String) throws(Failure) -> Descriptor {
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { throw Failure(message: "\(path) cannot be read: \(SystemError("open").reason)") }
        let file = Descriptor(owning: fd)
        var status = stat()
        // The file is read twice, which a pipe does not allow.
        guard fstat(fd, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(message: "\(path) is not a file; '-' reads standard input")
        }
        return file
    }

    /// Returns the next line without its line feed, or nil at the end.
    mutating func next() throws(Failure) -> [UInt8]? {
        var searched = start
        while true {
            if let end = waiting[searched...].firstIndex(of: 0x0a) {
                defer { start = end + 1 }
                return Array(waiting[start..<end])
            }
            searched = waiting.count
            if isAtEnd || waiting.count - start > ExportLine.limitBytes {
                guard start < waiting.count else { return nil }
                defer { start = waiting.count }
                return Array(waiting[start...])
            }
            waiting.removeFirst(start)
            (searched, start) = (searched - start, 0)
            try fill()
        }
    }

    private mutating func fill() throws(Failure) {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        let count = Glibc.read(file.raw, &chunk, chunk.count)
        if count < 0, errno == EINTR { return }
        guard count >= 0 else { throw Failure(message: "\(name) cannot be read: \(SystemError("read").reason)") }
        isAtEnd = count == 0
        waiting += chunk.prefix(count)
    }
}
