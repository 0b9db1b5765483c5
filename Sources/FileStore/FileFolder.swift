import Diagnostics
import Glibc
import Posix
import TextSearch

/// The folder with the stored files. Each file has two parts: `ID.data` with the bytes, and `ID.json` with the record,
/// which is written last. A file without its record does not exist. All parts have mode 0600.
///
/// No name in the folder comes from a client: an id is made by the bridge, and is looked up in ``FileTable`` first.
struct FileFolder: Sendable {
    let path: String

    private static let recordLimitBytes = 4 << 10

    func dataPath(_ id: String) -> String { "\(path)/\(id).data" }
    private func recordPath(_ id: String) -> String { "\(path)/\(id).json" }
    private func partPath(_ id: String) -> String { "\(path)/\(id).part" }

    /// Creates the folder, or checks that no other user can change it.
    func prepare() throws(SystemError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir \(path)") }
        _ = try FileTrust.openFolder(path)
    }

    /// Reads all records, and removes what an interrupted upload or deletion left. Does nothing without the folder.
    ///
    /// A file whose record cannot be read, for example one of a later version, is left out and kept.
    func load() throws(SystemError) -> [StoredFile] {
        guard access(path, F_OK) == 0 else { return [] }
        _ = try FileTrust.openFolder(path)
        let names = Set(try names())
        let ids = names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
            .filter { names.contains($0 + ".data") }
        let kept = Set(ids.flatMap { [$0 + ".json", $0 + ".data"] })
        for name in names.subtracting(kept) { unlink("\(path)/\(name)") }
        return ids.compactMap(file)
    }

    private func file(_ id: String) -> StoredFile? {
        let read = orLog("reading the record of a stored file") { () throws(SystemError) in
            try PrivateFile.read(recordPath(id), limitBytes: Self.recordLimitBytes)
        }
        guard let bytes = read.flatMap({ $0 }), let file = StoredFile(record: bytes), file.id == id else { return nil }
        return file
    }

    private func names() throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw SystemError("opendir \(path)") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Only the names that the bridge makes. PrivateFile adds the process id to the record's name.
            if name.contains(text: ".json") || name.hasSuffix(".data") || name.hasSuffix(".part") { names.append(name) }
        }
        return names
    }

    func create(_ id: String) throws(SystemError) -> Descriptor {
        try prepare()
        let fd = Glibc.open(partPath(id), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else { throw SystemError("open \(partPath(id))") }
        return Descriptor(owning: fd)
    }

    func write(_ bytes: [UInt8], to fd: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write to \(path)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes a written file durable, and then its record.
    func commit(_ file: StoredFile, _ fd: Int32) throws(SystemError) {
        guard fsync(fd) == 0 else { throw SystemError("fsync \(partPath(file.id))") }
        guard rename(partPath(file.id), dataPath(file.id)) == 0 else {
            throw SystemError("rename \(partPath(file.id))")
        }
        try replaceRecord(of: file)
    }

    /// Writes the record of a file durably.
    func replaceRecord(of file: StoredFile) throws(SystemError) {
        try PrivateFile.replace(recordPath(file.id), with: file.record)
        let folder = try FileTrust.openFolder(path)
        guard fsync(folder.raw) == 0 else { throw SystemError("fsync \(path)") }
    }

    /// Removes all parts of an upload that was not committed.
    func discard(_ id: String) {
        unlink(recordPath(id))
        unlink(partPath(id))
        unlink(dataPath(id))
    }

    /// Removes the record first, so that an interrupted deletion leaves no file without bytes.
    func remove(_ id: String) throws(SystemError) {
        guard unlink(recordPath(id)) == 0 || errno == ENOENT else { throw SystemError("unlink \(recordPath(id))") }
        guard unlink(dataPath(id)) == 0 || errno == ENOENT else { throw SystemError("unlink \(dataPath(id))") }
    }

    func open(_ id: String) throws(SystemError) -> Descriptor {
        let fd = Glibc.open(dataPath(id), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard fd >= 0 else { throw SystemError("open \(dataPath(id))") }
        return Descriptor(owning: fd)
    }

    /// Reads up to `count` bytes. Fewer only at the end of the file.
    static func read(_ fd: Int32, at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(fd, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw SystemError("pread") }
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}
