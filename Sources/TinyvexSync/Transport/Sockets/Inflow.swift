import WebSocket

/// Makes batches of texts, and what else there is to do, of the bytes that a bridge sends. Pure.
struct Inflow {
    /// Why nothing more comes.
    enum Ending: Equatable {
        /// To be answered with a close frame of the same code.
        case closed(CloseCode?, reason: String)
        /// To be told to the peer by a close frame.
        case violated(ProtocolViolation)
    }

    private var assembler: MessageAssembler
    /// The payload of the last ping that was not answered yet: an older one need not be (RFC 6455, section 5.5.3).
    private var ping: [UInt8]?
    private var ending: Ending?

    init(messageLimitBytes: Int) {
        assembler = MessageAssembler(
            role: .client, limits: MessageLimits(messageBytes: messageLimitBytes), beginningBytes: Self.beginningBytes)
    }

    /// A response's id, or a subscription's, is within the first hundred bytes; an update's session usually, too.
    private static let beginningBytes: UInt16 = 512

    /// Of the message that was over the limit.
    var oversizedBeginning: [UInt8] { assembler.oversizedBeginning }

    /// The messages that are complete now. Pongs mean nothing here.
    mutating func bytesArrived(_ bytes: UnsafeRawBufferPointer) -> MessageBatch {
        assembler.append(bytes)
        var batch = MessageBatch()
        do throws(ProtocolViolation) {
            while let event = try assembler.next() { take(event, into: &batch) }
        } catch {
            ending = .violated(error)
        }
        return batch
    }

    mutating func takePing() -> [UInt8]? {
        defer { ping = nil }
        return ping
    }

    /// Once.
    mutating func takeEnding() -> Ending? {
        defer { ending = nil }
        return ending
    }

    private mutating func take(_ event: MessageAssembler.Event, into batch: inout MessageBatch) {
        switch event {
        case .text(let text): batch.append(text.span)
        case .ping(let payload): ping = payload
        case .close(let code, let reason): ending = .closed(code, reason: String(decoding: reason, as: UTF8.self))
        case .binary(let message): batch.keep(binary: message)
        case .pong: break
        }
    }
}
