import Glibc
import Posix
import SessionRecords
import SessionStore

/// The spool's file, `sessions.db-spool`. It has two halves that are used in turn, each written from its beginning.
final class SpoolFile: Sendable {
    /// 1 MiB for each half: some thousand lines while the writer's thread waits for a slow disk.
    static let halfBytes = 1 << 20

    private let descriptor: Descriptor
    private let path: String

    init(path: String) throws(LogError) {
        descriptor = try LogFile.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        self.path = path
    }

    /// Of the open file, which can have lost its name.
    var identity: FileIdentity? { FileIdentity(descriptor: descriptor.raw) }

    /// Returns when all bytes are in the page cache. There they outlive the process. A failed write can leave a part of
    /// the bytes, which the next write overwrites.
    ///
    /// - Parameter offset: From the beginning of the half.
    func write(_ bytes: UnsafeRawBufferPointer, half: Int, at offset: Int) throws(LogError) {
        try LogFile.write(bytes, at: half * Self.halfBytes + offset, to: descriptor, path: path)
    }

    /// Returns when everything written so far is on disk.
    func sync() throws(LogError) {
        guard fdatasync(descriptor.raw) == 0 else { throw .lastSystemError("sync", path) }
    }

    /// Returns the records that a killed bridge left in the file, in the order they were written. Returns none if the
    /// file does not exist.
    static func records(path: String, logId: UInt32) throws(LogError) -> [SpoolRecord] {
        guard access(path, F_OK) == 0 else { return [] }
        let descriptor = try LogFile.open(path, flags: O_RDONLY | O_NOFOLLOW)
        var halves: [[SpoolRecord]] = []
        for half in 0..<2 {
            let bytes = try read(descriptor, path, from: half * halfBytes)
            halves.append(bytes.withUnsafeBytes { SpoolRecord.records(in: $0) }.filter { $0.logId == logId })
        }
        return halves.sorted { $0.first?.generation ?? 0 < $1.first?.generation ?? 0 }.flatMap { $0 }
    }

    private static func read(
        _ descriptor: borrowing Descriptor, _ path: String, from place: Int
    ) throws(LogError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: halfBytes)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor.raw, $0.baseAddress.map { $0 + filled }, $0.count - filled, place + filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .lastSystemError("read", path) }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}
