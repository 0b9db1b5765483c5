import EventLoop
import Posix
import TestSupport
import TinyvexSockets
import TinyvexTransport

/// A server that runs the test's script on its one connection. The script has its own thread, so it can block.
final class ScriptedServer: Sendable {
    enum Place { case unix, tcp }

    let endpoint: Endpoint
    private let folder = TemporaryFolder()
    private let script: ScriptThread

    init(on place: Place = .unix, _ script: @escaping @Sendable (ScriptedPeer) throws -> Void) throws {
        let address: SocketAddress =
            place == .unix ? .unix(path: folder.path + "/s") : .ip(host: "127.0.0.1", port: 0)
        let listener = try Sockets.listen(on: address)
        endpoint =
            place == .unix
            ? .unix(path: folder.path + "/s") : try Endpoint("ws://127.0.0.1:\(Sockets.localPort(of: listener))")
        let raw = listener.release()
        self.script = try ScriptThread { try script(ScriptedPeer(acceptingOn: Descriptor(owning: raw))) }
    }

    /// Opens a WebSocket on the connection before the script continues.
    static func webSocket(
        on place: Place = .unix, _ script: @escaping @Sendable (ScriptedPeer) throws -> Void
    ) throws -> ScriptedServer {
        try ScriptedServer(on: place) { peer in
            try peer.openWebSocket()
            try script(peer)
        }
    }

    func finish() async throws { try await script.finish() }

    func connect(
        on host: ServedBy = .thread, token: String? = nil, timeout: Duration = .seconds(30),
        messageLimitBytes: Int = 65 << 20
    ) async throws -> any TransportConnection {
        let request = ConnectionRequest(
            endpoint: endpoint, token: token, timeout: timeout, messageLimitBytes: messageLimitBytes)
        return try await host.transport.connect(request)
    }
}

/// The thread that serves a connection. Both kinds must pass the same tests.
enum ServedBy: CaseIterable {
    case thread, loop

    var transport: SocketTransport {
        switch self {
        case .thread: SocketTransport()
        case .loop: SocketTransport(loop: Self.sharedLoop)
        }
    }

    /// A loop on its own thread, which lives as long as the tests run.
    private static let sharedLoop: ClientLoop = {
        do {
            let loop = try ClientLoop()
            try DetachedThread.start(name: "client loop") {
                try? loop.run { for await _ in AsyncStream.makeStream(of: Never.self).stream {} }
            }
            return loop
        } catch {
            fatalError("no loop for the tests: \(error)")
        }
    }()
}

/// Runs a test's blocking code on another thread.
final class ScriptThread: Sendable {
    private let end: AsyncThrowingStream<Never, any Error>

    init(_ script: @escaping @Sendable () throws -> Void) throws {
        let (stream, end) = AsyncThrowingStream.makeStream(of: Never.self)
        self.end = stream
        try DetachedThread.start(name: "script") {
            do {
                try script()
                end.finish()
            } catch {
                end.finish(throwing: error)
            }
        }
    }

    /// Waits for the script's end, and rethrows its error.
    func finish() async throws { for try await _ in end {} }
}
