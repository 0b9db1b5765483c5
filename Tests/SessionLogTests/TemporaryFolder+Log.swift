import Glibc
import TestSupport

extension TemporaryFolder {
    private struct Failure: Error { let errno: Int32 }

    var log: String { "\(path)/log.db" }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func mode(of name: String) -> mode_t? {
        var status = stat()
        return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : nil
    }

    func byteCount(of name: String) -> Int {
        var status = stat()
        return stat("\(path)/\(name)", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Copies the files in the state in which a kill would leave them: the file, its WAL, floods and the spool.
    func copyLog(to other: TemporaryFolder) throws {
        // Copy the spool first. Data that moves into the log meanwhile is then in both copies, and not in neither. For the
        // same reason, copy floods last.
        for suffix in ["-spool", "", "-wal", "-lines"] where access(log + suffix, F_OK) == 0 {
            try Self.copy(log + suffix, to: other.log + suffix)
        }
    }

    static func copy(_ source: String, to target: String) throws {
        let input = open(source, O_RDONLY)
        let output = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer {
            close(input)
            close(output)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count > 0 else { break }
            guard write(output, buffer, count) == count else { throw Failure(errno: errno) }
        }
        guard input >= 0, output >= 0 else { throw Failure(errno: EIO) }
    }
}
