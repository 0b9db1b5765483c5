import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// The two commands that give a test suite access to the WebSocket code. Each of them runs the loop on the calling
/// thread.
package enum EchoCommands {
    /// Runs until a signal ends it.
    package static func serve(at address: SocketAddress) throws {
        try onLoop { outcome in
            let server = try EchoServer(listeningOn: address)
            let signals = try SignalWatch([SIGINT, SIGTERM, SIGHUP]) { _ in
                server.close()
                if case .unix(let path) = address { unlink(path) }
                EventLoop.main.stop()
            }
            outcome.kept = [signals]
            Output.note("echoing at \(place(of: server, at: address))")
        }
    }

    package static func runCases(of server: SocketAddress) throws {
        try onLoop { outcome in
            Task { @LoopActor in
                do {
                    let count = try await EchoClient(server: server).run()
                    Output.note("\(count) cases were run")
                } catch {
                    outcome.failure = error
                }
                EventLoop.main.stop()
            }
        }
    }

    /// The address, with the port that the system chose if port 0 was requested.
    @LoopActor private static func place(of server: EchoServer, at address: SocketAddress) -> String {
        switch address {
        case .unix(let path): "unix:\(path)"
        case .ip(let host, _): "ws://\(SocketAddress.ip(host: host, port: server.port).authority)"
        }
    }

    /// Runs the loop until it is stopped or `start` fails.
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

    /// The result of running the loop.
    @LoopActor private final class Outcome {
        var failure: (any Error)?
        var kept: [AnyObject] = []

        nonisolated init() {}
    }
}
