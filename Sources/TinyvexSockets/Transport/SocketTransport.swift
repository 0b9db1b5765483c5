import Posix
import TinyvexTransport
import WebSocket

/// WebSockets over Unix sockets and TCP, with or without TLS.
///
/// Unix sockets and `ws://` to this machine need no other library. For all other endpoints, libcurl looks up names and
/// handles proxies (from the environment: `https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`), TLS and certificates.
/// It is loaded on first use. If it is missing, such an endpoint is `.unreachable`.
///
/// Each connection has its own thread, which ends with the connection.
public struct SocketTransport: Transport {
    private let authorities: String?
    private let host: any ConnectionHost

    /// - Parameter authorities: a file of certificates in PEM form to trust instead of the system's. A bridge with a
    ///   self-made certificate needs one.
    public init(authorities: String? = nil) {
        self.authorities = authorities
        host = ThreadHost()
    }

    /// Serves the connections on the loop's thread.
    package init(authorities: String? = nil, loop: ClientLoop) {
        self.authorities = authorities
        host = loop
    }

    public func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
        try await open(request)
    }

    /// Like `connect`, for callers that need features of WebSockets only.
    public func open(_ request: ConnectionRequest) async throws(TransportFailure) -> SocketConnection {
        let mailbox = try start(request)
        do throws(TransportFailure) {
            try await mailbox.waitUntilOpen()
        } catch {
            // This also runs if only the wait was cancelled: no user will hold a connection that opens later.
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

/// An open connection, as seen by its users.
public final class SocketConnection: TransportConnection {
    private let mailbox: ConnectionMailbox

    init(_ mailbox: ConnectionMailbox) { self.mailbox = mailbox }

    deinit { mailbox.leave() }

    public var lastHeard: ContinuousClock.Instant { mailbox.lastHeard }

    /// A field of the answer that opened the connection; nil if it is missing.
    public func field(_ name: String) -> String? { mailbox.answer.first(name) }

    public func receive() async throws(TransportFailure) -> MessageBatch { try await mailbox.receive() }

    public func send(_ texts: [[UInt8]]) async throws(TransportFailure) { try await send(texts, binary: nil) }

    /// Sends the binary message first.
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
