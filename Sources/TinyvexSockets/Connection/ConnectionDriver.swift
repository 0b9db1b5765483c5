import Glibc
import Posix
import TinyvexTransport
import WebSocket

/// Serves an open connection: sends, reads and builds batches until the end.
final class ConnectionDriver {
    private let wire: any Wire
    private let mailbox: ConnectionMailbox
    private var inflow: Inflow
    private var outflow = Outflow()
    private var closing = Closing.open
    private let buffer = ReadBuffer(byteCount: 256 << 10)
    /// The wire has not yet reported that it has no more bytes.
    private var mayHaveBytes = true
    /// The failure to report to the users, once the connection is known to end.
    private var ending: TransportFailure?
    private var lingerDeadline: Instant?
    /// Set while the users have no room for more bytes.
    private var pauseDeadline: Instant?

    /// Time limit for sending the last frames and for receiving the peer's close frame.
    private static let linger = Duration.seconds(1)

    /// A bridge ends connections that have been silent for 120 s. While the client does not read, it also does not see
    /// the bridge's pings. It therefore sends unsolicited pongs. Source: RFC 6455, section 5.5.3.
    private static let pauseHeartbeat = Duration.seconds(30)

    init(_ wire: any Wire, firstBytes: [UInt8], _ request: ConnectionRequest, _ mailbox: ConnectionMailbox) {
        self.wire = wire
        self.mailbox = mailbox
        inflow = Inflow(messageLimitBytes: request.messageLimitBytes)
        firstBytes.withUnsafeBytes { receive($0) }
    }

    /// The result of a step.
    enum Outcome {
        /// Call `step` again when this wait is over.
        case wait(ConnectionWait)
        /// The connection has ended.
        case over(TransportFailure)
    }

    /// Does all work that is possible without waiting, and reads at most once, so that a waiting reader gets its bytes
    /// before more are read.
    ///
    /// - Parameter isReady: the wire is ready for the event in the last wait.
    func step(isReady: Bool) -> Outcome {
        if isReady { mayHaveBytes = true }
        let mayRead = followOrders()
        let sent = outflow.flush(to: wire)
        if sent > 0 { mailbox.sent(byteCount: sent) }
        if let ending, isOver { return .over(ending) }
        if mayRead, mayHaveBytes, let loss = read() { return .over(ending ?? loss) }
        return .wait(nextWait(mayRead: mayRead))
    }

    /// Returns true if there is room for more bytes.
    private func followOrders() -> Bool {
        let takesFrames = ending == nil && outflow.takesUserFrames
        let orders = mailbox.takeOrders(frames: takesFrames)
        outflow.add(userFrames: orders.frames)
        // Close only when all frames are taken, so that frames sent before the close go before it.
        if takesFrames, let code = orders.closeCode { close(code) }
        if orders.closeCode != nil { startLingering() }
        return orders.mayRead || orders.closeCode != nil
    }

    // MARK: Reading

    /// Returns the reason if nothing more can be read.
    private func read() -> TransportFailure? {
        switch wire.read(into: buffer.bytes) {
        case .bytes(let count):
            mayHaveBytes = wire.readsAhead || count == buffer.bytes.count
            receive(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
        case .wouldBlock: mayHaveBytes = false
        case .endOfStream: return .lost(reason: "the other side has closed the connection")
        case .failed(let error): return .lost(reason: error.reason)
        }
        return nil
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        mailbox.deliver(inflow.bytesArrived(bytes))
        if let payload = inflow.takePing(), closing.allowsMessages { outflow.add(pong: payload) }
        switch inflow.takeEnding() {
        case nil: break
        case .closed(let code, let reason): peerClosed(code, reason: reason)
        case .violated(let violation):
            close(violation.closeCode, reason: violation.description)
            ending = failure(violation)
            closing = .closed
        }
    }

    private func failure(_ violation: ProtocolViolation) -> TransportFailure {
        guard case .messageTooBig(let limit) = violation else { return .notWebSocket(reason: violation.description) }
        return .messageTooLarge(limitBytes: limit, beginning: inflow.oversizedBeginning)
    }

    // MARK: Closing

    private func close(_ code: CloseCode?, reason: String = "") {
        guard closing.allowsMessages else { return }
        _ = closing.closeFrameSent()
        outflow.add(close: code, reason: reason)
        ending = .closed(code: code?.rawValue, reason: reason)
        startLingering()
    }

    private func peerClosed(_ code: CloseCode?, reason: String) {
        if closing.closeFrameReceived() == .answer {
            outflow.add(close: code)
            _ = closing.closeFrameSent()
            startLingering()
        }
        ending = .closed(code: code?.rawValue, reason: reason)
    }

    private func startLingering() { lingerDeadline = lingerDeadline ?? .now + Self.linger }

    private var isOver: Bool {
        if closing == .closed, !outflow.isWaiting { return true }
        return lingerDeadline.map { $0 <= .now } ?? false
    }

    // MARK: Waiting

    private func nextWait(mayRead: Bool) -> ConnectionWait {
        beatWhilePaused(mayRead: mayRead)
        return ConnectionWait(
            fd: wire.fd, events: (mayRead ? POLLIN : 0) | (outflow.isWaiting ? POLLOUT : 0),
            deadline: [lingerDeadline, pauseDeadline].compactMap(\.self).min(),
            isOver: mayRead && mayHaveBytes || isOver)
    }

    private func beatWhilePaused(mayRead: Bool) {
        if let pause = pauseDeadline, pause <= .now {
            pauseDeadline = nil
            if closing.allowsMessages { outflow.add(pong: []) }
        }
        pauseDeadline = mayRead ? nil : pauseDeadline ?? .now + Self.pauseHeartbeat
    }
}
