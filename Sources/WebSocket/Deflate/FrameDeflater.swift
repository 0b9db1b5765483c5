/// Compresses the messages in a server's stream of frames for one client.
///
/// Append the frames that would be sent, cut at any place, and send ``output`` instead. Control frames are copied
/// unchanged. A message becomes one frame, or several when its compressed form is long.
///
/// Memory: the compressor's, and the part of ``output`` that was not taken yet. A long message is not buffered whole:
/// one piece produces at most its own size plus a few bytes and the data that the compressor held back.
package struct FrameDeflater: ~Copyable, Sendable {
    /// The current frame and its missing bytes.
    private struct CurrentFrame {
        let opcode: Opcode
        let endsMessage: Bool
        var missingBytes: Int
    }

    /// The minimum size of a fragment of a long message, except the last.
    private static let fragmentBytes = 16 << 10

    private var deflater: Deflater
    private var currentFrame: CurrentFrame?
    /// The start of a header that was cut. Usually empty.
    private var cutHeader: [UInt8] = []
    /// Compressed bytes of the message that are not framed yet.
    private var payload: [UInt8] = []
    /// The opcode of the current message, or nil after its first fragment was sent.
    private var messageOpcode: Opcode?
    /// The bytes to send. The owner takes them from here.
    package var output: [UInt8] = []

    /// - Returns: Nil when out of memory.
    package init?(_ direction: PermessageDeflate.Direction, level: Int32 = 1, memoryLevel: Int32 = 8) {
        guard let deflater = Deflater(direction, level: level, memoryLevel: memoryLevel) else { return nil }
        self.deflater = deflater
    }

    /// Appends more of the stream. Throws only for bytes that are not frames of a server.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) {
        var rest = bytes[...]
        while true {
            if currentFrame != nil { forwardPayload(&rest) }
            guard !rest.isEmpty, let header = try readHeader(&rest) else { return }
            begin(header)
        }
    }

    private mutating func readHeader(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(ProtocolViolation)
        -> FrameHeader?
    {
        let before = cutHeader.count
        cutHeader += rest.prefix(FrameHeader.maxSize - before)
        guard let header = try FrameHeader.parse(cutHeader.span.bytes, limitBytes: .max) else {
            rest = rest.suffix(0)
            return nil
        }
        rest = rest.dropFirst(header.size - before)
        cutHeader.removeAll(keepingCapacity: true)
        return header
    }

    private mutating func begin(_ header: FrameHeader) {
        currentFrame = CurrentFrame(
            opcode: header.opcode, endsMessage: header.fin && !header.opcode.isControl,
            missingBytes: header.payloadLength)
        if header.opcode.isControl {
            Self.append(header, to: &output)
        } else if header.opcode != .continuation {
            messageOpcode = header.opcode
        }
    }

    /// Forwards the available payload of the current frame.
    private mutating func forwardPayload(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        guard var frame = currentFrame.take() else { return }
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(frame.missingBytes))
        rest = rest.dropFirst(piece.count)
        frame.missingBytes -= piece.count
        if frame.opcode.isControl {
            output += piece
        } else {
            let isLast = frame.endsMessage && frame.missingBytes == 0
            deflater.deflate(piece, isLast: isLast, to: &payload)
            if isLast || payload.count >= Self.fragmentBytes { appendFragment(isLast: isLast) }
        }
        if frame.missingBytes > 0 { currentFrame = frame }
    }

    private mutating func appendFragment(isLast: Bool) {
        let opcode = messageOpcode.take() ?? .continuation
        var fragment: [UInt8] = []
        swap(&fragment, &payload)
        Frame.append(opcode, fragment.span, fin: isLast, isDeflated: opcode != .continuation, to: &output)
        guard fragment.count < 2 * Self.fragmentBytes else { return }
        fragment.removeAll(keepingCapacity: true)
        payload = fragment
    }

    private static func append(_ header: FrameHeader, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(byteCount: FrameHeader.maxSize, alignment: 1) { buffer in
            let size = header.write(into: buffer)
            bytes += buffer.prefix(size)
        }
    }
}
