import EventLoop
import Glibc
import Posix
import WebSocket

/// WebSocket frames of consecutive messages, encoded once and sent unchanged to all readers.
///
/// Framing depends only on the stored bytes. A position in the frames is therefore the same whether the frames come
/// from memory or, later, from the log. A position is a number of bytes, counted from the frame of message `first`.
package final class FrameChunk {
    /// The number of the first message.
    let first: Int64
    let count: Int
    let byteCount: Int
    private let storage: UnsafeMutableRawBufferPointer
    /// Filled in when a reader looks for runs.
    var runs = Runs()
    /// When the lines were stored, and how many bytes of frames the session had before them. Set only in a session's
    /// tail.
    var place: (storedAt: Instant, offset: Int)?

    /// Encodes stored lines as frames. Each line ends in an LF, which is left out.
    init(lines: [UInt8], count: Int, first: Int64) {
        self.first = first
        self.count = count
        // A header replaces each LF: 2, 4 or 10 bytes, where 10 bytes are needed only for a line of 64 KiB or more.
        let growth = lines.count <= 0xffff ? 3 : 9
        storage = .allocate(byteCount: max(1, lines.count + growth * count), alignment: 16)
        byteCount = lines.withUnsafeBytes { [storage] in Self.frame($0, into: storage) }
    }

    /// Takes frames that were encoded one by one.
    init(frames: [UInt8], count: Int, first: Int64) {
        self.first = first
        self.count = count
        byteCount = frames.count
        storage = .allocate(byteCount: max(1, frames.count), alignment: 16)
        storage.copyBytes(from: frames)
    }

    deinit { storage.deallocate() }

    func bytes(from offset: Int, to end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: storage[offset..<end])
    }

    /// Returns the end of the frame that contains `offset`, or `offset` itself if one frame ends there and the next
    /// begins.
    func frameBoundary(atOrAfter offset: Int) -> Int {
        var end = 0
        while end < offset { end += frameSize(at: end) }
        return end
    }

    /// Returns the offset at which the message with this number begins.
    func offset(of number: Int64) -> Int {
        var offset = 0
        for _ in 0..<max(0, Int(number - first)) { offset += frameSize(at: offset) }
        return offset
    }

    /// Returns the number of the message that contains the byte at `offset`, and the offset at which its frame begins.
    func message(at offset: Int) -> (number: Int64, start: Int) {
        var (number, start) = (first, 0)
        while start < byteCount {
            let next = start + frameSize(at: start)
            if offset < next { break }
            number += 1
            start = next
        }
        return (number, start)
    }

    /// Passes each message to `body` until `body` returns false. The first message is the one whose frame begins at
    /// `offset`.
    func forEachPayload(from offset: Int, _ body: (UnsafeRawBufferPointer) -> Bool) {
        var start = offset
        while start < byteCount {
            let end = start + frameSize(at: start)
            guard body(UnsafeRawBufferPointer(rebasing: storage[(start + headerSize(at: start))..<end])) else { return }
            start = end
        }
    }

    private func frameSize(at offset: Int) -> Int {
        guard let header = header(at: offset) else { return byteCount - offset }
        return header.size + header.payloadLength
    }

    private func headerSize(at offset: Int) -> Int { header(at: offset)?.size ?? 0 }

    private func header(at offset: Int) -> FrameHeader? {
        let rest = UnsafeRawBufferPointer(rebasing: storage[offset..<byteCount])
        return try? FrameHeader.parse(rest.bytes, at: 0, limitBytes: .max)
    }

    private static func frame(_ lines: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Int {
        guard let source = lines.baseAddress, let out = target.baseAddress else { return 0 }
        var read = 0
        var written = 0
        while read < lines.count, let end = memchr(source + read, 0x0a, lines.count - read) {
            let length = UnsafeRawPointer(end) - (source + read)
            written += FrameHeader.writeTextHeader(payloadLength: length, to: out + written)
            memcpy(out + written, source + read, length)
            written += length
            read += length + 1
        }
        return written
    }
}
