import AgentProcess
import Posix
import Testing

/// Several requests on one connection over TLS. `KeptConnectionTests` has the rules, which are the same with TLS.
@Suite(.blocking) struct KeptTLSConnectionTests {
    /// A connection of OpenSSL's own client, which passes its standard input to the bridge as it is.
    private static func connect(
        _ home: BridgeHome, _ version: SystemString, _ options: SystemString...
    ) throws -> EditorProcess {
        let files = try CertificateOnDisk(home)
        let daemon = try Daemon(home, files.options + options)
        guard case .ip(_, let port) = try #require(daemon.address) else {
            throw Daemon.Failed(outcome: try daemon.process.outcome())
        }
        return try EditorProcess(
            [
                "openssl", "s_client", "-quiet", version, "-verify_return_error", "-CAfile",
                SystemString(files.certificate), "-connect", SystemString("localhost:\(port)"),
            ], in: home)
    }

    private static func head(_ number: Int, _ fields: String...) -> [UInt8] {
        Array(RawConnection.head("/healthz", ["X-Request-ID: n\(number)"] + fields).utf8)
    }

    /// The numbers of the answers that have arrived.
    private static func answered(_ client: EditorProcess) -> [Int] {
        String(decoding: client.outputBytes, as: UTF8.self).split(separator: "\r\n")
            .filter { $0.hasPrefix("X-Request-ID: n") }.compactMap { Int($0.dropFirst(15)) }
    }

    private static let versions: [SystemString] = ["-tls1_2", "-tls1_3"]

    @Test(arguments: versions) func eachRequestIsAnsweredOnTheSameConnection(version: SystemString) throws {
        try BridgeHome.with { home in
            let client = try Self.connect(home, version)
            for number in 0..<3 {
                try client.send(Self.head(number))
                try client.wait(until: "request \(number) is answered") { Self.answered(client) == Array(0...number) }
            }
            try client.send(Self.head(3, "Connection: close"))
            try client.waitForEndOfOutput()
            #expect(Self.answered(client) == [0, 1, 2, 3])
        }
    }

    /// Many of them are in one record, and one is in two records.
    @Test(arguments: versions) func pipelinedRequestsAreAnsweredInTheirOrder(version: SystemString) throws {
        try BridgeHome.with { home in
            let client = try Self.connect(home, version)
            let bytes = (0..<400).flatMap { Self.head($0) } + Self.head(400, "Connection: close")
            try client.send(Array(bytes[..<20_001]))
            try client.wait(until: "some are answered") { !Self.answered(client).isEmpty }
            try client.send(Array(bytes[20_001...]))
            try client.waitForEndOfOutput()
            #expect(Self.answered(client) == Array(0...400))
        }
    }

    @Test(arguments: versions) func anIdleConnectionIsClosedWithoutAnAnswer(version: SystemString) throws {
        try BridgeHome.with { home in
            let client = try Self.connect(home, version, "--limit", "keep-alive=300ms")
            // Both at once: a pause between them could be an idle end.
            try client.send(Self.head(0) + Self.head(1))
            try client.waitForEndOfOutput()
            #expect(Self.answered(client) == [0, 1])
            // TLS was closed in order. OpenSSL reports everything else, because an attacker could have cut the connection.
            #expect(!client.errorText.contains("unexpected eof"), "\(client.errorText)")
        }
    }

    @Test func aStoppedBridgeClosesIdleConnections() throws {
        try BridgeHome.with { home in
            let client = try Self.connect(home, "-tls1_3")
            try client.send(Self.head(0))
            try client.wait(until: "the request is answered") { Self.answered(client) == [0] }
            #expect(try home.run("stop").status == .exited(code: 0))
            try client.waitForEndOfOutput()
            #expect(!client.errorText.contains("unexpected eof"), "\(client.errorText)")
        }
    }
}
