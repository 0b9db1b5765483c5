import AgentProcess
import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import TestSupport
import Testing

@Suite(.blocking) struct TLSTests {
    private static func client(_ daemon: Daemon, _ home: BridgeHome, _ trust: TLSContext) throws -> TinyvexTestClient {
        let address = try #require(daemon.address)
        let token = String(decoding: FileBytes.read(home.token) ?? [], as: UTF8.self).prefix { !$0.isWhitespace }
        return try TinyvexTestClient(address, fields: [("Authorization", "Bearer \(token)")], tls: trust)
    }

    @Test func tlsIsServedAndReported() throws {
        try BridgeHome.with { home in
            let files = try CertificateOnDisk(home)
            let daemon = try Daemon(home, files.options)
            let url = try #require(daemon.ready["url"]?.stringValue)
            #expect(url.hasPrefix("wss://127.0.0.1:"))
            #expect(try home.status()["urls"]?.elements.first?.stringValue == url + "/tinyvex")
            #expect(try Self.client(daemon, home, files.trust()).call("tinyvex/ping")["result"] != nil)
            #expect(daemon.process.errorText.isEmpty)
        }
    }

    /// A library with OpenSSL's name in a folder of `LD_LIBRARY_PATH` ends the program that loads it.
    @Test func onlyTheSystemsOpenSSLIsLoaded() throws {
        try BridgeHome.with { home in
            let files = try CertificateOnDisk(home)
            let source = home.path + "/trap.c"
            let trap = "#include <unistd.h>\n__attribute__((constructor)) static void trap(void) { _exit(42); }\n"
            try FileBytes.write(trap.utf8, to: source)
            for library in ["libssl.so.3", "libcrypto.so.3"] {
                let compiler = try EditorProcess(
                    ["cc", "-shared", "-fPIC", "-o", SystemString("\(home.path)/\(library)"), SystemString(source)],
                    in: home)
                try #require(try compiler.outcome().status == .exited(code: 0))
            }
            let daemon = try Daemon(
                home, files.options, environment: [SystemString("LD_LIBRARY_PATH=\(home.path)")])
            #expect(try Self.client(daemon, home, files.trust()).call("tinyvex/ping")["result"] != nil)
        }
    }

    /// Small messages, and one that takes many records and more than the socket's buffer.
    @Test(arguments: [
        (agent: [Binary.demoAgent], prompt: "500 chunks pace=0 no permission"),
        (agent: [Binary.rudeAgent, "big-line", "3000000"], prompt: "go"),
    ])
    func updatesArriveAsTheAgentWroteThem(agent: [SystemString], prompt: String) throws {
        try BridgeHome.with { home in
            let files = try CertificateOnDisk(home)
            let daemon = try Daemon(home, files.options)
            let editor = try EditorSession(agent, in: home)
            let client = try Self.client(daemon, home, files.trust())
            _ = try client.subscribe(editor.sessionId, after: 0)
            try editor.prompt(prompt)
            #expect(!editor.updates.isEmpty)
            expectSame(try client.updates(editor.updates.count), editor.updates)
        }
    }

    @Test(arguments: [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
    func onlyTLS12AndTLS13AreAccepted(version: String, isSpoken: Bool) throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, CertificateOnDisk(home).options)
            guard case .ip(let host, let port) = try #require(daemon.address) else { return }
            // Offer all ciphers that this openssl supports, because by default it does not offer the old version.
            let offer = version == "-tls1_1" ? "-cipher ALL:@SECLEVEL=0" : ""
            let client = try home.shell(
                "openssl s_client -connect \(host):\(port) \(version) \(offer) </dev/null 2>&1 || true")
            #expect(client.outputText.contains("alert protocol version") == !isSpoken, "\(client.outputText)")
            #expect(client.outputText.contains("Cipher is (NONE)") == !isSpoken, "\(client.outputText)")
        }
    }

    @Test func aRequestWithoutTLSIsRefusedWithAHint() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, CertificateOnDisk(home).options)
            let connection = try RawConnection(try #require(daemon.address))
            let response = try connection.response(to: RawConnection.head("/healthz"))
            #expect(response.status == 400)
            #expect(String(decoding: response.body, as: UTF8.self).contains("wss://"))
        }
    }

    @Test func sighupReloadsTheCertificateForNewConnections() throws {
        try BridgeHome.with { home in
            let files = try CertificateOnDisk(home, certificate: TestCertificate.expiredCertificate)
            let daemon = try Daemon(home, files.options)
            try daemon.process.waitForError("has expired")
            #expect(throws: TinyvexTestClient.Failed.self) { try Self.client(daemon, home, files.trust()) }

            try files.write(certificate: TestCertificate.certificate, key: TestCertificate.key)
            let trust = try files.trust()
            daemon.process.kill(SIGHUP)
            // Another program has replaced the bridge's program.
            _ = try daemon.process.readLine()
            let before = try Self.client(daemon, home, trust)

            try files.write(certificate: TestCertificate.certificate, key: TestCertificate.otherKey)
            daemon.process.kill(SIGHUP)
            try daemon.process.waitForError("does not belong to the certificate")
            #expect(try before.call("tinyvex/ping")["result"] != nil)
            #expect(try Self.client(daemon, home, trust).call("tinyvex/ping")["result"] != nil)
        }
    }

    @Test func unusableCertificateFilesAreReportedAtTheStart() throws {
        try BridgeHome.with { home in
            let files = try CertificateOnDisk(home, key: TestCertificate.otherKey)
            let mismatch = try home.run(
                "serve", "--listen", ":0", "--tls-cert", SystemString(files.certificate),
                "--tls-key", SystemString(files.key))
            #expect(mismatch.status == .exited(code: 1))
            #expect(
                mismatch.errorText.contains("\(files.key) does not belong to the certificate in \(files.certificate)"))
            let missing = try home.run(
                "serve", "--listen", ":0", "--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.pem")
            #expect(missing.status == .exited(code: 1))
            #expect(missing.errorText == "Error: /nowhere.pem cannot be read: No such file or directory\n")
        }
    }

    @Test func withTLSTheBridgeCanListenOnAllAddresses() throws {
        try BridgeHome.with { home in
            let options = try CertificateOnDisk(home).options.map { $0 == "127.0.0.1:0" ? "0.0.0.0:0" : $0 }
            let daemon = try Daemon(home, options)
            #expect(daemon.ready["url"]?.stringValue?.hasPrefix("wss://0.0.0.0:") == true)
        }
    }
}
