import EventLoop
import Glibc

/// The two commands through which a test suite reaches the WebSocket code. Each takes the calling thread for the loop.
enum EchoCommands {
    /// Until a signal ends it.
    static func serve(at address: SocketAddress) throws {
        try onLoop { outcome in
            let server = try EchoServer(listeningOn: address)
            let signals = try SignalWatch([SIGINT, SIGTERM, SIGHUP]) { _ in
                server.close()
                if case .unix(let path) = address { unlink(path) }
                EventLoop.main.stop()
            }
            outcome.kept = [signals]
            Output.say("echoing at \(place(of: server, at: address))")
        }
    }

    static func runCases(of server: SocketAddress) throws {
        try onLoop { outcome in
            Task { @LoopActor in
                do {
                    let count = try await EchoClient(server: server).run()
                    Output.say("\(count) cases were run")
                } catch {
                    outcome.failure = error
                }
                EventLoop.main.stop()
            }
        }
    }

    /// With the port that the system chose where 0 was asked for.
    @LoopActor private static func place(of server: EchoServer, at address: SocketAddress) -> String {
        switch address {
        case .unix(let path): "unix:\(path)"
        case .ip(let host, _): "ws://\(SocketAddress.ip(host: host, port: server.port).authority)"
        }
    }

    /// Runs the loop until it is stopped, or `start` fails.
    private static func onLoop(_ start: @LoopActor (Outcome) throws -> Void) throws {
        let outcome = Outcome()
        EventLoop.main.run {
            do {
                try start(outcome)
            } catch {
                outcome.failure = error
                EventLoop.main.stop()
            }
        }
        if let failure = LoopActor.assumeIsolated({ outcome.failure }) { throw failure }
    }

    /// What the loop leaves behind.
    @LoopActor private final class Outcome {
        var failure: (any Error)?
        var kept: [AnyObject] = []

        nonisolated init() {}
    }
}
