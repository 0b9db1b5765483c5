import CVector

/// Makes messages of the bytes that one peer sends. Source: RFC 6455, sections 5 to 8.
///
/// Append what was read, then call ``next()`` until it returns nil. Memory: the appended bytes until ``next()`` has
/// drained them, then at most ``FrameHeader/maxSize`` + 125 bytes of an incomplete header or control frame; and the
/// message being assembled, up to ``MessageLimits/messageBytes``, in a buffer that doubles as bytes really arrive. A
/// delivered message takes its buffer along: an idle assembler owns none.
public struct MessageAssembler: Sendable {
    /// Which side of the connection *we* are: a server requires masked frames, a client refuses them.
    public enum Role: Sendable, Equatable {
        case server, client
    }

    public enum Event: Sendable, Equatable {
        /// Valid UTF-8.
        case text([UInt8])
        case binary([UInt8])
        /// To be answered by a pong with the same payload.
        case ping([UInt8])
        case pong([UInt8])
        /// The last event. The code is nil when the frame was empty; the reason is valid UTF-8.
        case close(CloseCode?, reason: [UInt8])
    }

    private enum MessageKind {
        case text, binary
    }

    /// A data frame whose payload is arriving.
    private struct FrameProgress {
        let fin: Bool
        let maskKey: UInt32?
        let payloadLength: Int
        var arrived = 0
    }

    private enum Step {
        case needMore
        case goOn
        case deliver(Event)
    }

    private let role: Role
    private let limits: MessageLimits
    /// Messages may be compressed: ``isDeflated`` tells which are.
    private let allowsDeflated: Bool
    private var input: [UInt8] = []
    private var position = 0
    private var message: [UInt8] = []
    private var kind: MessageKind?
    private var frame: FrameProgress?
    private var utf8 = UTF8Validator()
    /// The message that is being assembled, or was delivered last, is compressed: as yet it is neither text nor bounded.
    private(set) var isDeflated = false

    /// A close frame or a violation has ended the stream: whatever is appended from now on is dropped.
    public private(set) var isFinished = false

    public init(role: Role, limits: MessageLimits = MessageLimits()) {
        self.init(role: role, limits: limits, allowsDeflated: false)
    }

    init(role: Role, limits: MessageLimits, allowsDeflated: Bool) {
        self.role = role
        self.limits = limits
        self.allowsDeflated = allowsDeflated
    }

    /// Takes bytes as they were read.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isFinished else { return }
        // Only when half of it is waste, so that a caller who appends more often than it drains pays a linear price.
        if position > 0, position >= input.count / 2 { releaseConsumedInput() }
        input.append(contentsOf: bytes)
    }

    /// Takes bytes as they were read.
    public mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// The next event, or nil until more bytes are appended. What a peer did wrong is thrown once, after all events
    /// that were complete before it.
    public mutating func next() throws(ProtocolViolation) -> Event? {
        guard !isFinished else { return nil }
        do throws(ProtocolViolation) {
            while true {
                switch try step() {
                case .goOn: continue
                case .deliver(let event): return event
                case .needMore:
                    releaseConsumedInput()
                    return nil
                }
            }
        } catch {
            finish()
            throw error
        }
    }

    private mutating func step() throws(ProtocolViolation) -> Step {
        if frame != nil { return try takePayload() }
        let parsed = try FrameHeader.parse(input.span.bytes, at: position, limitBytes: limits.messageBytes)
        guard let header = parsed else { return .needMore }
        try checkAgainstConnection(header)
        if header.opcode.isControl { return try takeControlFrame(header) }
        try begin(header)
        return try takePayload()
    }

    private func checkAgainstConnection(_ header: FrameHeader) throws(ProtocolViolation) {
        // Only a message's first frame says that it is compressed (RFC 7692, section 6).
        if header.rsv1, !allowsDeflated || header.opcode.isControl || header.opcode == .continuation {
            throw .reservedBits
        }
        switch role {
        case .server: if header.maskKey == nil { throw .unmaskedClientFrame }
        case .client: if header.maskKey != nil { throw .maskedServerFrame }
        }
    }
}

