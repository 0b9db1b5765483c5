import Glibc

/// The spool's file, `sessions.db-spool`: two halves that take turns, each written from its beginning.
final class SpoolFile: Sendable {
    /// 1 MiB each: some thousand lines while a slow disk has the writer's thread wait.
    static let halfBytes = 1 << 20

    private let descriptor: Descriptor
    private let path: String

    init(path: String) throws(LogError) {
        descriptor = try Descriptor(path: path, flags: O_RDWR | O_CREAT)
        self.path = path
    }

    /// Returns when all is in the page cache, where it outlives the process. What a failure has left there is not whole,
    /// and is written over by the next.
    ///
    /// - Parameter offset: from the beginning of the half.
    func write(_ bytes: [UInt8], half: Int, at offset: Int) throws(LogError) {
        let place = half * Self.halfBytes + offset
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor.number, $0.baseAddress.map { $0 + written }, bytes.count - written, place + written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .lastSystemError("write", path) }
            written += count
        }
    }

    /// Returns when everything written so far is on disk.
    func sync() throws(LogError) {
        guard fdatasync(descriptor.number) == 0 else { throw .lastSystemError("sync", path) }
    }

    /// What a bridge that was killed has left there, in the order it was written. Nothing where there is no file.
    static func records(path: String, logId: UInt32) throws(LogError) -> [SpoolRecord] {
        guard access(path, F_OK) == 0 else { return [] }
        let descriptor = try Descriptor(path: path, flags: O_RDONLY)
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
                pread(descriptor.number, $0.baseAddress.map { $0 + filled }, $0.count - filled, place + filled)
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
