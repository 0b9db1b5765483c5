/// A violation of RFC 6455 or of our limits by a peer. It ends the connection with ``closeCode``.
package enum ProtocolViolation: Error, Equatable, Sendable {
    case reservedBits
    case reservedOpcode(UInt8)
    case fragmentedControlFrame
    case controlFrameTooLong
    case lengthNotMinimal
    case lengthOutOfRange
    case unmaskedClientFrame
    case maskedServerFrame
    case continuationWithoutMessage
    case messageInsideMessage
    case messageTooBig(limitBytes: Int)
    case tooManyEmptyFrames
    case invalidUTF8
    case invalidCompression
    case truncatedCloseCode
    case invalidCloseCode(UInt16)

    /// The code for our close frame. Source: RFC 6455, section 7.4.1.
    package var closeCode: CloseCode {
        switch self {
        case .messageTooBig: .messageTooBig
        case .tooManyEmptyFrames: .policyViolation
        case .invalidUTF8, .invalidCompression: .invalidPayload
        default: .protocolError
        }
    }
}

extension ProtocolViolation: CustomStringConvertible {
    /// One ASCII sentence that is short enough for the reason of a close frame.
    package var description: String {
        switch self {
        case .reservedBits: "A frame had reserved bits set, but no extension was agreed."
        case .reservedOpcode(let opcode): "A frame had the reserved opcode \(opcode)."
        case .fragmentedControlFrame: "A control frame was fragmented."
        case .controlFrameTooLong: "A control frame carried more than \(FrameHeader.controlPayloadLimitBytes) bytes."
        case .lengthNotMinimal: "A frame's length was not in its shortest form."
        case .lengthOutOfRange: "A frame's length had its highest bit set."
        case .unmaskedClientFrame: "A client sent a frame that was not masked."
        case .maskedServerFrame: "A server sent a masked frame."
        case .continuationWithoutMessage: "A continuation frame arrived without a message to continue."
        case .messageInsideMessage: "A message began before the previous one had ended."
        case .messageTooBig(let limitBytes): "A message exceeded the limit of \(limitBytes) bytes."
        case .tooManyEmptyFrames: "A message had too many frames without a payload."
        case .invalidUTF8: "A text was not valid UTF-8."
        case .invalidCompression: "A message was not valid permessage-deflate data."
        case .truncatedCloseCode: "A close frame carried only one byte of a code."
        case .invalidCloseCode(let code): "A close frame carried the code \(code), which must not be sent."
        }
    }
}
