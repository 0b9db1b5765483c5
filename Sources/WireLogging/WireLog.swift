import Diagnostics
import Glibc
import Posix
import Synchronization

/// The file in which an agent's messages are recorded: `--wire-log FILE`.
package struct WireLogRequest: Sendable, Equatable, Codable {
    /// An absolute path.
    package let path: String
    /// Do not hide tokens of known forms.
    package let keepsTokens: Bool

    package init(path: String, keepsTokens: Bool) {
        self.path = path
        self.keepsTokens = keepsTokens
    }

    /// Opens the file, which gets mode 0600. A link, or a file of another kind, is refused.
    package static func open(_ path: String) throws(SystemError) -> Descriptor {
        let fd = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard fd >= 0 else { throw SystemError("open \(path)") }
        let file = Descriptor(owning: fd)
        var status = stat()
        guard fstat(fd, &status) == 0 else { throw SystemError("fstat \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw SystemError(refusing: path, because: "it is not a file of this user")
        }
        guard fchmod(fd, 0o600) == 0 else { throw SystemError("fchmod \(path)") }
        return file
    }
}

/// Records the messages of one agent in a file, on a thread of its own. Recording never waits for the disk.
package final class WireLog: Sendable {
    /// Bytes that wait for the disk: 8 MiB. Further bytes are counted and not recorded.
    private static let queueLimitBytes = 8 << 20
    /// The file, and one earlier file `FILE.1`: 64 MiB each.
    static let fileLimitBytes = 64 << 20

    private struct Piece {
        let source: WireLogText.Source
        /// Milliseconds since 1970.
        let ts: Int64
        let bytes: [UInt8]
    }

    private struct Queue: ~Copyable {
        var pieces: [Piece] = []
        var byteCount = 0
        var droppedBytes = 0
        var hasEnded = false
    }

    private let queue = Mutex(Queue())
    private let added = Semaphore()

    /// - Parameter request: The file to record in.
    package convenience init(_ request: WireLogRequest) { self.init(request, fileLimitBytes: Self.fileLimitBytes) }

    init(_ request: WireLogRequest, fileLimitBytes: Int) {
        orLog("starting the thread of a wire log") { () throws(SystemError) in
            try DetachedThread.start(name: "wire-log") { [self] in write(request, fileLimitBytes) }
        }
    }

    package func record(_ bytes: UnsafeRawBufferPointer, from source: WireLogText.Source) {
        guard !bytes.isEmpty else { return }
        let isNew = queue.withLock { queue in
            guard !queue.hasEnded else { return false }
            guard queue.byteCount + bytes.count <= Self.queueLimitBytes else {
                queue.droppedBytes += bytes.count
                return false
            }
            queue.byteCount += bytes.count
            queue.pieces.append(Piece(source: source, ts: wallClockMilliseconds(), bytes: Array(bytes)))
            return true
        }
        if isNew { added.post() }
    }

    /// Ends the thread after everything is written.
    package func end() {
        queue.withLock { $0.hasEnded = true }
        added.post()
    }

    // MARK: On the thread

    private func write(_ request: WireLogRequest, _ fileLimitBytes: Int) {
        // After an error nothing more is recorded.
        defer { queue.withLock { ($0.pieces, $0.byteCount, $0.hasEnded) = ([], 0, true) } }
        orLog("writing a wire log") { () throws(SystemError) in
            var file = try WireLogFile(path: request.path, limitBytes: fileLimitBytes)
            var text = WireLogText(keepsTokens: request.keepsTokens)
            while true {
                added.wait()
                let (pieces, droppedBytes, hasEnded) = queue.withLock { queue in
                    defer { (queue.pieces, queue.byteCount, queue.droppedBytes) = ([], 0, 0) }
                    return (queue.pieces, queue.droppedBytes, queue.hasEnded)
                }
                for piece in pieces { try file.write(text.add(piece.bytes, from: piece.source, at: piece.ts)) }
                if droppedBytes > 0 { try file.write(WireLogText.dropped(droppedBytes, at: wallClockMilliseconds())) }
                if hasEnded { return }
            }
        }
    }
}

/// A file that is bounded in size, with one earlier file.
struct WireLogFile: ~Copyable {
    private let path: String
    private let limitBytes: Int
    private var file: Descriptor
    private var byteCount: Int

    init(path: String, limitBytes: Int) throws(SystemError) {
        self.path = path
        self.limitBytes = limitBytes
        file = try WireLogRequest.open(path)
        byteCount = max(0, Int(lseek(file.raw, 0, SEEK_END)))
    }

    mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        guard !bytes.isEmpty else { return }
        if byteCount > 0, byteCount + bytes.count > limitBytes {
            guard rename(path, path + ".1") == 0 else { throw SystemError("rename \(path)") }
            file = try WireLogRequest.open(path)
            byteCount = 0
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file.raw, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write \(path)") }
            rest = rest.dropFirst(count)
        }
        byteCount += bytes.count
    }
}
