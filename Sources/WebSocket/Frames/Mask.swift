/// The XOR masking of a client's payloads. The same operation masks and unmasks.
///
/// Source: RFC 6455, section 5.3. Masking prevents a web page's script from choosing the bytes on the wire. It hides
/// nothing.
package enum Mask {
    /// XORs `buffer` with `key` (its first byte in the lowest bits).
    ///
    /// `phase` is the number of bytes of the same payload that were already processed, so a payload can be processed in
    /// pieces.
    @inlinable
    package static func apply(key: UInt32, to buffer: UnsafeMutableRawBufferPointer, phase: Int = 0) {
        guard let bytes = buffer.baseAddress else { return }
        let pattern = wordPattern(key: key, phase: phase)
        let wordsEnd = buffer.count & ~7
        // Whole words in a plain loop, which the optimiser turns into vector instructions.
        var offset = 0
        while offset < wordsEnd {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            bytes.storeBytes(of: word ^ pattern.littleEndian, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        var rest = pattern
        while offset < buffer.count {
            let byte = bytes.load(fromByteOffset: offset, as: UInt8.self)
            bytes.storeBytes(of: byte ^ UInt8(truncatingIfNeeded: rest), toByteOffset: offset, as: UInt8.self)
            rest &>>= 8
            offset &+= 1
        }
    }

    /// The key twice, rotated so that the byte for `phase` comes first.
    @inlinable @inline(__always)
    static func wordPattern(key: UInt32, phase: Int) -> UInt64 {
        let turn = UInt32(truncatingIfNeeded: phase & 3) &* 8
        let turned = turn == 0 ? key : key &>> turn | key &<< (32 &- turn)
        return UInt64(turned) | UInt64(turned) &<< 32
    }
}
