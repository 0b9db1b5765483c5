import Glibc

/// The bytes that a program writes on one stream. All of them are kept.
struct IncomingBytes {
    /// -1 after the stream has ended.
    private(set) var fd: Int32
    private(set) var bytes: [UInt8] = []
    var isPaused = false
    private var lineStart = 0
    private var searched = 0

    init(_ fd: Int32) { self.fd = fd }

    var hasEnded: Bool { fd < 0 }
    var fdToRead: Int32 { isPaused ? -1 : fd }

    /// The last bytes, for messages.
    var tail: String { "…" + String(decoding: bytes.suffix(300), as: UTF8.self) }

    mutating func readSome() {
        let count = withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 1) { buffer in
            let count = read(fd, buffer.baseAddress, buffer.count)
            if count > 0 { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return count
        }
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { closeNow() }
    }

    mutating func closeNow() {
        guard fd >= 0 else { return }
        close(fd)
        fd = -1
    }

    /// Returns the next complete line that has arrived, without LF.
    mutating func nextLine() -> [UInt8]? {
        let end = bytes.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress, searched < buffer.count,
                let found = memchr(base + searched, 0x0a, buffer.count - searched)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
        guard let end else {
            searched = bytes.count
            return nil
        }
        defer {
            lineStart = end + 1
            searched = lineStart
        }
        return Array(bytes[lineStart..<end])
    }
}
