import CommandContext
import Glibc
import Posix
import SessionExport
import TerminalText

/// Reads a file line by line.
struct ImportLines: ~Copyable {
    private static let chunkBytes = 256 << 10

    private let path: String
    private let file: Descriptor
    /// Bytes that were read and not returned, at most one line and one chunk. A line beyond the limit is returned in its
    /// first part, which is longer than the limit too, so that the check of the line fails.
    private var waiting: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(path: String) throws(Failure) {
        file = try Self.opened(path)
        self.path = path
    }

    private static func opened(_ path: String) throws(Failure) -> Descriptor {
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard fd >= 0 else { throw Failure(message: "\(path) cannot be read: \(SystemError("open").reason)") }
        let file = Descriptor(owning: fd)
        var status = stat()
        // The file is read twice, which a pipe does not allow.
        guard fstat(fd, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(message: "\(path) is not a file")
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
        guard count >= 0 else { throw Failure(message: "\(path) cannot be read: \(SystemError("read").reason)") }
        isAtEnd = count == 0
        waiting += chunk.prefix(count)
    }
}
