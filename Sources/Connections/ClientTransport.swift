import EventLoop
import WebSocket

/// Carries the messages between the bridge and one client. ``WebSocketPeer`` uses a socket; ``MessageTransport`` passes
/// whole messages to another part of this process.
///
/// Messages are pulled: after the owner was notified, it calls ``next()`` until that returns nil. The transport keeps the
/// messages that the owner does not take yet.
@LoopActor package protocol ClientTransport: AnyObject {
    /// Sends control frames and streams, in frames without a mask.
    var writer: ConnectionWriter { get }
    /// True while messages can be sent: neither side has begun to close.
    var isOpen: Bool { get }
    /// Starts to deliver messages. Returns false if the event loop cannot watch the socket.
    func start(_ owner: any TransportOwner) -> Bool
    /// The next thing that has arrived, or nil until the owner is notified again.
    func next() -> Arrival?
    /// Leaves further data unread until the next ``resumeReading()``.
    func pauseReading()
    func resumeReading()
    /// Sends a close frame after the data that is already queued. Then waits a limited time for the client to close.
    func close(_ code: CloseCode, _ reason: String)
    /// Closes at once, without notifying the owner.
    func drop()
    /// Closes if nothing was heard from the client for `limit`; otherwise checks whether the client is there.
    func checkAlive(within limit: Duration)
}

/// Something that has arrived from a client.
package enum Arrival: Equatable, Sendable {
    /// Valid UTF-8.
    case text([UInt8])
    case binary([UInt8])
    /// A ping or a pong. The transport has handled it.
    case control
    /// The client has closed the connection in order, or has violated the protocol. No message follows.
    case closing
}

/// Takes the messages that a transport delivers.
@LoopActor package protocol TransportOwner: AnyObject {
    /// False while the owner takes no messages. The transport then pauses reading instead of reading more.
    var takesMessages: Bool { get }
    /// Messages can have arrived.
    func messagesArrived(through transport: any ClientTransport)
    /// Fewer bytes wait to be sent, so requests can be answered again. The writer can still be at work.
    func hasRoom(in transport: any ClientTransport)
    /// A close frame is about to be sent, after which nothing can be sent. The owner must end its streams.
    func willClose(_ transport: any ClientTransport)
    /// The transport has ended.
    func closed(_ transport: any ClientTransport)
}

extension ClientTransport {
    /// The time from our close frame that the client has to send its own and to end the connection.
    package static nonisolated var closingPatience: Duration { .seconds(2) }

    /// Sends a message, unless a close frame was sent: that must be the last frame.
    package func send(_ message: [UInt8], as opcode: Opcode = .text) {
        guard isOpen else { return }
        var frame: [UInt8] = []
        Frame.append(opcode, message.span, to: &frame)
        writer.sendControl(frame)
    }
}
