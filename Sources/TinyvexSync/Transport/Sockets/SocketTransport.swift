import EventLoop
import WebSocket

/// WebSockets over Unix sockets and TCP, with TLS and without.
///
/// Unix sockets and `ws://` to this very machine need nothing else. For all other endpoints names, proxies (of the
/// environment: `https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`), TLS and certificates are the work of libcurl, which
/// is loaded when it is first needed; where it is missing, such an endpoint is `.unreachable`.
///
/// Each connection has a thread of its own, which ends with it; or a ``ClientLoop`` serves all of them.
public struct SocketTransport: Transport {
    private let authorities: String?
    private let host: any ConnectionHost

    /// - Parameter authorities: a file of certificates in PEM form to trust in place of the system's, such as that of a
    ///   bridge which made its own.
    public init(authorities: String? = nil) {
        self.authorities = authorities
        host = ThreadHost()
    }

    /// Connections that the loop's thread serves. It makes them too, and does nothing else until they stand or fail.
    public init(authorities: String? = nil, loop: ClientLoop) {
        self.authorities = authorities
        host = loop
    }

    public func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
        try await open(request)
    }

    /// As `connect`, for who needs what only WebSockets have.
    public func open(_ request: ConnectionRequest) async throws(TransportFailure) -> SocketConnection {
        let mailbox = try start(request)
        do throws(TransportFailure) {
            try await mailbox.waitUntilOpen()
        } catch {
            // Also when only the waiting was given up: what might still come of it is nobody's.
            mailbox.leave()
            throw error
        }
        return SocketConnection(mailbox)
    }

    private func start(_ request: ConnectionRequest) throws(TransportFailure) -> ConnectionMailbox {
        do throws(SystemError) {
            let mailbox = try ConnectionMailbox()
            try host.host { [authorities] in ConnectionLife(request, authorities: authorities, mailbox) }
            return mailbox
        } catch {
            throw .unreachable(reason: error.description)
        }
    }
}

/// An open connection, as its users hold it.
public final class SocketConnection: TransportConnection {
    private let mailbox: ConnectionMailbox

    init(_ mailbox: ConnectionMailbox) { self.mailbox = mailbox }

    deinit { mailbox.leave() }

    public var lastHeard: ContinuousClock.Instant { mailbox.lastHeard }

    /// A field of the answer that opened it; nil where there is none.
    public func field(_ name: String) -> String? { mailbox.answer.first(name) }

    public func receive() async throws(TransportFailure) -> MessageBatch { try await mailbox.receive() }

    public func send(_ texts: [[UInt8]]) async throws(TransportFailure) { try await send(texts, binary: nil) }

    /// The binary message first.
    public func send(_ texts: [[UInt8]], binary: [UInt8]?) async throws(TransportFailure) {
        var frames: [UInt8] = []
        if let binary { Frame.append(.binary, binary.span, maskKey: MaskKey.next(), to: &frames) }
        for text in texts { Frame.append(.text, text.span, maskKey: MaskKey.next(), to: &frames) }
        try await mailbox.send(frames)
    }

    public func close(code: UInt16) async {
        mailbox.leave(code: CloseCode(rawValue: code))
        await mailbox.waitForEnd()
    }
}
