import CZlib

/// Decompresses the messages that a peer compressed. Source: RFC 7692, section 7.2.2.
///
/// Memory: 2^windowBits bytes plus about 10 KiB.
struct Inflater: ~Copyable, @unchecked Sendable {
    // Safe to send, because only this value refers to the state. It is on the heap because zlib's internal state points
    // back to it.
    private let state: UnsafeMutablePointer<z_stream>

    /// Nil when out of memory.
    init?(windowBits: Int) {
        state = .allocate(capacity: 1)
        state.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(state, -Int32(windowBits), ZLIB_VERSION, size) == Z_OK else {
            state.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(state)
        state.deallocate()
    }

    /// Decompresses one message. The output never exceeds `limitBytes` plus one block, however small `payload` is.
    mutating func inflate(_ payload: [UInt8], limitBytes: Int) throws(ProtocolViolation) -> [UInt8] {
        var message: [UInt8] = []
        try run(payload, limitBytes, into: &message)
        try run(Self.tail, limitBytes, into: &message)
        return message
    }

    /// The bytes that the sender left out.
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private mutating func run(
        _ input: [UInt8], _ limitBytes: Int, into message: inout [UInt8]
    ) throws(ProtocolViolation) {
        let fault: ProtocolViolation? = input.withUnsafeBytes { input in
            withUnsafeTemporaryAllocation(byteCount: Self.blockBytes, alignment: 16) { block in
                // zlib counts in 32 bits.
                for start in stride(from: 0, to: input.count, by: Self.pieceBytes) {
                    let piece = UnsafeRawBufferPointer(rebasing: input[start...].prefix(Self.pieceBytes))
                    if let fault = inflate(piece, block, limitBytes, into: &message) { return fault }
                }
                return nil
            }
        }
        if let fault { throw fault }
    }

    private mutating func inflate(
        _ input: UnsafeRawBufferPointer, _ block: UnsafeMutableRawBufferPointer, _ limitBytes: Int,
        into message: inout [UInt8]
    ) -> ProtocolViolation? {
        state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        state.pointee.avail_in = UInt32(input.count)
        repeat {
            state.pointee.next_out = block.baseAddress?.assumingMemoryBound(to: UInt8.self)
            state.pointee.avail_out = UInt32(block.count)
            let code = CZlib.inflate(state, Z_SYNC_FLUSH)
            // Z_BUF_ERROR: no progress was possible.
            guard [Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(code) else { return .invalidCompression }
            let made = block.count - Int(state.pointee.avail_out)
            if made > limitBytes - message.count { return .messageTooBig(limitBytes: limitBytes) }
            do throws(ProtocolViolation) { try message.makeRoom(for: made) } catch { return error }
            message.append(contentsOf: block.prefix(made))
            // A sender can mark a block as the last one of its stream, and then continue with another stream.
            if code == Z_STREAM_END { inflateReset(state) } else if code == Z_BUF_ERROR { break }
        } while state.pointee.avail_in > 0 || state.pointee.avail_out == 0
        return state.pointee.avail_in > 0 ? .invalidCompression : nil
    }

    private static let blockBytes = 16 << 10
    private static let pieceBytes = 1 << 30
}
