/// Builds whole frames. A client has to pass a fresh, unpredictable `maskKey` for each; a server passes none.
public enum Frame {
    /// Appends one frame to `bytes`.
    ///
    /// - Parameter isDeflated: the message is compressed, and this is its first frame.
    public static func append(
        _ opcode: Opcode, _ payload: Span<UInt8>, fin: Bool = true, isDeflated: Bool = false, maskKey: UInt32? = nil,
        to bytes: inout [UInt8]
    ) {
        let header = FrameHeader(
            fin: fin, rsv1: isDeflated, opcode: opcode, maskKey: maskKey, payloadLength: payload.count)
        let start = bytes.count
        let payloadStart = start + header.size
        bytes.append(contentsOf: repeatElement(0, count: header.size))
        payload.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        bytes.withUnsafeMutableBytes { buffer in
            header.write(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            if let maskKey {
                Mask.apply(key: maskKey, to: UnsafeMutableRawBufferPointer(rebasing: buffer[payloadStart...]))
            }
        }
    }

    /// A ping; of a payload over 125 bytes the front is sent.
    public static func ping(_ payload: [UInt8] = [], maskKey: UInt32? = nil) -> [UInt8] {
        control(.ping, payload, maskKey: maskKey)
    }

    /// A pong, which carries the payload of the ping it answers. Source: RFC 6455, section 5.5.3.
    public static func pong(_ payload: [UInt8], maskKey: UInt32? = nil) -> [UInt8] {
        control(.pong, payload, maskKey: maskKey)
    }

    /// A close frame. Without a code, or with one that may not be sent, it is empty.
    ///
    /// A reason over 123 bytes is cut in front of the code point that would exceed them. To answer a peer's close
    /// frame, pass the code it carried. Source: RFC 6455, section 5.5.1.
    public static func close(_ code: CloseCode?, reason: String = "", maskKey: UInt32? = nil) -> [UInt8] {
        guard let code, code.isValidOnTheWire else { return control(.close, [], maskKey: maskKey) }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for scalar in reason.unicodeScalars {
            let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard payload.count + encoded.count <= FrameHeader.controlPayloadLimitBytes else { break }
            payload.append(contentsOf: encoded)
        }
        return control(.close, payload, maskKey: maskKey)
    }

    /// The close frame for what the peer did wrong.
    public static func close(_ violation: ProtocolViolation, maskKey: UInt32? = nil) -> [UInt8] {
        close(violation.closeCode, reason: violation.description, maskKey: maskKey)
    }

    private static func control(_ opcode: Opcode, _ payload: [UInt8], maskKey: UInt32?) -> [UInt8] {
        var bytes: [UInt8] = []
        let front = min(payload.count, FrameHeader.controlPayloadLimitBytes)
        append(opcode, payload.span.extracting(..<front), maskKey: maskKey, to: &bytes)
        return bytes
    }
}
