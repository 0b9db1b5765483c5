import Glibc

/// A small file that only its user can read. It has mode 0600 and is replaced as a whole, so that readers never see a
/// partial file.
package enum PrivateFile {
    /// The longest wait for the writer of a pipe, in milliseconds. The bridge reads some files on its loop.
    private static let pipePatience: Int32 = 2_000

    /// Returns nil if the file does not exist. Bytes beyond `limitBytes` are not read.
    ///
    /// The file can be a pipe, as in `--config <(PROGRAM)`. A pipe without a writer is empty.
    ///
    /// - Parameters:
    ///   - isBelieved: The bridge acts on the content, so a file that another user can change is refused.
    ///   - followsLink: False to refuse a symbolic link.
    package static func read(
        _ path: String, limitBytes: Int, isBelieved: Bool = true, followsLink: Bool = true
    ) throws(SystemError) -> [UInt8]? {
        // Opening a named pipe would otherwise wait for a writer, and the bridge with it.
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
        guard fd >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemError("open \(path)")
        }
        let descriptor = Descriptor(owning: fd)
        if isBelieved { try FileTrust.check(descriptor.raw, path: path) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limitBytes, 16 << 10))
        while bytes.count < limitBytes {
            let count = Glibc.read(descriptor.raw, &chunk, min(chunk.count, limitBytes - bytes.count))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                try awaitWriter(of: descriptor.raw, path)
                continue
            }
            guard count >= 0 else { throw SystemError("read \(path)") }
            if count == 0 { break }
            bytes += chunk.prefix(count)
        }
        return bytes
    }

    private static func awaitWriter(of fd: Int32, _ path: String) throws(SystemError) {
        var state = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        let count = poll(&state, 1, pipePatience)
        guard count != 0 else { throw SystemError("read \(path)", code: ETIMEDOUT) }
        guard count > 0 || errno == EINTR else { throw SystemError("poll \(path)") }
    }

    /// Writes the bytes to a temporary file, and renames it to `path`.
    ///
    /// - Parameter isSynced: Sync the file before it is renamed. Without that, a power cut before ``sync(_:)`` can leave an empty
    ///   file.
    package static func replace(_ path: String, with bytes: [UInt8], isSynced: Bool = true) throws(SystemError) {
        let temporary = path + ".\(getpid())"
        unlink(temporary)
        let fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard fd >= 0 else { throw SystemError("open \(temporary)") }
        let descriptor = Descriptor(owning: fd)
        do throws(SystemError) {
            try write(bytes, to: descriptor.raw, temporary)
            guard !isSynced || fsync(descriptor.raw) == 0 else { throw SystemError("fsync \(temporary)") }
            guard rename(temporary, path) == 0 else { throw SystemError("rename \(path)") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Returns when the file is on disk.
    package static func sync(_ path: String) throws(SystemError) {
        let fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard fd >= 0 else { throw SystemError("open \(path)") }
        let descriptor = Descriptor(owning: fd)
        guard fsync(descriptor.raw) == 0 else { throw SystemError("fsync \(path)") }
    }

    private static func write(_ bytes: [UInt8], to fd: Int32, _ path: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write \(path)") }
            rest = rest.dropFirst(count)
        }
    }
}
