import Glibc
import Posix

/// The lines of an audit log for a check, from the oldest on. All files are opened before the first is read, because a
/// bridge can rename them.
package struct AuditFileReader: ~Copyable {
    /// From the oldest to the current file.
    private var paths: [String] = []
    private var descriptors: [Int32] = []
    /// The index of the file that is being read.
    private var file = 0
    /// The number of its last line so far.
    private var number = 0
    /// Bytes of the file that are read and not returned, from ``start`` on.
    private var bytes: [UInt8] = []
    private var start = 0

    /// A line without its LF. The last line of a file can have none.
    package struct Line {
        package let path: String
        /// Counted from 1 in the file.
        package let number: Int
        package let bytes: [UInt8]
    }

    /// Longer lines are not lines of an audit log.
    private static let lineLimitBytes = 1 << 20
    private static let pieceBytes = 256 << 10

    /// - Throws: If a file that exists cannot be opened, or the current one does not exist.
    package init(path: String) throws(SystemError) {
        do throws(SystemError) {
            try open(path)
        } catch {
            closeAll()
            throw error
        }
    }

    private mutating func open(_ path: String) throws(SystemError) {
        var inodes: [ino_t] = []
        for number in 0...AuditFiles.fileLimit {
            let name = number == 0 ? path : "\(path).\(number)"
            let fd = Glibc.open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard fd >= 0 else {
                if number > 0, errno == ENOENT { break }
                throw SystemError("open \(name)")
            }
            descriptors.insert(fd, at: 0)
            paths.insert(name, at: 0)
            var status = stat()
            guard fstat(fd, &status) == 0 else { throw SystemError("fstat \(name)") }
            if inodes.contains(status.st_ino) {
                close(descriptors.removeFirst())
                paths.removeFirst()
            }
            inodes.append(status.st_ino)
        }
    }

    deinit { closeAll() }

    private borrowing func closeAll() {
        for fd in descriptors { close(fd) }
    }

    /// Returns the next line. Nil after the last one.
    package mutating func next() throws(SystemError) -> Line? {
        while file < paths.count {
            if let end = bytes[start...].firstIndex(of: 0x0a) {
                defer { start = end + 1 }
                return line(Array(bytes[start..<end]))
            }
            if bytes.count - start <= Self.lineLimitBytes, try readMore() { continue }
            let last = bytes.count > start ? line(Array(bytes[start...])) : nil
            (file, number, bytes, start) = (file + 1, 0, [], 0)
            if let last { return last }
        }
        return nil
    }

    private mutating func line(_ bytes: [UInt8]) -> Line {
        number += 1
        return Line(path: paths[file], number: number, bytes: bytes)
    }

    /// Returns false at the end of the file.
    private mutating func readMore() throws(SystemError) -> Bool {
        bytes.removeFirst(start)
        start = 0
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = read(descriptors[file], &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read \(paths[file])") }
            bytes += piece.prefix(count)
            return count > 0
        }
    }
}
