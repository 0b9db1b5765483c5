import CZlib

/// Compresses the messages of one side of a connection. Source: RFC 7692, section 7.2.1.
///
/// Memory: about 2^(windowBits + 2) + 2^(memoryLevel + 9) bytes, 268 KiB by default.
package struct Deflater: ~Copyable, @unchecked Sendable {
    // Safe to send, because only this value refers to the state. It is on the heap because zlib's internal state points
    // back to it.
    private let state: UnsafeMutablePointer<z_stream>
    private let keepsContext: Bool
    private var isAtStart = true

    /// - Parameter level: 1 (fastest) to 9. For short texts, the level makes little difference in size.
    /// - Parameter memoryLevel: 1 to 9: how much data is remembered as a target for references.
    /// - Returns: Nil when out of memory.
    package init?(_ direction: PermessageDeflate.Direction, level: Int32 = 1, memoryLevel: Int32 = 8) {
        state = .allocate(capacity: 1)
        state.initialize(to: z_stream())
        keepsContext = direction.keepsContext
        // zlib does not support a window of 8 bits. Without references, any window is respected.
        let bits = max(9, Int32(direction.windowBits))
        let strategy = direction.windowBits < 9 ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(state, level, Z_DEFLATED, -bits, memoryLevel, strategy, ZLIB_VERSION, size) == Z_OK else {
            state.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(state)
        state.deallocate()
    }

    /// Forgets all earlier messages.
    package mutating func reset() { deflateReset(state) }

    /// Appends the payload of one compressed frame that contains all of `message`.
    package mutating func deflate(_ message: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        deflate(message, isLast: true, to: &output)
    }

    /// Compresses one more piece of a message and appends the output that is ready. The last piece appends all
    /// remaining output.
    mutating func deflate(_ piece: UnsafeRawBufferPointer, isLast: Bool, to output: inout [UInt8]) {
        if isAtStart, !keepsContext { reset() }
        // zlib adds nothing when one empty block follows another (RFC 7692, section 7.2.3.6).
        if isAtStart, isLast, piece.isEmpty { return output.append(0) }
        isAtStart = isLast
        // zlib counts in 32 bits.
        var rest = piece
        while rest.count > Self.pieceBytes {
            run(UnsafeRawBufferPointer(rebasing: rest[..<Self.pieceBytes]), Z_NO_FLUSH, to: &output)
            rest = UnsafeRawBufferPointer(rebasing: rest[Self.pieceBytes...])
        }
        run(rest, isLast ? Z_SYNC_FLUSH : Z_NO_FLUSH, to: &output)
        // An empty block ends the message. Its last four bytes are left out, because they are always the same.
        if isLast { output.removeLast(4) }
    }

    private mutating func run(_ input: UnsafeRawBufferPointer, _ flush: Int32, to output: inout [UInt8]) {
        state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        state.pointee.avail_in = UInt32(input.count)
        withUnsafeTemporaryAllocation(byteCount: Self.blockBytes, alignment: 16) { block in
            repeat {
                state.pointee.next_out = block.baseAddress?.assumingMemoryBound(to: UInt8.self)
                state.pointee.avail_out = UInt32(block.count)
                CZlib.deflate(state, flush)
                output.append(contentsOf: block.prefix(block.count - Int(state.pointee.avail_out)))
            } while state.pointee.avail_out == 0
        }
    }

    private static let blockBytes = 16 << 10
    private static let pieceBytes = 1 << 30
}
