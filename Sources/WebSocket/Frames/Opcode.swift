/// The type of a frame. Source: RFC 6455, section 5.2.
///
/// The values 3–7 and 11–15 are reserved: a frame with one of them is a violation.
package enum Opcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Control frames are never fragmented, carry at most ``FrameHeader/controlPayloadLimitBytes``, and can be sent
    /// between the fragments of a message.
    @inlinable
    package var isControl: Bool { rawValue & 0x8 != 0 }
}
