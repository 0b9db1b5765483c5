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

/// The files of an audit log for a check. All are opened before the first is read, because a bridge can rename them.
package struct AuditFileReader: ~Copyable {
    private var descriptors: [Int32] = []
    /// From the oldest to the current file.
    package private(set) var paths: [String] = []

    /// Longer lines are not lines of an audit log.
    private static let lineLimitBytes = 1 << 20

    /// - Throws: If the current file cannot be opened.
    package init(path: String) throws(SystemError) {
        var inodes: [ino_t] = []
        for number in 0...AuditFiles.fileLimit {
            let name = number == 0 ? path : "\(path).\(number)"
            let fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard fd >= 0 else {
                if number == 0 { throw SystemError("open \(name)") }
                break
            }
            var status = stat()
            guard fstat(fd, &status) == 0, !inodes.contains(status.st_ino) else {
                close(fd)
                continue
            }
            inodes.append(status.st_ino)
            descriptors.insert(fd, at: 0)
            paths.insert(name, at: 0)
        }
    }

    deinit { for fd in descriptors { close(fd) } }

    /// Calls `body` with each line without its LF, from the oldest on. A last line without LF is passed, too.
    ///
    /// - Parameter body: Gets the file's path, the line's number in it, counted from 1, and the line.
    package borrowing func forEachLine<Failure: Error>(
        _ body: (String, Int, [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        for (path, fd) in zip(paths, descriptors) {
            var (rest, number) = ([UInt8](), 0)
            var buffer = [UInt8](repeating: 0, count: 256 << 10)
            while true {
                let count = read(fd, &buffer, buffer.count)
                guard count > 0 else { break }
                var start = 0
                while let end = buffer[start..<count].firstIndex(of: 0x0a) {
                    number += 1
                    try body(path, number, rest + buffer[start..<end])
                    rest = []
                    start = end + 1
                }
                rest += buffer[start..<count]
                if rest.count > Self.lineLimitBytes { break }
            }
            if !rest.isEmpty { try body(path, number + 1, rest) }
        }
    }
}
