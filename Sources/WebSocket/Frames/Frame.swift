/// Builds whole frames. A client must pass a fresh, unpredictable `maskKey` for each frame. A server passes none.
package enum Frame {
    /// Appends one frame to `bytes`.
    ///
    /// - Parameter isDeflated: True for the first frame of a compressed message.
    package static func append(
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

    /// A ping. A payload over 125 bytes is truncated.
    package static func ping(_ payload: [UInt8] = [], maskKey: UInt32? = nil) -> [UInt8] {
        control(.ping, payload, maskKey: maskKey)
    }

    /// A pong with the payload of the ping that it answers. Source: RFC 6455, section 5.5.3.
    package static func pong(_ payload: [UInt8], maskKey: UInt32? = nil) -> [UInt8] {
        control(.pong, payload, maskKey: maskKey)
    }

    /// A close frame. It is empty without a code, or with a code that must not be sent.
    ///
    /// A reason over 123 bytes is cut before the code point that would exceed them. To answer a peer's close frame,
    /// pass the code that it carried. Source: RFC 6455, section 5.5.1.
    package static func close(_ code: CloseCode?, reason: String = "", maskKey: UInt32? = nil) -> [UInt8] {
        guard let code, code.isValidOnTheWire else { return control(.close, [], maskKey: maskKey) }
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        for scalar in reason.unicodeScalars {
            let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            guard payload.count + encoded.count <= FrameHeader.controlPayloadLimitBytes else { break }
            payload.append(contentsOf: encoded)
        }
        return control(.close, payload, maskKey: maskKey)
    }

    /// The close frame that reports a violation by the peer.
    package static func close(_ violation: ProtocolViolation, maskKey: UInt32? = nil) -> [UInt8] {
        close(violation.closeCode, reason: violation.description, maskKey: maskKey)
    }

    private static func control(_ opcode: Opcode, _ payload: [UInt8], maskKey: UInt32?) -> [UInt8] {
        var bytes: [UInt8] = []
        let front = min(payload.count, FrameHeader.controlPayloadLimitBytes)
        append(opcode, payload.span.extracting(..<front), maskKey: maskKey, to: &bytes)
        return bytes
    }
}
