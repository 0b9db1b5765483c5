import EventLoop
import Glibc
import WebSocket

/// WebSocket frames of consecutive whole messages, encoded once and sent unchanged to one or many sockets.
package struct OutgoingFrames: ~Copyable {
    package let byteCount: Int
    /// The number of encoded lines. It differs from the stated one if a stored page is damaged.
    package let lineCount: Int
    private let buffer: OutgoingBuffer

    /// Encodes lines. Each line ends in an LF, which is left out.
    ///
    /// - Parameters:
    ///   - count: The stated number of lines. Further lines are left out.
    ///   - receiverCount: See ``OutgoingBuffer``.
    package init(lines: [UInt8], count: Int, receiverCount: Int) {
        // A header replaces each LF: 2, 4 or 10 bytes, where 10 bytes are needed only for a line of 64 KiB or more.
        let growth = lines.count <= 0xffff ? 3 : 9
        let limit = max(0, min(count, lines.count))
        buffer = OutgoingBuffer(byteCount: lines.count + growth * limit, receiverCount: receiverCount)
        let target = buffer.bytes
        (byteCount, lineCount) = lines.withUnsafeBytes { Self.encode($0, limit: limit, into: target) }
    }

    /// Takes frames that were encoded one by one.
    package init(_ frames: [UInt8]) {
        byteCount = frames.count
        lineCount = 0
        buffer = OutgoingBuffer(byteCount: frames.count, receiverCount: 1)
        buffer.bytes.copyBytes(from: frames)
    }

    package func bytes(_ range: Range<Int>) -> OutgoingBytes { buffer.outgoing(range) }

    /// The place of the message of the frame that begins at `offset`. The frame ends with it.
    package func payload(at offset: Int) -> Range<Int> {
        guard let header = header(at: offset) else { return offset..<byteCount }
        let start = offset + header.size
        return start..<start + header.payloadLength
    }

    private func header(at offset: Int) -> FrameHeader? {
        let rest = UnsafeRawBufferPointer(rebasing: buffer.bytes[offset..<byteCount])
        return try? FrameHeader.parse(rest.bytes, at: 0, limitBytes: .max)
    }

    /// Returns the number of written bytes, and that of the lines: `limit`, or one more if there are more. The target has room
    /// for `limit` headers.
    private static func encode(
        _ lines: UnsafeRawBufferPointer, limit: Int, into target: UnsafeMutableRawBufferPointer
    ) -> (bytes: Int, lines: Int) {
        guard let source = lines.baseAddress, let out = target.baseAddress else { return (0, 0) }
        var read = 0
        var written = 0
        var count = 0
        while read < lines.count, let end = memchr(source + read, 0x0a, lines.count - read) {
            count += 1
            guard count <= limit else { break }
            let length = UnsafeRawPointer(end) - (source + read)
            written += FrameHeader.writeTextHeader(payloadLength: length, to: out + written)
            memcpy(out + written, source + read, length)
            written += length
            read += length + 1
        }
        return (written, count)
    }
}
