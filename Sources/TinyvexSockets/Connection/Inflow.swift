import TinyvexTransport
import WebSocket

/// Turns a bridge's bytes into batches of texts, pings and an ending. Pure: performs no I/O.
struct Inflow {
    /// The reason why no more messages arrive.
    enum Ending: Equatable {
        /// Must be answered with a close frame of the same code.
        case closed(CloseCode?, reason: String)
        /// Must be reported to the peer with a close frame.
        case violated(ProtocolViolation)
    }

    private var assembler: MessageAssembler
    /// The payload of the last unanswered ping. Older pings need no answer (RFC 6455, section 5.5.3).
    private var ping: [UInt8]?
    private var ending: Ending?

    init(messageLimitBytes: Int) {
        assembler = MessageAssembler(
            role: .client, limits: MessageLimits(messageBytes: messageLimitBytes), beginningBytes: Self.beginningBytes)
    }

    /// The id of a response or of a subscription is within the first hundred bytes. An update's session usually is,
    /// too.
    private static let beginningBytes: UInt16 = 512

    /// The first bytes of the message that was over the limit.
    var oversizedBeginning: [UInt8] { assembler.oversizedBeginning }

    /// Returns the messages that are now complete. Pongs are ignored.
    mutating func bytesArrived(_ bytes: UnsafeRawBufferPointer) -> MessageBatch {
        assembler.append(bytes)
        var batch = MessageBatch()
        do throws(ProtocolViolation) {
            while let event = try assembler.next() { handle(event, into: &batch) }
        } catch {
            ending = .violated(error)
        }
        return batch
    }

    mutating func takePing() -> [UInt8]? {
        defer { ping = nil }
        return ping
    }

    /// Returns the ending once; later calls return nil.
    mutating func takeEnding() -> Ending? {
        defer { ending = nil }
        return ending
    }

    private mutating func handle(_ event: MessageAssembler.Event, into batch: inout MessageBatch) {
        switch event {
        case .text(let text): batch.append(text.span)
        case .ping(let payload): ping = payload
        case .close(let code, let reason): ending = .closed(code, reason: String(decoding: reason, as: UTF8.self))
        case .binary(let message): batch.keep(binary: message)
        case .pong: break
        }
    }
}
