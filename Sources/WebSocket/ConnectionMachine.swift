/// One end of a WebSocket between the handshake and the transport's end: reads messages, answers pings, and sees the
/// closing handshake through. Pure. Source: RFC 6455, sections 5.5 and 7.
///
/// Tell it what arrived, and do what ``next(maskKey:)`` says until that is nothing. Deadlines are the owner's: how long
/// a peer may take for its close frame, and for the transport's end after it.
public struct ConnectionMachine: ~Copyable, Sendable {
    public enum Action: Sendable, Equatable {
        /// Valid UTF-8.
        case deliverText([UInt8])
        case deliverBinary([UInt8])
        /// The peer answers a ping, or tells that it is there.
        case pongArrived([UInt8])
        /// Send this frame.
        case send([UInt8])
        /// Send this close frame. Nothing may be sent behind it.
        case sendClose([UInt8])
        /// All is said, once what waits is sent: a server ends the transport, a client waits for the server to do so.
        case endTransport
    }

    private var reader: MessageReader
    private var closing = Closing.open
    private var isEndDue = false

    /// - Parameter role: which side of the connection *we* are.
    /// - Parameter deflate: what the handshake agreed on.
    public init(
        role: MessageAssembler.Role, limits: MessageLimits = MessageLimits(), deflate: PermessageDeflate? = nil
    ) {
        reader = MessageReader(role: role, limits: limits, deflate: deflate)
    }

    /// Messages, pings and pongs may be sent. Once either side has sent a close frame they may not.
    public var isOpen: Bool { closing.allowsMessages }

    /// What the transport gave. Once all is said it is dropped.
    public mutating func bytesArrived(_ bytes: UnsafeRawBufferPointer) {
        if closing != .closed { reader.append(bytes) }
    }

    /// What to do, or nil until more arrives. After a close frame of ours the peer's messages come to nothing, and its
    /// pings remain unanswered.
    ///
    /// - Parameter maskKey: a client's for the next frame; fresh and unpredictable each time.
    public mutating func next(maskKey: UInt32? = nil) -> Action? {
        if isEndDue {
            isEndDue = false
            return .endTransport
        }
        do throws(ProtocolViolation) {
            while closing != .closed, let event = try reader.next() {
                if let action = action(for: event, maskKey) { return action }
            }
            return nil
        } catch {
            return failed(error, maskKey)
        }
    }

    /// We want to close: the frame to send, or nil when the connection is being closed already.
    public mutating func close(_ code: CloseCode, reason: String = "", maskKey: UInt32? = nil) -> [UInt8]? {
        guard closing.closeFrameSent() == .awaitAnswer else { return nil }
        return Frame.close(code, reason: reason, maskKey: maskKey)
    }

    private mutating func action(for event: MessageAssembler.Event, _ maskKey: UInt32?) -> Action? {
        switch event {
        case .text(let message): isOpen ? .deliverText(message) : nil
        case .binary(let message): isOpen ? .deliverBinary(message) : nil
        case .ping(let payload): isOpen ? .send(Frame.pong(payload, maskKey: maskKey)) : nil
        case .pong(let payload): isOpen ? .pongArrived(payload) : nil
        case .close(let code, _): peerClosed(code, maskKey)
        }
    }

    private mutating func peerClosed(_ code: CloseCode?, _ maskKey: UInt32?) -> Action? {
        switch closing.closeFrameReceived() {
        case .answer:
            isEndDue = closing.closeFrameSent() == .endTransport
            return .sendClose(Frame.close(code, maskKey: maskKey))
        case .endTransport: return .endTransport
        case .nothing, .awaitAnswer: return nil
        }
    }

    /// The peer's bytes mean nothing any more, so its close frame is not waited for. Source: RFC 6455, section 7.1.7.
    private mutating func failed(_ violation: ProtocolViolation, _ maskKey: UInt32?) -> Action {
        let mayTell = isOpen
        closing = .closed
        guard mayTell else { return .endTransport }
        isEndDue = true
        return .sendClose(Frame.close(violation, maskKey: maskKey))
    }
}
