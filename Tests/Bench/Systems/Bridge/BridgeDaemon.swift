import BenchMeasuring
import EventLoop
import Glibc
import JSONScan
import Posix

/// `acpbridge serve` in its own home.
package final class BridgeDaemon {
    let home: BridgeHome
    package let probe: ProcessProbe
    /// The time from the start of the program to its ready line.
    package let timeToReady: Duration
    let address: SocketAddress
    /// The token that TCP clients must send.
    let token: String?
    private let program: RunningProgram

    /// The readers' TLS context, or nil without TLS.
    let tls: TLSContext?
    /// True when readers offer compression.
    let deflates: Bool

    package init(_ programs: Programs, home: BridgeHome, transport: ReaderTransport) throws {
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

    private static func options(_ transport: ReaderTransport, _ home: BridgeHome) throws -> [String] {
        switch transport {
        case .socket: return ["--no-tcp"]
        case .tcp: return ["--listen", "127.0.0.1:0"]
        case .deflate: return ["--listen", "127.0.0.1:0", "--deflate-all"]
        case .tls:
            let file = try BenchCertificate.write(in: home)
            return ["--listen", "127.0.0.1:0", "--tls-cert", file, "--tls-key", file]
        }
    }

    /// Returns after the bridge has ended. All of its updates are stored then.
    package func stop() throws {
        program.signal(SIGTERM)
        try program.waitForEnd()
    }

    private static func tcpAddress(_ ready: JSONValue) throws -> SocketAddress {
        guard let url = ready["url"]?.stringValue, let port = url.split(separator: ":").last.flatMap({ UInt16($0) })
        else {
            throw BenchFailure("the ready line contains no URL")
        }
        return .ip(host: "127.0.0.1", port: port)
    }
}
