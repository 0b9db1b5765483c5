import Glibc
import Posix
import SessionRecords

/// The paths of one log.
package struct LogFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package var lockPath: String { path + ".lock" }
    package var walPath: String { path + "-wal" }
    package var sharedMemoryPath: String { path + "-shm" }
    var journalPath: String { path + "-journal" }
    package var linesPath: String { path + "-lines" }
    package var spoolPath: String { path + "-spool" }
    /// The name of a damaged file that was set aside. Further ones have a number behind it.
    package var damagedPath: String { path + ".damaged" }
    /// If this file exists, the log gets a new id when it is opened.
    package var renewalPath: String { path + "-new-id" }

    /// Opens one of a log's files. A file that belongs to neither this user nor root is refused, because the log trusts
    /// the file's content.
    package static func open(_ path: String, flags: Int32) throws(LogError) -> Descriptor {
        do throws(FileTrust.OpenFailure) {
            return try FileTrust.openOwnFile(path, flags: flags)
        } catch {
            switch error {
            case .foreign(let owner): throw .foreignFile(path: path, owner: owner)
            case .system(let error): throw .system(operation: "open", path: path, errno: error.code)
            }
        }
    }

    /// Returns when the names of the log's files are on disk, as far as the file system can sync a folder: some cannot.
    package func syncFolder() throws(LogError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = try Self.open(folder, flags: O_RDONLY | O_DIRECTORY)
        guard fsync(descriptor.raw) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .lastSystemError("sync", folder)
        }
    }

    /// Writes the bytes of an open file again at their places, so that the next sync includes them: after a failed sync,
    /// Linux takes them to be on disk (<https://wiki.postgresql.org/wiki/Fsync_Errors>). The caller makes sure that nothing else
    /// changes the file meanwhile. Bytes that the page cache has lost since are not found by this.
    static func writeAgain(_ descriptor: borrowing Descriptor, path: String) throws(LogError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        var place: off_t = 0
        while true {
            let count = pread(descriptor.raw, piece.baseAddress, piece.count, place)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .lastSystemError("read", path) }
            guard count > 0 else { return }
            try write(UnsafeRawBufferPointer(rebasing: piece[..<count]), at: place, to: descriptor, path: path)
            place += count
        }
    }

    /// Returns when all bytes are in the page cache. A failed write can leave a part of the bytes.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, at place: off_t, to descriptor: borrowing Descriptor, path: String
    ) throws(LogError) {
        guard writeAll(bytes, at: place, to: descriptor.raw) else { throw .lastSystemError("write", path) }
    }

    /// The same. Returns false if a write fails; `errno` then has the reason.
    static func writeAll(
        _ bytes: UnsafeRawBufferPointer, at place: off_t, to descriptor: Int32
    ) -> Bool {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, place + written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}
