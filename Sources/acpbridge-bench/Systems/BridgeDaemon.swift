import EventLoop
import Glibc
import JSONScan

/// `acpbridge serve` in a home of its own.
final class BridgeDaemon {
    let home: BridgeHome
    let probe: ProcessProbe
    /// From the start of the program to its ready line.
    let timeToReady: Duration
    let address: SocketAddress
    /// What TCP clients must show.
    let token: String?
    private let program: RunningProgram

    init(_ programs: Programs, home: BridgeHome, usesTCP: Bool) throws {
        self.home = home
        let listening = usesTCP ? ["--listen", "127.0.0.1:0"] : ["--no-tcp"]
        program = try RunningProgram([programs.acpbridge, "serve"] + listening, environment: home.environment)
        let ready = try JSONValue(validating: program.nextLine())
        timeToReady = .now - program.startedAt
        probe = ProcessProbe(pid: program.pid)
        address = usesTCP ? try Self.tcpAddress(ready) : .unix(path: home.socket)
        token = usesTCP ? try home.token() : nil
    }

    /// Returns when it has gone; all it had to store is stored then.
    func stop() throws {
        program.signal(SIGTERM)
        try program.waitForEnd()
    }

    private static func tcpAddress(_ ready: JSONValue) throws -> SocketAddress {
        guard let url = ready["url"]?.stringValue, let port = url.split(separator: ":").last.flatMap({ UInt16($0) })
        else {
            throw BenchFailure("the ready line names no url")
        }
        return .ip(host: "127.0.0.1", port: port)
    }
}
