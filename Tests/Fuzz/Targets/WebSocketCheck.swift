import WebSocket

/// The first byte selects the set-up of the connection. The rest is the data on it.
enum WebSocketCheck {
    private struct SetUp {
        let role: MessageAssembler.Role
        let deflate: PermessageDeflate?

        init(_ byte: UInt8) {
            role = byte & 1 == 0 ? .server : .client
            let direction = PermessageDeflate.Direction(
                keepsContext: byte & 4 != 0, windowBits: 8 + Int(byte >> 3) % 8)
            deflate = byte & 2 == 0 ? nil : PermessageDeflate(server: direction, client: direction)
        }
    }

    private static let limits = MessageLimits(messageBytes: 10_000)

    static func check(_ bytes: [UInt8]) throws(Finding) {
        guard let first = bytes.first else { return }
        let setUp = SetUp(first)
        let stream = Array(bytes.dropFirst())
        let actions = actions(setUp, [stream[...]])
        try Finding.unless(actions == Self.actions(setUp, Pieces.of(stream)), "actions do not depend on the cuts")
        try Finding.unless(actions.count { $0.isClose } <= 1, "a close frame is sent at most once")
        for action in actions {
            guard case .deliverText(let text) = action else { continue }
            try Finding.unless(String(validating: text, as: UTF8.self) != nil, "texts are UTF-8")
            try Finding.unless(text.count <= limits.messageBytes, "messages do not exceed the limit")
        }
        if let deflate = setUp.deflate { try checkRestoring(actions.compactMap(\.message), deflate) }
    }

    private static func actions(_ setUp: SetUp, _ pieces: [ArraySlice<UInt8>]) -> [ConnectionMachine.Action] {
        var machine = ConnectionMachine(role: setUp.role, limits: limits, deflate: setUp.deflate)
        var actions: [ConnectionMachine.Action] = []
        for piece in pieces {
            piece.withUnsafeBytes { machine.bytesArrived($0) }
            while let action = machine.next(maskKey: setUp.role == .client ? 7 : nil) { actions.append(action) }
        }
        return actions
    }

    /// Checks that compressed messages can be decompressed.
    private static func checkRestoring(_ messages: [[UInt8]], _ deflate: PermessageDeflate) throws(Finding) {
        guard var deflater = FrameDeflater(deflate.server) else { return }
        var reader = MessageReader(role: .client, limits: limits, deflate: deflate)
        do throws(ProtocolViolation) {
            for message in messages {
                var frame: [UInt8] = []
                Frame.append(.binary, message.span, to: &frame)
                for piece in Pieces.of(frame) { try append(piece, to: &deflater) }
            }
            reader.append(deflater.output.span)
            for message in messages {
                guard try reader.next() == .binary(message) else { throw .invalidCompression }
            }
        } catch {
            throw Finding("a compressed message must be decompressed unchanged: \(error)")
        }
    }

    private static func append(
        _ piece: ArraySlice<UInt8>, to deflater: inout FrameDeflater
    ) throws(ProtocolViolation) {
        let piece = Array(piece)
        var violation: ProtocolViolation?
        piece.withUnsafeBytes { bytes in
            do throws(ProtocolViolation) { try deflater.append(bytes) } catch { violation = error }
        }
        if let violation { throw violation }
    }
}

extension ConnectionMachine.Action {
    fileprivate var isClose: Bool { if case .sendClose = self { true } else { false } }

    fileprivate var message: [UInt8]? {
        switch self {
        case .deliverText(let message), .deliverBinary(let message): message
        default: nil
        }
    }
}
