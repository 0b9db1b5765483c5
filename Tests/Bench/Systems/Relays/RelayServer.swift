import AgentProcess
import BenchMeasuring
import EventLoop
import Glibc
import Posix

/// A program that relays an agent's lines to WebSocket clients on a loopback port, and their messages back.
package final class RelayServer {
    /// The time from the start of the program until it accepts connections.
    package let timeToReady: Duration
    package let probe: ProcessProbe
    private let program: RunningProgram
    private let port: UInt16

    /// - Parameter system: `websocketd`, `python` or `c`.
    package init(_ system: System, _ programs: Programs, command: [String]) throws {
        let environment = BridgeHome.ownEnvironment
        switch system {
        case .websocketd:
            port = try Self.freePort()
            let options = ["--loglevel=error", "--address=127.0.0.1", "--port=\(port)"]
            program = try RunningProgram(["websocketd"] + options + command, environment: environment)
        case .python:
            let script = String(decoding: PackageResources.relay_py, as: UTF8.self)
            program = try RunningProgram([programs.python, "-c", script] + command, environment: environment)
            port = try Self.port(in: program.nextLine())
        case .acpbridge, .tls, .deflate, .direct, .c:
            program = try RunningProgram([programs.cRelay] + command, environment: environment)
            port = try Self.port(in: program.nextLine())
        }
        try Self.waitForListener(port, program)
        timeToReady = .now - program.startedAt
        probe = ProcessProbe(pid: program.pid)
    }

    func connect() throws -> WebSocketClient { try WebSocketClient(to: .ip(host: "127.0.0.1", port: port), path: "/") }

    /// Ends the program and its agents. The exit status does not matter.
    package func stop() {
        program.signal(SIGTERM)
        try? program.waitForEnd()
    }

    /// Most systems print the port on which they listen.
    private static func port(in line: [UInt8]) throws -> UInt16 {
        guard let port = UInt16(String(decoding: line, as: UTF8.self)) else {
            throw BenchFailure("a relay printed no port, but \(String(decoding: line, as: UTF8.self))")
        }
        return port
    }

    /// A port without a listener at present.
    private static func freePort() throws -> UInt16 {
        Sockets.localPort(of: try Sockets.listen(on: .ip(host: "127.0.0.1", port: 0)))
    }

    private static func waitForListener(_ port: UInt16, _ program: RunningProgram) throws {
        let deadline = Instant.now + RunningProgram.patience
        while (try? Sockets.connect(to: .ip(host: "127.0.0.1", port: port))) == nil {
            guard Instant.now < deadline, !program.hasEnded else {
                throw program.failure("it does not listen on port \(port)")
            }
            usleep(100)
        }
    }
}
