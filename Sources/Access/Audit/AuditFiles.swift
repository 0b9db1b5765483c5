import Glibc
import Posix

/// The files of the audit log: the current one, and the full ones `.1`, `.2` …, from the newest to the oldest.
struct AuditFiles: Sendable {
    let path: String
    /// Full files are kept for at least this time. Nil: only the newest full file is kept.
    let retention: Duration?

    /// 999 full files, whatever their age. The time limit alone would let a client fill the disk.
    static let fileLimit = 999
    /// The end of a file that contains its last line: a line has at most some 2 KiB.
    private static let tailBytes = 64 << 10

    /// The end of a file at one time.
    struct Place: Equatable, Sendable {
        let inode: ino_t
        let size: Int
    }

    struct File: ~Copyable {
        fileprivate let descriptor: Descriptor
        let place: Place

        /// The last line without its LF; nil if the file is empty or cannot be read.
        func lastLine() -> [UInt8]? {
            let start = max(0, place.size - AuditFiles.tailBytes)
            var bytes = [UInt8](repeating: 0, count: place.size - start)
            guard pread(descriptor.raw, &bytes, bytes.count, off_t(start)) == bytes.count, !bytes.isEmpty else {
                return nil
            }
            if bytes.last == 0x0a { bytes.removeLast() }
            return bytes.lastIndex(of: 0x0a).map { Array(bytes[($0 + 1)...]) } ?? bytes
        }

        /// Writes the whole line or nothing.
        func append(_ line: [UInt8]) -> Bool {
            let count = write(descriptor.raw, line, line.count)
            if count > 0, count < line.count { ftruncate(descriptor.raw, off_t(place.size)) }
            return count == line.count
        }
    }

    func open() -> File? { Self.file(path, O_RDWR | O_APPEND | O_CREAT) }

    /// The last line of the newest full file; nil if there is none.
    func lastFullLine() -> [UInt8]? { Self.file(name(1), O_RDONLY)?.lastLine() }

    /// Nil also for a file of another user, who could change the log.
    private static func file(_ path: String, _ flags: Int32) -> File? {
        do throws(FileTrust.OpenFailure) {
            return try ownFile(path, flags)
        } catch {
            // The caller reports this number.
            switch error {
            case .foreign: errno = EPERM
            case .system(let error): errno = error.code
            }
            return nil
        }
    }

    /// Opens a file, which others cannot read or change from then on.
    private static func ownFile(_ path: String, _ flags: Int32) throws(FileTrust.OpenFailure) -> File? {
        let descriptor = try FileTrust.openOwnFile(path, flags: flags | O_NOFOLLOW)
        var status = stat()
        guard fstat(descriptor.raw, &status) == 0 else { return nil }
        if status.st_mode & 0o077 != 0 { fchmod(descriptor.raw, 0o600) }
        return File(descriptor: descriptor, place: Place(inode: status.st_ino, size: status.st_size))
    }

    /// Renames the full file to `.1` and the others up by one, and deletes those that need not be kept.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func rotate(at now: Int64) -> Bool {
        var count = fullFileCount
        while count > 0, count >= Self.fileLimit || !mustBeKept(count, at: now) {
            guard unlink(name(count)) == 0 else { return false }
            count -= 1
        }
        for number in stride(from: count, to: 0, by: -1) {
            guard rename(name(number), name(number + 1)) == 0 else { return false }
        }
        return rename(path, name(1)) == 0
    }

    private var fullFileCount: Int {
        var count = 0
        while count < Self.fileLimit, access(name(count + 1), F_OK) == 0 { count += 1 }
        return count
    }

    private func name(_ number: Int) -> String { "\(path).\(number)" }

    /// The time of the last line decides.
    private func mustBeKept(_ number: Int, at now: Int64) -> Bool {
        var status = stat()
        guard let retention, lstat(name(number), &status) == 0 else { return false }
        let written = Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        return now - written < retention.nanoseconds / 1_000_000
    }
}
