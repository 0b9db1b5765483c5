import EventLoop
import WebSocket

/// The part of this process that exchanges whole messages with a client of the bridge through a ``MessageTransport``.
@LoopActor package protocol MessageReceiver: AnyObject {
    /// False while the receiver holds as many bytes as it may. When it has room again, it must call
    /// ``MessageTransport/receiverHasRoom()``.
    var hasRoom: Bool { get }
    /// Receives messages in their order. The transport must not be used during the call.
    func receive(_ messages: [[UInt8]])
    /// The bridge closes the connection. No message follows. The transport must not be used during the call.
    func receiveClose(_ code: CloseCode?, _ reason: [UInt8])
    /// The bridge has handled all messages that were appended.
    func messagesWereHandled()
    /// The bridge's side of the connection has ended.
    func connectionEnded()
}

/// A client's transport that needs no socket: the other end is a ``MessageReceiver`` in this process.
///
/// Streams write frames as they do to a socket, and the frames are decoded at once. If the receiver has no room, the
/// writer is blocked like one with a full socket, so updates wait in the log.
@LoopActor package final class MessageTransport: ClientTransport, DecodedMessageReceiver {
    package private(set) lazy var writer = ConnectionWriter(
        output: .decoder(decoder), deflate: nil, turns: turns
    ) { [weak self] in self?.interestChanged() }
    private let decoder: FrameDecoder
    private let turns: FairScheduler
    private let timers: any TimerScheduler
    private weak var receiver: (any MessageReceiver)?
    private weak var owner: (any TransportOwner)?
    /// Messages for the bridge that it has not taken yet. The receiver limits their bytes: see ``append(_:)``.
    private var arrived = FIFOQueue<[UInt8]>()
    /// Messages were appended since the last report that all are handled.
    private var isReportDue = false
    /// No more messages will be appended.
    private var hasInputEnded = false
    private var isClosing = false
    private var isGone = false
    private var isWakeUpScheduled = false

    /// - Parameter limits: for the messages that the bridge sends.
    package init(limits: MessageLimits, turns: FairScheduler, timers: any TimerScheduler) {
        decoder = FrameDecoder(limits: limits)
        self.turns = turns
        self.timers = timers
        decoder.receiver = self
    }

    /// Call before the first message is exchanged.
    package func connect(to receiver: any MessageReceiver) { self.receiver = receiver }

    // MARK: The receiver's side

    /// Adds a message for the bridge. The bridge handles it after the next ``announce()``. The caller limits the bytes
    /// that are not handled.
    package func append(_ message: [UInt8]) {
        guard !isGone, !isClosing, !hasInputEnded else { return }
        arrived.append(message)
        isReportDue = true
    }

    /// Lets the bridge handle the messages that were appended, as many as it can handle now.
    package func announce() {
        if !isGone { owner?.messagesArrived(through: self) }
    }

    /// True if the bridge has handled all messages that were appended.
    package var hasHandledAll: Bool { !isReportDue }

    /// True if no message is in transit, in either direction.
    package var isQuiet: Bool { hasHandledAll && writer.isEmpty }

    /// Ends the connection after the bridge has handled all messages that were appended.
    package func endInput() {
        guard !hasInputEnded else { return }
        hasInputEnded = true
        if arrived.isEmpty { lose() } else { announce() }
    }

    /// Continues sending, if the receiver's lack of room has stopped it. Sending continues in the loop's next turn,
    /// because the writer can be at work.
    package func receiverHasRoom() {
        guard !isGone, writer.isBlocked, !isWakeUpScheduled else { return }
        isWakeUpScheduled = true
        timers.soon { [weak self] in
            guard let self else { return }
            self.isWakeUpScheduled = false
            if !self.isGone, self.hasRoom { self.writer.becameWritable() }
        }
    }

    // MARK: The bridge's side

    package var isOpen: Bool { !isGone && !isClosing }

    package func start(_ owner: any TransportOwner) -> Bool {
        self.owner = owner
        owner.messagesArrived(through: self)
        return true
    }

    package func next() -> Arrival? {
        guard !isGone else { return nil }
        if let message = arrived.popFirst() { return .text(message) }
        if isReportDue {
            isReportDue = false
            receiver?.messagesWereHandled()
        }
        if hasInputEnded { lose() }
        return nil
    }

    /// Messages that the bridge does not take wait in the queue.
    package func pauseReading() {}

    package func resumeReading() {}

    /// The receiver is in this process, so it is there.
    package func checkAlive(within limit: Duration) {}

    private func interestChanged() {
        if !isGone, !writer.isOverControlLimit { owner?.hasRoom(in: self) }
    }

    // MARK: The end

    package func close(_ code: CloseCode, _ reason: String) {
        guard isOpen else { return }
        isClosing = true
        arrived = FIFOQueue()
        owner?.willClose(self)
        writer.sendControl(Frame.close(code, reason: reason))
        timers.schedule(after: Self.closingPatience) { [weak self] in self?.lose() }
    }

    package func drop() {
        guard !isGone else { return }
        isGone = true
        writer.abandon()
        receiver?.connectionEnded()
    }

    private func lose() {
        guard !isGone else { return }
        drop()
        owner?.closed(self)
    }

    // MARK: Decoded messages

    var hasRoom: Bool { receiver?.hasRoom ?? true }

    func receive(_ messages: [[UInt8]]) { receiver?.receive(messages) }

    func receiveClose(_ code: CloseCode?, _ reason: [UInt8]) {
        receiver?.receiveClose(code, reason)
        timers.soon { [weak self] in self?.lose() }
    }
}
