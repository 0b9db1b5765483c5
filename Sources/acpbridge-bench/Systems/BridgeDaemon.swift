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

    /// Whom readers trust; nil where they do not connect over TLS.
    let tls: TLSContext?
    /// Readers ask for compression.
    let deflates: Bool

    init(_ programs: Programs, home: BridgeHome, transport: Transport) throws {
        self.home = home
        let listening = try Self.options(transport, home)
        tls = transport == .tls ? try TLSContext(trusting: BenchCertificate.file(in: home)) : nil
        deflates = transport == .deflate
        program = try RunningProgram([programs.acpbridge, "serve"] + listening, environment: home.environment)
        let ready = try JSONValue(validating: program.nextLine())
        timeToReady = .now - program.startedAt
        probe = ProcessProbe(pid: program.pid)
        address = transport == .socket ? .unix(path: home.socket) : try Self.tcpAddress(ready)
        token = transport == .socket ? nil : try home.token()
    }

    private static func options(_ transport: Transport, _ home: BridgeHome) throws -> [String] {
        switch transport {
        case .socket: return ["--no-tcp"]
        case .tcp: return ["--listen", "127.0.0.1:0"]
        case .deflate: return ["--listen", "127.0.0.1:0", "--deflate-all"]
        case .tls:
            let file = try BenchCertificate.write(in: home)
            return ["--listen", "127.0.0.1:0", "--tls-cert", file, "--tls-key", file]
        }
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
