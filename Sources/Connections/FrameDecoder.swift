import EventLoop
import WebSocket

/// Takes the messages that a ``FrameDecoder`` has decoded. It must not use the decoder's connection during a call,
/// because the writer is at work.
@LoopActor protocol DecodedMessageTaker: AnyObject {
    /// False while the taker holds as many bytes as it may.
    var hasRoom: Bool { get }
    func take(_ messages: [[UInt8]])
    func takeClose(_ code: CloseCode?, _ reason: [UInt8])
}

/// Decodes the frames that a ``ConnectionWriter`` writes into the messages that they carry.
///
/// It takes bytes only while the taker has room, so it holds at most one incomplete message.
@LoopActor package final class FrameDecoder {
    weak var taker: (any DecodedMessageTaker)?
    private var assembler: MessageAssembler

    /// The taker is asked for room after each piece of this size, as after a read from a socket.
    static let pieceBytes = 64 << 10

    init(limits: MessageLimits) { assembler = MessageAssembler(role: .client, limits: limits) }

    /// Returns how many bytes were taken. Without a taker, all bytes are dropped.
    func decode(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let taker else { return bytes.count }
        var taken = 0
        while taken < bytes.count, taker.hasRoom {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[taken...].prefix(Self.pieceBytes))
            taken += piece.count
            decode(piece, for: taker)
        }
        return taken
    }

    private func decode(_ piece: UnsafeRawBufferPointer, for taker: any DecodedMessageTaker) {
        assembler.append(piece)
        var messages: [[UInt8]] = []
        var close: (code: CloseCode?, reason: [UInt8])?
        do throws(ProtocolViolation) {
            while let event = try assembler.next() {
                switch event {
                case .text(let message): messages.append(message)
                case .close(let code, let reason): close = (code, reason)
                // Pings measure the pace of a network's reader. The taker reports its room itself.
                case .binary, .ping, .pong: break
                }
            }
        } catch {
            close = (error.closeCode, Array(error.description.utf8))
        }
        if !messages.isEmpty { taker.take(messages) }
        if let close { taker.takeClose(close.code, close.reason) }
    }
}
