import EventLoop
import Glibc
import WebSocket

/// What a connection's thread does once the connection is open: it sends, reads and makes batches until the end.
final class ConnectionDriver {
    private let wire: any Wire
    private let mailbox: ConnectionMailbox
    private var inflow: Inflow
    private var outflow = Outflow()
    private var closing = Closing.open
    private let buffer = ReadBuffer(byteCount: 256 << 10)
    /// The wire has not said yet that it has nothing more.
    private var mayHaveBytes = true
    /// What the users will be told, once it is known that the connection ends.
    private var ending: TransportFailure?
    private var lingerDeadline: Instant?
    /// Set while the users have no room for what might be read.
    private var pauseDeadline: Instant?

    /// For the last frames to go, and for the peer's close frame to come.
    private static let linger = Duration.seconds(1)

    /// A bridge ends connections that it has not heard of for 120 s, and its pings wait behind what we do not read: so
    /// meanwhile it is told unasked that we are there. Source: RFC 6455, section 5.5.3.
    private static let pauseHeartbeat = Duration.seconds(30)

    init(_ wire: any Wire, _ request: ConnectionRequest, _ mailbox: ConnectionMailbox) {
        self.wire = wire
        self.mailbox = mailbox
        inflow = Inflow(messageLimitBytes: request.messageLimitBytes)
    }

    /// Returns why it ended.
    func run(firstBytes: [UInt8]) -> TransportFailure {
        firstBytes.withUnsafeBytes { take($0) }
        while true {
            let mayRead = followOrders()
            let sent = outflow.flush(to: wire)
            if sent > 0 { mailbox.sent(byteCount: sent) }
            if let ending, isOver { return ending }
            if mayRead, mayHaveBytes {
                if let loss = read() { return ending ?? loss }
            } else {
                wait(mayRead: mayRead)
            }
        }
    }

    /// Returns whether there is room for what might be read.
    private func followOrders() -> Bool {
        let takesFrames = ending == nil && outflow.takesUserFrames
        let orders = mailbox.takeOrders(frames: takesFrames)
        outflow.add(userFrames: orders.frames)
        // Once all frames are taken, so that what was sent before the close goes before it.
        if takesFrames, let code = orders.closeCode { close(code) }
        if orders.closeCode != nil { startLingering() }
        return orders.mayRead || orders.closeCode != nil
    }

    // MARK: Reading

    /// Returns why nothing more can be read.
    private func read() -> TransportFailure? {
        switch wire.read(into: buffer.bytes) {
        case .bytes(let count):
            mayHaveBytes = wire.readsAhead || count == buffer.bytes.count
            take(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
        case .wouldBlock: mayHaveBytes = false
        case .endOfStream: return .lost(reason: "the other side has gone")
        case .failed(let error): return .lost(reason: error.reason)
        }
        return nil
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        mailbox.deliver(inflow.bytesArrived(bytes))
        if let payload = inflow.takePing(), closing.allowsMessages { outflow.add(pong: payload) }
        switch inflow.takeEnding() {
        case nil: break
        case .closed(let code, let reason): peerClosed(code, reason: reason)
        case .violated(let violation):
            close(violation.closeCode, reason: violation.description)
            ending = .notWebSocket(reason: violation.description)
            closing = .closed
        }
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

    private func wait(mayRead: Bool) {
        pauseDeadline = mayRead ? nil : pauseDeadline ?? .now + Self.pauseHeartbeat
        let events = (mayRead ? POLLIN : 0) | (outflow.isWaiting ? POLLOUT : 0)
        let deadline = [lingerDeadline, pauseDeadline].compactMap(\.self).min()
        let isReady = ThreadWait(wakeUp: mailbox.wakeUp).wait(for: events, on: wire.fd, until: deadline)
        if isReady { mayHaveBytes = true }
        if let pause = pauseDeadline, pause <= .now, closing.allowsMessages {
            pauseDeadline = nil
            outflow.add(pong: [])
        }
    }
}
