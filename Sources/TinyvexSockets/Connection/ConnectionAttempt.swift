import CCurl
import EventLoop
import Glibc
import HTTP1
import Posix
import TinyvexTransport

/// Makes a connection on the connection's thread: from the endpoint to the answer that opens the WebSocket.
struct ConnectionAttempt {
    private let request: ConnectionRequest
    private let authorities: String?
    private let mailbox: ConnectionMailbox
    private let deadline: Instant

    /// The retry interval for a full Unix listener. No event reports that the listener has room for another caller.
    private static let retryInterval = Duration.milliseconds(5)

    init(_ request: ConnectionRequest, authorities: String?, mailbox: ConnectionMailbox) {
        self.request = request
        self.authorities = authorities
        self.mailbox = mailbox
        deadline = .now + request.timeout
    }

    /// An open connection.
    struct Opened {
        let wire: any Wire
        /// The header of the answer that opened the connection.
        let answer: Headers
        /// The first bytes received on the connection.
        let firstBytes: [UInt8]
    }

    func run() throws(TransportFailure) -> Opened {
        let wire =
            switch ConnectionRoute(request.endpoint) {
            case .direct(let addresses): try connect(to: addresses)
            case .curl(let url): try connectWithCurl(url)
            }
        return try shakeHands(on: wire)
    }

    // MARK: Directly

    private func connect(to addresses: [SocketAddress]) throws(TransportFailure) -> any Wire {
        var failure = TransportFailure.unreachable(reason: "it has no address")
        for address in addresses {
            do throws(TransportFailure) {
                return SocketWire(try connect(to: address))
            } catch {
                guard case .unreachable = error else { throw error }
                failure = error
            }
        }
        throw failure
    }

    private func connect(to address: SocketAddress) throws(TransportFailure) -> Descriptor {
        let descriptor = try begin(address)
        try wait(for: POLLOUT, on: descriptor.raw)
        if let error = Sockets.connectError(of: descriptor) { throw .unreachable(reason: error.reason) }
        return descriptor
    }

    private func begin(_ address: SocketAddress) throws(TransportFailure) -> Descriptor {
        while true {
            do throws(SystemError) {
                return try Sockets.beginConnecting(to: address)
            } catch {
                if let refusal = error.refusal { throw .untrusted(reason: refusal) }
                guard error.code == EAGAIN else { throw .unreachable(reason: error.reason) }
            }
            _ = ConnectionWait(deadline: min(deadline, .now + Self.retryInterval)).run(mailbox.wakeUp)
            try checkTime()
        }
    }

    // MARK: With libcurl

    private func connectWithCurl(_ url: String) throws(TransportFailure) -> any Wire {
        let connection = try CurlConnection(to: url, authorities: authorities, timeout: request.timeout)
        while true {
            try checkTime()
            let milliseconds = ConnectionWait.milliseconds(until: deadline)
            switch ccurl_connect(connection.raw, mailbox.wakeUp.fd, milliseconds) {
            case ccurl_connected: return CurlWire(connection)
            case ccurl_failed: throw connection.failure
            default: mailbox.wakeUp.clear()
            }
        }
    }

    // MARK: The handshake

    private func shakeHands(on wire: any Wire) throws(TransportFailure) -> Opened {
        var generator = SystemRandomNumberGenerator()
        var handshake = OpeningHandshake(request, nonce: (generator.next(), generator.next()))
        try send(handshake.request, on: wire)
        let buffer = ReadBuffer(byteCount: 16 << 10)
        while true {
            switch wire.read(into: buffer.bytes) {
            case .wouldBlock: try wait(for: POLLIN, on: wire.fd)
            case .endOfStream, .failed: throw handshake.streamEnded()
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
                if let rest = try handshake.bytesArrived(bytes) {
                    return Opened(wire: wire, answer: handshake.answer, firstBytes: rest)
                }
            }
        }
    }

    private func send(_ bytes: [UInt8], on wire: any Wire) throws(TransportFailure) {
        var sent = 0
        while sent < bytes.count {
            let rest = sent
            switch bytes.withUnsafeBytes({ wire.write(UnsafeRawBufferPointer(rebasing: $0[rest...])) }) {
            case .wrote(let count): sent += count
            case .wouldBlock: try wait(for: POLLOUT, on: wire.fd)
            // A server can answer, and end, before it has read the request. Its answer can still be read.
            case .failed: return
            }
        }
    }

    // MARK: Time

    private func wait(for events: Int32, on fd: Int32) throws(TransportFailure) {
        repeat {
            try checkTime()
        } while !ConnectionWait(fd: fd, events: events, deadline: deadline).run(mailbox.wakeUp)
    }

    /// Throws if the attempt has taken too long, or if no caller waits for it any longer.
    private func checkTime() throws(TransportFailure) {
        if mailbox.isLeft { throw .cancelled }
        if Instant.now >= deadline { throw .timedOut }
    }
}
