/// One end of a WebSocket between the opening handshake and the end of the transport. It reads messages, answers pings
/// and performs the closing handshake. Pure. Source: RFC 6455, sections 5.5 and 7.
///
/// Append the bytes that arrive, and perform the actions that ``next(maskKey:)`` returns until it returns nil. The
/// owner sets the deadlines for the peer's close frame and for the end of the transport after it.
package struct ConnectionMachine: ~Copyable, Sendable {
    package enum Action: Sendable, Equatable {
        /// Valid UTF-8.
        case deliverText([UInt8])
        case deliverBinary([UInt8])
        /// The peer answered a ping, or sent an unsolicited pong.
        case pongArrived([UInt8])
        /// Send this frame.
        case send([UInt8])
        /// Send this close frame. No frame can follow it.
        case sendClose([UInt8])
        /// The connection is finished after the waiting frames are sent. A server then ends the transport; a client
        /// waits for the server to end it.
        case endTransport
    }

    private var reader: MessageReader
    private var closing = Closing.open
    private var isEndDue = false

    /// - Parameter role: Which side of the connection *we* are.
    /// - Parameter deflate: The compression that the handshake agreed on.
    package init(
        role: MessageAssembler.Role, limits: MessageLimits = MessageLimits(), deflate: PermessageDeflate? = nil
    ) {
        reader = MessageReader(role: role, limits: limits, deflate: deflate)
    }

    /// True while messages, pings and pongs can be sent: neither side has sent a close frame.
    package var isOpen: Bool { closing.allowsMessages }

    /// The received size of an unfinished message, in bytes.
    package var unfinishedBytes: Int { reader.unfinishedBytes }

    /// Call with the bytes that arrived. They are dropped after the connection is finished.
    package mutating func bytesArrived(_ bytes: UnsafeRawBufferPointer) {
        if closing != .closed { reader.append(bytes) }
    }

    /// The next action, or nil until more bytes arrive. After our close frame, the peer's messages are dropped and its
    /// pings are not answered.
    ///
    /// - Parameter maskKey: A client's masking key for the next frame. It must be fresh and unpredictable each time.
    package mutating func next(maskKey: UInt32? = nil) -> Action? {
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

    /// Starts a close: returns the frame to send, or nil when the connection is already closing.
    package mutating func close(_ code: CloseCode, reason: String = "", maskKey: UInt32? = nil) -> [UInt8]? {
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

    /// The peer's bytes can no longer be interpreted, so its close frame is not waited for. Source: RFC 6455, section
    /// 7.1.7.
    private mutating func failed(_ violation: ProtocolViolation, _ maskKey: UInt32?) -> Action {
        let mayTell = isOpen
        closing = .closed
        guard mayTell else { return .endTransport }
        isEndDue = true
        return .sendClose(Frame.close(violation, maskKey: maskKey))
    }
}
