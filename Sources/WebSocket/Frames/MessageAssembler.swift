/// Assembles messages from the bytes that one peer sends. Source: RFC 6455, sections 5 to 8.
///
/// Append the bytes that were read, then call ``next()`` until it returns nil. Memory: the appended bytes until
/// ``next()`` has consumed them, then at most ``FrameHeader/maxSize`` + 125 bytes of an incomplete header or control
/// frame. In addition, the message being assembled, up to ``MessageLimits/messageBytes``, in a buffer that doubles as
/// bytes actually arrive. A delivered message takes its buffer with it, so an idle assembler owns none.
package struct MessageAssembler: Sendable {
    /// Which side of the connection *we* are. A server requires masked frames; a client refuses them.
    package enum Role: Sendable, Equatable {
        case server, client
    }

    package enum Event: Sendable, Equatable {
        /// Valid UTF-8.
        case text([UInt8])
        case binary([UInt8])
        /// Must be answered by a pong with the same payload.
        case ping([UInt8])
        case pong([UInt8])
        /// The last event. The code is nil when the frame was empty; the reason is valid UTF-8.
        case close(CloseCode?, reason: [UInt8])
    }

    private enum MessageKind {
        case text, binary
    }

    /// A data frame with a payload that is still arriving.
    private struct FrameProgress {
        let fin: Bool
        let maskKey: UInt32?
        let payloadLength: Int
        var arrived = 0
    }

    private enum Step {
        case needMore
        case proceed
        case deliver(Event)
    }

    private let role: Role
    private let limits: MessageLimits
    /// True when messages can be compressed. ``isDeflated`` is true for a compressed one.
    private let allowsDeflated: Bool
    /// The number of bytes of a message over the limit that are received before it is refused. They identify the message.
    private let beginningBytes: UInt16
    private var input: [UInt8] = []
    private var position = 0
    private var message: [UInt8] = []
    private var kind: MessageKind?
    /// The frames of the message that is being assembled that had no payload.
    private var emptyFrames: UInt16 = 0
    private var frame: FrameProgress?
    private var utf8 = UTF8Validator()
    /// True when the message that is being assembled or was delivered last is compressed. Its text is not validated and
    /// its final size not limited yet.
    private(set) var isDeflated = false

    /// True after a close frame or a violation has ended the stream. All bytes appended after that are dropped.
    package private(set) var isFinished = false

    /// The received size of an unfinished message, in bytes.
    var unfinishedBytes: Int { isFinished ? 0 : message.count }

    /// The beginning of the message that was over the limit, once that was thrown.
    package var oversizedBeginning: [UInt8] { isFinished ? message : [] }

    /// - Parameter beginningBytes: the number of bytes of a message over the limit that ``oversizedBeginning`` contains.
    ///   With 0 the message is refused at its header.
    package init(role: Role, limits: MessageLimits = MessageLimits(), beginningBytes: UInt16 = 0) {
        self.init(role: role, limits: limits, allowsDeflated: false, beginningBytes: beginningBytes)
    }

    init(role: Role, limits: MessageLimits, allowsDeflated: Bool, beginningBytes: UInt16 = 0) {
        self.role = role
        self.limits = limits
        self.allowsDeflated = allowsDeflated
        self.beginningBytes = beginningBytes
    }

    /// Appends bytes that were read.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isFinished else { return }
        // Compacts only when half of the buffer is consumed, so that appending more often than draining costs linear
        // time.
        if position > 0, position >= input.count / 2 { releaseConsumedInput() }
        input.append(contentsOf: bytes)
    }

    /// Appends bytes that were read.
    package mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// The next event, or nil until more bytes are appended. A violation is thrown once, after all events that were
    /// complete before it.
    package mutating func next() throws(ProtocolViolation) -> Event? {
        guard !isFinished else { return nil }
        do throws(ProtocolViolation) {
            while true {
                switch try step() {
                case .proceed: continue
                case .deliver(let event): return event
                case .needMore:
                    releaseConsumedInput()
                    return nil
                }
            }
        } catch {
            let beginning = if case .messageTooBig = error { receivedBeginning } else { [UInt8]() }
            finish()
            message = beginning
            throw error
        }
    }

    private mutating func step() throws(ProtocolViolation) -> Step {
        if frame != nil { return try readPayload() }
        let limit = beginningBytes > 0 ? .max : limits.messageBytes
        guard let header = try FrameHeader.parse(input.span.bytes, at: position, limitBytes: limit) else {
            return .needMore
        }
        try checkAgainstConnection(header)
        if header.opcode.isControl { return try readControlFrame(header) }
        if awaitsBeginning(header) { return .needMore }
        try begin(header)
        return try readPayload()
    }

    private func checkAgainstConnection(_ header: FrameHeader) throws(ProtocolViolation) {
        // Only the first frame of a message has the compression bit (RFC 7692, section 6).
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
    /// Returns true if the message is over the limit and more of its beginning must be received before it is refused.
    private func awaitsBeginning(_ header: FrameHeader) -> Bool {
        guard beginningBytes > 0, header.payloadLength > limits.messageBytes - message.count else { return false }
        let wanted = min(max(0, Int(beginningBytes) - message.count), header.payloadLength)
        return input.count - (position + header.size) < wanted
    }

    /// The received beginning of the message that continues with the next frame header in the input.
    private var receivedBeginning: [UInt8] {
        let header = try? FrameHeader.parse(input.span.bytes, at: position, limitBytes: .max)
        guard beginningBytes > 0, let header else { return [] }
        let payload = input[(position + header.size)...].prefix(header.payloadLength)
        return Array((message + payload).prefix(Int(beginningBytes)))
    }

    private mutating func begin(_ header: FrameHeader) throws(ProtocolViolation) {
        switch (header.opcode, kind) {
        case (.continuation, nil): throw .continuationWithoutMessage
        case (.continuation, _): break
        case (_, .some): throw .messageInsideMessage
        case (.text, nil): kind = .text
        default: kind = .binary
        }
        if header.opcode != .continuation { (isDeflated, emptyFrames) = (header.rsv1, 0) }
        if header.payloadLength == 0 { emptyFrames += 1 }
        if emptyFrames > Self.emptyFrameLimit { throw .tooManyEmptyFrames }
        // Compared without a sum, because a peer could make the sum overflow.
        if header.payloadLength > limits.messageBytes - message.count {
            throw .messageTooBig(limitBytes: limits.messageBytes)
        }
        position += header.size
        frame = FrameProgress(fin: header.fin, maskKey: header.maskKey, payloadLength: header.payloadLength)
    }

    /// Moves the available payload of the current frame into the message.
    private mutating func readPayload() throws(ProtocolViolation) -> Step {
        guard var progress = frame else { return .proceed }
        let count = min(progress.payloadLength - progress.arrived, input.count - position)
        let start = message.count
        try message.makeRoom(for: count)
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
        return progress.fin ? .deliver(try endMessage()) : .proceed
    }

    /// 1,000 in one message. The size of a message limits its other frames, and empty ones would take time without end.
    private static let emptyFrameLimit: UInt16 = 1_000

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
    /// A control frame is consumed whole or not at all. It has at most 139 bytes.
    private mutating func readControlFrame(_ header: FrameHeader) throws(ProtocolViolation) -> Step {
        let start = position + header.size
        guard input.count - start >= header.payloadLength else { return .needMore }
        position = start + header.payloadLength
        var payload: [UInt8] = []
        Self.appendUnmasked(input[start..<position], maskKey: header.maskKey, phase: 0, to: &payload)
        switch header.opcode {
        case .ping: return .deliver(.ping(payload))
        case .pong: return .deliver(.pong(payload))
        default: return .deliver(try readClose(payload))
        }
    }

    private mutating func readClose(_ payload: [UInt8]) throws(ProtocolViolation) -> Event {
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

    /// Frees the read buffer and keeps a copy of the few bytes that are not consumed yet.
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
