/// The 2–14 bytes before a frame's payload. Source: RFC 6455, section 5.2.
///
/// `81 85 37 fa 21 3d` is a final text frame with a masked payload of 5 bytes.
package struct FrameHeader: Equatable, Sendable {
    /// The longest header: two bytes, a 64-bit length and a masking key.
    package static let maxSize = 14

    /// The maximum payload of a control frame. Source: RFC 6455, section 5.5.
    package static let controlPayloadLimitBytes = 125

    /// True for the last frame of its message.
    package var fin: Bool
    /// The first reserved bit, which permessage-deflate uses (RFC 7692). It must be false without an extension. The
    /// header parser leaves that check to its caller.
    package var rsv1: Bool
    package var opcode: Opcode
    /// The masking key, with its first byte in the lowest bits. Nil when the payload is not masked.
    package var maskKey: UInt32?
    /// In bytes.
    package var payloadLength: Int

    @inlinable
    package init(fin: Bool = true, rsv1: Bool = false, opcode: Opcode, maskKey: UInt32? = nil, payloadLength: Int) {
        self.fin = fin
        self.rsv1 = rsv1
        self.opcode = opcode
        self.maskKey = maskKey
        self.payloadLength = payloadLength
    }

    /// The header's own size in bytes, which is also the offset of the payload.
    @inlinable
    package var size: Int {
        Self.size(payloadLength: payloadLength, masked: maskKey != nil)
    }

    /// The size in bytes of a header for a payload of this length.
    @inlinable
    package static func size(payloadLength: Int, masked: Bool) -> Int {
        let unmasked = payloadLength < 126 ? 2 : payloadLength <= 0xFFFF ? 4 : 10
        return masked ? unmasked + 4 : unmasked
    }
}
