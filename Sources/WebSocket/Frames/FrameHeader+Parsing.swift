extension FrameHeader {
    /// Reads the header that begins at `start`. Returns nil when the header is not complete yet.
    ///
    /// A data frame with a payload over `limitBytes` is refused here, before any of it is buffered. Three checks depend
    /// on the connection and are not made here: ``rsv1``, whether the frame must be masked, and the order of frames.
    @inlinable
    package static func parse(
        _ bytes: RawSpan, at start: Int = 0, limitBytes: Int
    ) throws(ProtocolViolation) -> FrameHeader? {
        let available = bytes.byteCount &- start
        guard available >= 2 else { return nil }
        let first = bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt8.self)
        let second = bytes.unsafeLoadUnaligned(fromByteOffset: start &+ 1, as: UInt8.self)

        var header = try leading(first, shortLength: Int(second & 0x7F))
        guard let lengthEnd = try header.readExtendedLength(bytes, at: start) else { return nil }
        if !header.opcode.isControl, header.payloadLength > limitBytes { throw .messageTooBig(limitBytes: limitBytes) }

        if second & 0x80 != 0 {
            guard bytes.byteCount &- lengthEnd >= 4 else { return nil }
            let key = bytes.unsafeLoadUnaligned(fromByteOffset: lengthEnd, as: UInt32.self)
            header.maskKey = UInt32(littleEndian: key)
        }
        return header
    }

    /// Decodes the first two bytes. ``payloadLength`` can still be the mark 126 or 127.
    @inlinable @inline(__always)
    static func leading(_ first: UInt8, shortLength: Int) throws(ProtocolViolation) -> FrameHeader {
        if first & 0x30 != 0 { throw .reservedBits }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode(first & 0x0F) }
        let fin = first & 0x80 != 0
        if opcode.isControl {
            if !fin { throw .fragmentedControlFrame }
            if shortLength > controlPayloadLimitBytes { throw .controlFrameTooLong }
        }
        return FrameHeader(fin: fin, rsv1: first & 0x40 != 0, opcode: opcode, payloadLength: shortLength)
    }

    /// Replaces the mark by the 16- or 64-bit length. Returns the offset after the length, or nil when bytes are
    /// missing.
    @inlinable @inline(__always)
    mutating func readExtendedLength(_ bytes: RawSpan, at start: Int) throws(ProtocolViolation) -> Int? {
        let offset = start &+ 2
        switch payloadLength {
        case 126:
            guard bytes.byteCount &- offset >= 2 else { return nil }
            let length = UInt16(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
            if length < 126 { throw .lengthNotMinimal }
            payloadLength = Int(length)
            return offset &+ 2
        case 127:
            guard bytes.byteCount &- offset >= 8 else { return nil }
            let length = Int64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Int64.self))
            if length < 0 { throw .lengthOutOfRange }
            if length <= 0xFFFF { throw .lengthNotMinimal }
            payloadLength = Int(clamping: length)
            return offset &+ 8
        default:
            return offset
        }
    }
}