/// Data frames.
extension MessageAssembler {
    private mutating func begin(_ header: FrameHeader) throws(ProtocolViolation) {
        switch (header.opcode, kind) {
        case (.continuation, nil): throw .continuationWithoutMessage
        case (.continuation, _): break
        case (_, .some): throw .messageInsideMessage
        case (.text, nil): kind = .text
        default: kind = .binary
        }
        if header.opcode != .continuation { isDeflated = header.rsv1 }
        // Not as a sum, which a peer could make overflow.
        if header.payloadLength > limits.messageBytes - message.count {
            throw .messageTooBig(limitBytes: limits.messageBytes)
        }
        position += header.size
        frame = FrameProgress(fin: header.fin, maskKey: header.maskKey, payloadLength: header.payloadLength)
    }

    /// Moves what is there of the frame's payload into the message.
    private mutating func takePayload() throws(ProtocolViolation) -> Step {
        guard var progress = frame else { return .goOn }
        let count = min(progress.payloadLength - progress.arrived, input.count - position)
        let start = message.count
        try makeRoom(for: count)
        let piece = input[position..<position + count]
        Self.appendUnmasked(piece, maskKey: progress.maskKey, phase: progress.arrived, to: &message)
        position += count
        progress.arrived += count
        if kind == .text, !isDeflated { try validateText(from: start) }

        guard progress.arrived == progress.payloadLength else {
            frame = progress
            return .needMore
        }
        frame = nil
        return progress.fin ? .deliver(try endMessage()) : .goOn
    }

    /// An array that cannot grow ends the process. So a message for which there is no memory is too big.
    private mutating func makeRoom(for count: Int) throws(ProtocolViolation) {
        let needed = message.count + count
        guard needed > message.capacity, needed > Self.unaskedBytes else { return }
        // Twice for the message, and once for a copy of it.
        guard cvector_can_allocate(3 * needed) != 0 else { throw .messageTooBig(limitBytes: message.count) }
        message.reserveCapacity(2 * needed)
    }

    /// 1 MiB. Memory for less is there.
    private static let unaskedBytes = 1 << 20

    private mutating func validateText(from start: Int) throws(ProtocolViolation) {
        // A copy, because the span counts as an access to all of self.
        var validator = utf8
        guard validator.accept(message.span.extracting(start...)) else { throw .invalidUTF8 }
        utf8 = validator
    }

    private mutating func endMessage() throws(ProtocolViolation) -> Event {
        guard utf8.isAtBoundary else { throw .invalidUTF8 }
        let whole = message
        let wasText = kind == .text
        message = []
        kind = nil
        return wasText ? .text(whole) : .binary(whole)
    }
}

/// Control frames.
extension MessageAssembler {
    /// A control frame is taken whole or not at all: it is at most 139 bytes.
    private mutating func takeControlFrame(_ header: FrameHeader) throws(ProtocolViolation) -> Step {
        let start = position + header.size
        guard input.count - start >= header.payloadLength else { return .needMore }
        position = start + header.payloadLength
        var payload: [UInt8] = []
        Self.appendUnmasked(input[start..<position], maskKey: header.maskKey, phase: 0, to: &payload)
        switch header.opcode {
        case .ping: return .deliver(.ping(payload))
        case .pong: return .deliver(.pong(payload))
        default: return .deliver(try takeClose(payload))
        }
    }

    private mutating func takeClose(_ payload: [UInt8]) throws(ProtocolViolation) -> Event {
        if payload.count == 1 { throw .truncatedCloseCode }
        guard payload.count >= 2 else {
            finish()
            return .close(nil, reason: [])
        }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.isValidOnTheWire else { throw .invalidCloseCode(code.rawValue) }
        guard UTF8Validator.isValid(payload.span.extracting(2...)) else { throw .invalidUTF8 }
        finish()
        return .close(code, reason: Array(payload[2...]))
    }
}

/// Buffers.
extension MessageAssembler {
    private static func appendUnmasked(
        _ bytes: ArraySlice<UInt8>, maskKey: UInt32?, phase: Int, to target: inout [UInt8]
    ) {
        let start = target.count
        target.append(contentsOf: bytes)
        guard let maskKey else { return }
        target.withUnsafeMutableBytes { buffer in
            Mask.apply(key: maskKey, to: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), phase: phase)
        }
    }

    /// Gives the read's buffer back and keeps a copy of the few bytes that are not taken yet.
    private mutating func releaseConsumedInput() {
        guard position > 0 else { return }
        input = Array(input[position...])
        position = 0
    }

    mutating func finish() {
        isFinished = true
        input = []
        position = 0
        message = []
        frame = nil
    }
}
