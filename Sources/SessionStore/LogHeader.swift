import Glibc
import Posix

/// The header of a session log's file, for a look at a log that is not opened.
package enum LogHeader {
    /// Why this program cannot open a file as a session log.
    package enum Fault: Equatable, Sendable {
        case laterVersion(found: Int64, supported: Int64)
        case noDatabase
    }

    /// Bytes of the header (https://sqlite.org/fileformat.html, section 1.3).
    private static let sizeBytes = 100
    private static let magic = Array("SQLite format 3\0".utf8)
    /// The offset of `user_version`, a big-endian number of 4 bytes.
    private static let versionOffset = 60

    /// Reads the header without SQLite, which would create files beside the log. The WAL can have a newer header, so nil is no
    /// proof. Nil also for a file that is missing, empty or not readable.
    package static func fault(of path: String) -> Fault? {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else { return nil }
        let file = Descriptor(owning: raw)
        guard let header = header(file) else { return nil }
        guard header.starts(with: magic) else { return .noDatabase }
        let found = header[versionOffset..<versionOffset + 4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return found > Schema.version ? .laterVersion(found: found, supported: Schema.version) : nil
    }

    private static func header(_ file: borrowing Descriptor) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: sizeBytes)
        let count = pread(file.raw, &bytes, sizeBytes, 0)
        guard count > 0 else { return nil }
        return bytes
    }
}
