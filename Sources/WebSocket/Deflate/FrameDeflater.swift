/// Compresses the messages in a server's stream of frames, for one client.
///
/// Give it the frames as they would be sent, cut as they may be, and send ``output`` in their place. Control frames
/// pass as they are; a message becomes one frame, or several when its compressed form is long.
///
/// Memory: the compressor's, and what is not taken of ``output``. A long message is not collected: one piece makes no
/// more than itself and some bytes, and what the compressor held back.
public struct FrameDeflater: ~Copyable, Sendable {
    /// What is left of the frame that is passing.
    private struct Passage {
        let opcode: Opcode
        let endsMessage: Bool
        var missingBytes: Int
    }

    /// A fragment of a long message carries at least so much.
    private static let fragmentBytes = 16 << 10

    private var deflater: Deflater
    private var passage: Passage?
    /// The front of a header that was cut; empty nearly always.
    private var cutHeader: [UInt8] = []
    /// The compressed form of a message, as far as it has no frame yet.
    private var payload: [UInt8] = []
    /// Of the message that is passing; nil when its first fragment is sent.
    private var messageOpcode: Opcode?
    /// What is to be sent, for whoever sends it to take.
    public var output: [UInt8] = []

    /// - Returns: Nil when memory is out.
    public init?(_ direction: PermessageDeflate.Direction, level: Int32 = 1, memoryLevel: Int32 = 8) {
        guard let deflater = Deflater(direction, level: level, memoryLevel: memoryLevel) else { return nil }
        self.deflater = deflater
    }

    /// Takes some more of the stream. Throws only for bytes that are no frames of a server.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) {
        var rest = bytes[...]
        while true {
            if passage != nil { pass(&rest) }
            guard !rest.isEmpty, let header = try takeHeader(&rest) else { return }
            begin(header)
        }
    }

    private mutating func takeHeader(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(ProtocolViolation)
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
        passage = Passage(
            opcode: header.opcode, endsMessage: header.fin && !header.opcode.isControl,
            missingBytes: header.payloadLength)
        if header.opcode.isControl {
            Self.append(header, to: &output)
        } else if header.opcode != .continuation {
            messageOpcode = header.opcode
        }
    }

    /// Moves on what is there of the frame.
    private mutating func pass(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        guard var passage = passage.take() else { return }
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(passage.missingBytes))
        rest = rest.dropFirst(piece.count)
        passage.missingBytes -= piece.count
        if passage.opcode.isControl {
            output += piece
        } else {
            let isLast = passage.endsMessage && passage.missingBytes == 0
            deflater.deflate(piece, isLast: isLast, to: &payload)
            if isLast || payload.count >= Self.fragmentBytes { appendFragment(isLast: isLast) }
        }
        if passage.missingBytes > 0 { self.passage = passage }
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
