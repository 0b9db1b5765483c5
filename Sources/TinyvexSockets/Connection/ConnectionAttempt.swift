import EventLoop
import Glibc
import HTTP1
import Posix
import TinyvexTransport

/// Makes a connection step by step, without blocking: from the endpoint to the answer that opens the WebSocket.
final class ConnectionAttempt {
    private enum Stage {
        /// These addresses are tried in order. To: connecting, or the same with fewer addresses.
        case direct(ArraySlice<SocketAddress>)
        /// The other addresses follow if this one fails. To: opening, direct.
        case connecting(SocketWire, others: ArraySlice<SocketAddress>)
        /// To: connectingWithCurl.
        case curl(url: String)
        /// To: opening.
        case connectingWithCurl(CurlWire)
        /// The rest of the request is sent, and then the answer is read.
        case opening(any Wire, OpeningHandshake, unsent: ArraySlice<UInt8>)
    }

    /// An open connection.
    struct Opened {
        let wire: any Wire
        /// The header of the answer that opened the connection.
        let answer: Headers
        /// The first bytes received on the connection.
        let firstBytes: [UInt8]
    }

    enum Progress {
        case wait(ConnectionWait)
        case opened(Opened)
    }

    private let request: ConnectionRequest
    private let authorities: String?
    private let mailbox: ConnectionMailbox
    private let deadline: Instant
    private var stage: Stage

    /// The retry interval for a full Unix listener. No event reports that the listener has room for another caller.
    private static let retryInterval = Duration.milliseconds(5)

    init(_ request: ConnectionRequest, authorities: String?, mailbox: ConnectionMailbox) {
        self.request = request
        self.authorities = authorities
        self.mailbox = mailbox
        deadline = .now + request.timeout
        stage =
            switch ConnectionRoute(request.endpoint) {
            case .direct(let addresses): .direct(addresses[...])
            case .curl(let url): .curl(url: url)
            }
    }

    /// Does all work that is possible without waiting.
    ///
    /// - Parameter isReady: The wait's descriptor is ready or has failed.
    /// - Throws: `.timedOut` if the attempt has taken too long, `.cancelled` if no caller waits for it any longer.
    func step(isReady: Bool) throws(TransportFailure) -> Progress {
        if mailbox.isLeft { throw .cancelled }
        if Instant.now >= deadline { throw .timedOut }
        switch stage {
        case .direct(let addresses): return .wait(try connect(to: addresses))
        case .connecting(let wire, let others):
            guard isReady else { return .wait(wait(for: POLLOUT, on: wire)) }
            guard let error = wire.connectError else { return try begin(on: wire) }
            guard !others.isEmpty else { throw .unreachable(reason: error.reason) }
            return .wait(try connect(to: others))
        case .curl(let url):
            let wire = CurlWire(try CurlConnection(to: url, authorities: authorities, timeout: request.timeout))
            stage = .connectingWithCurl(wire)
            return try step(isReady: false)
        case .connectingWithCurl(let wire):
            if let wait = try wire.connect(until: deadline) { return .wait(wait) }
            return try begin(on: wire)
        case .opening(let wire, let handshake, let unsent): return try open(wire, handshake, unsent)
        }
    }

    private func wait(for events: Int32, on wire: any Wire) -> ConnectionWait {
        ConnectionWait(fd: wire.fd, events: events, deadline: deadline)
    }

    // MARK: Directly

    private func connect(to addresses: ArraySlice<SocketAddress>) throws(TransportFailure) -> ConnectionWait {
        var rest = addresses
        var failure = SystemError("connect", code: EDESTADDRREQ)
        while let address = rest.first {
            do throws(SystemError) {
                let wire = SocketWire(try Sockets.beginConnecting(to: address))
                stage = .connecting(wire, others: rest.dropFirst())
                return wait(for: POLLOUT, on: wire)
            } catch {
                if let refusal = error.refusal { throw .untrusted(reason: refusal) }
                if error.code == EAGAIN {
                    stage = .direct(rest)
                    return ConnectionWait(deadline: min(deadline, .now + Self.retryInterval))
                }
                failure = error
            }
            rest.removeFirst()
        }
        throw .unreachable(reason: failure.reason)
    }

    // MARK: The handshake

    private func begin(on wire: any Wire) throws(TransportFailure) -> Progress {
        var generator = SystemRandomNumberGenerator()
        let handshake = OpeningHandshake(request, nonce: (generator.next(), generator.next()))
        return try open(wire, handshake, handshake.request[...])
    }

    private func open(
        _ wire: any Wire, _ handshake: OpeningHandshake, _ unsent: ArraySlice<UInt8>
    ) throws(TransportFailure) -> Progress {
        var (handshake, unsent) = (handshake, unsent)
        defer { stage = .opening(wire, handshake, unsent: unsent) }
        while !unsent.isEmpty {
            switch unsent.withUnsafeBytes({ wire.write($0) }) {
            case .wrote(let count): unsent.removeFirst(count)
            case .wouldBlock: return .wait(wait(for: POLLOUT, on: wire))
            // A server can answer, and end, before it has read the request. Its answer can still be read.
            case .failed: unsent = []
            }
        }
        let buffer = ReadBuffer(byteCount: 16 << 10)
        while true {
            switch wire.read(into: buffer.bytes) {
            case .wouldBlock: return .wait(wait(for: POLLIN, on: wire))
            case .endOfStream, .failed: throw handshake.streamEnded()
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
                if let rest = try handshake.bytesArrived(bytes) {
                    return .opened(Opened(wire: wire, answer: handshake.answer, firstBytes: rest))
                }
            }
        }
    }
}
