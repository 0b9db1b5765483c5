extension FrameHeader {
    /// Writes the header at the start of `buffer`, which must have room for ``size`` bytes, and returns that size.
    @inlinable
    @discardableResult
    package func write(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        precondition(buffer.count >= size, "a header needs \(size) bytes")
        buffer[0] = (fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode.rawValue
        let maskBit: UInt8 = maskKey == nil ? 0 : 0x80
        var end = Self.writeLength(payloadLength, maskBit: maskBit, into: buffer)
        if let maskKey {
            buffer.storeBytes(of: maskKey.littleEndian, toByteOffset: end, as: UInt32.self)
            end &+= 4
        }
        return end
    }

    /// Writes the header of a whole, unmasked text message, which is the most frequent frame of a server. Returns the
    /// header's size.
    ///
    /// `target` must have room for `size(payloadLength: payloadLength, masked: false)` bytes. Nothing is checked,
    /// because this is meant for framing many payloads into one buffer.
    @inlinable @inline(__always)
    package static func writeTextHeader(payloadLength: Int, to target: UnsafeMutableRawPointer) -> Int {
        target.storeBytes(of: 0x80 | Opcode.text.rawValue, as: UInt8.self)
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: maxSize)
        return writeLength(payloadLength, maskBit: 0, into: buffer)
    }

    /// Writes the length, starting at the second byte. Returns the offset after it.
    @inlinable @inline(__always)
    static func writeLength(_ length: Int, maskBit: UInt8, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if length < 126 {
            buffer.storeBytes(of: UInt8(truncatingIfNeeded: length) | maskBit, toByteOffset: 1, as: UInt8.self)
            return 2
        }
        if length <= 0xFFFF {
            buffer.storeBytes(of: 126 | maskBit, toByteOffset: 1, as: UInt8.self)
            buffer.storeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian, toByteOffset: 2, as: UInt16.self)
            return 4
        }
        buffer.storeBytes(of: 127 | maskBit, toByteOffset: 1, as: UInt8.self)
        buffer.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
        return 10
    }
}
