import AgentProcess
import EventLoop
import Glibc
import Posix
import TestSupport
import TinyvexSockets
import TinyvexTransport

/// A self-signed certificate for one name, made for one test.
final class TestCertificate: Sendable {
    private let folder = TemporaryFolder()
    var certificate: String { folder.path + "/certificate.pem" }
    var key: String { folder.path + "/key.pem" }

    /// - Parameter name: in OpenSSL's notation, for example `DNS:localhost`.
    init(for name: String = "DNS:localhost") throws {
        let command = """
            openssl req -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=test \
            -addext subjectAltName=\(name) -keyout \(key) -out \(certificate)
            """
        let process = try Program(["sh", "-c", SystemString(command)])
        guard process.waitForEnd() == 0 else { throw ScriptedPeer.Surprise(what: "there is no certificate") }
    }
}

/// Runs `openssl s_server`, which adds TLS in front of a script.
final class TLSServer {
    private let port: UInt16
    private let script: ScriptThread
    private let program: Program
    /// The server reads the certificate's files when it starts, so they must exist until then.
    private let certificate: TestCertificate

    init(_ certificate: TestCertificate, _ script: @escaping @Sendable (ScriptedPeer) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw SystemError("socketpair")
        }
        let ours = ends[0]
        let theirs = Descriptor(owning: ends[1])
        self.certificate = certificate
        port = try Self.freePort()
        self.script = try ScriptThread { try script(ScriptedPeer(on: Descriptor(owning: ours))) }
        program = try Program(
            [
                "openssl", "s_server", "-quiet", "-accept", SystemString("\(port)"), "-naccept", "1",
                "-cert", SystemString(certificate.certificate), "-key", SystemString(certificate.key),
            ], stream: theirs.raw)
    }

    /// - Parameter host: the name by which to address the server.
    func connect(
        trusting authorities: String?, host: String = "localhost"
    ) async throws -> any TransportConnection {
        let endpoint = try Endpoint("wss://\(host):\(port)")
        while true {
            do throws(TransportFailure) {
                return try await SocketTransport(authorities: authorities).connect(
                    ConnectionRequest(endpoint: endpoint))
            } catch {
                // The server does not report when it begins to listen, so retry.
                guard case .unreachable = error else { throw error }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    func finish() async throws { try await script.finish() }

    /// Returns a port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        Sockets.localPort(of: try Sockets.listen(on: .ip(host: "127.0.0.1", port: 0)))
    }
}

/// A program that a test runs as a child process.
private final class Program {
    private let pid: pid_t
    private var isOver = false

    /// - Parameter stream: becomes the program's standard input and output.
    init(_ command: [SystemString], stream: Int32? = nil) throws {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let request = SpawnRequest(command: command, directory: "/", environment: ["PATH=/usr/bin:/bin"])
        pid = try DetachedProcess.start(request, streams: (stream ?? null, stream ?? null, null))
    }

    deinit {
        guard !isOver else { return }
        kill(pid, SIGKILL)
        _ = waitForEnd()
    }

    func waitForEnd() -> Int32 {
        isOver = true
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
