import EventLoop
import WebSocket

/// Receives the messages that a ``FrameDecoder`` has decoded. It must not use the decoder's connection during a call,
/// because the writer is at work.
@LoopActor protocol DecodedMessageReceiver: AnyObject {
    /// False while the receiver holds as many bytes as it may.
    var hasRoom: Bool { get }
    func receive(_ messages: [[UInt8]])
    func receiveClose(_ code: CloseCode?, _ reason: [UInt8])
}

/// Decodes the frames that a ``ConnectionWriter`` writes into the messages that they carry.
///
/// It takes bytes only while the receiver has room, so it holds at most one incomplete message.
@LoopActor package final class FrameDecoder {
    weak var receiver: (any DecodedMessageReceiver)?
    private var assembler: MessageAssembler

    /// The receiver is asked for room after each piece of this size, as after a read from a socket.
    static let pieceBytes = 64 << 10

    init(limits: MessageLimits) { assembler = MessageAssembler(role: .client, limits: limits) }

    /// Returns how many bytes were taken. Without a receiver, all bytes are dropped.
    func decode(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let receiver else { return bytes.count }
        var taken = 0
        while taken < bytes.count, receiver.hasRoom {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[taken...].prefix(Self.pieceBytes))
            taken += piece.count
            decode(piece, for: receiver)
        }
        return taken
    }

    private func decode(_ piece: UnsafeRawBufferPointer, for receiver: any DecodedMessageReceiver) {
        assembler.append(piece)
        var messages: [[UInt8]] = []
        var close: (code: CloseCode?, reason: [UInt8])?
        do throws(ProtocolViolation) {
            while let event = try assembler.next() {
                switch event {
                case .text(let message): messages.append(message)
                case .close(let code, let reason): close = (code, reason)
                // Pings measure the pace of a network's reader. The receiver reports its room itself.
                case .binary, .ping, .pong: break
                }
            }
        } catch {
            close = (error.closeCode, Array(error.description.utf8))
        }
        if !messages.isEmpty { receiver.receive(messages) }
        if let close { receiver.receiveClose(close.code, close.reason) }
    }
}
