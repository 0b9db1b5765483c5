import EventLoop
import WebSocket

/// WebSockets over Unix sockets and TCP, with TLS and without.
///
/// Unix sockets and `ws://` to this very machine need nothing else. For all other endpoints names, proxies (of the
/// environment: `https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`), TLS and certificates are the work of libcurl, which
/// is loaded when it is first needed; where it is missing, such an endpoint is `.unreachable`.
///
/// Each connection has a thread of its own, which ends with it.
public struct SocketTransport: Transport {
    private let authorities: String?

    /// - Parameter authorities: a file of certificates in PEM form to trust in place of the system's, such as that of a
    ///   bridge which made its own.
    public init(authorities: String? = nil) { self.authorities = authorities }

    public func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
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
            let authorities = authorities
            try DetachedThread.start(name: "tinyvex") {
                mailbox.ended(Self.live(request, authorities: authorities, mailbox))
            }
            return mailbox
        } catch {
            throw .unreachable(reason: error.description)
        }
    }

    /// The whole life of a connection, on its thread. Returns why it ended.
    private static func live(
        _ request: ConnectionRequest, authorities: String?, _ mailbox: ConnectionMailbox
    ) -> TransportFailure {
        do throws(TransportFailure) {
            let (wire, firstBytes) = try ConnectionAttempt(request, authorities: authorities, mailbox: mailbox).run()
            mailbox.opened()
            return ConnectionDriver(wire, request, mailbox).run(firstBytes: firstBytes)
        } catch {
            return error
        }
    }
}

/// An open connection, as its users hold it.
final class SocketConnection: TransportConnection {
    private let mailbox: ConnectionMailbox

    init(_ mailbox: ConnectionMailbox) { self.mailbox = mailbox }

    deinit { mailbox.leave() }

    var lastHeard: ContinuousClock.Instant { mailbox.lastHeard }

    func receive() async throws(TransportFailure) -> MessageBatch { try await mailbox.receive() }

    func send(_ texts: [[UInt8]]) async throws(TransportFailure) {
        var frames: [UInt8] = []
        for text in texts { Frame.append(.text, text.span, maskKey: MaskKey.next(), to: &frames) }
        try await mailbox.send(frames)
    }

    func close(code: UInt16) async {
        mailbox.leave(code: CloseCode(rawValue: code))
        await mailbox.waitForEnd()
    }
}
