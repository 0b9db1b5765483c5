import AgentProcess
import EventLoop
import Glibc
import HTTP1
import Posix
import Testing

/// Connections over HTTP when the bridge stops, or when another program replaces it.
@Suite(.blocking) struct EndingConnectionTests {
    /// More than the buffers of two sockets hold, so that the answer is in progress until its reader reads.
    private static let fileBytes = 24 << 20

    /// Stores a file, and requests it on a connection that does not read the answer yet.
    private static func beginDownload(
        _ home: BridgeHome, further: String = ""
    ) throws -> RawConnection {
        let client = HTTPClient(.unix(path: home.socket))
        let body = String(repeating: "f", count: fileBytes)
        let stored = try client.ask(
            "POST", "/v1/files", ["Content-Type: image/png", "Transfer-Encoding: chunked"],
            "\(String(fileBytes, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
        let id = try #require(try stored.json()["storageId"]?.stringValue)
        let connection = try RawConnection(.unix(path: home.socket))
        try connection.send(Array((RawConnection.head("/v1/files/\(id)") + further).utf8))
        try connection.waitUntilBridgeRests()
        return connection
    }

    /// Returns when the bridge refuses new connections, so that its stop has begun.
    private static func waitForStop(_ daemon: Daemon) throws {
        daemon.process.kill(SIGTERM)
        let address = try #require(daemon.address)
        try eventually("the bridge listens no longer") { (try? Sockets.connect(to: address)) == nil }
    }

    private static let options: [SystemString] = ["--listen", "127.0.0.1:0"]

    /// Returns what follows the file.
    private static func expectFile(from connection: RawConnection) throws -> String {
        let body = try connection.rest()
        let file = body.prefix(fileBytes)
        #expect(file.count == fileBytes && file.allSatisfy { $0 == UInt8(ascii: "f") }, "\(file.count)")
        return String(decoding: body.dropFirst(fileBytes), as: UTF8.self)
    }

    @Test func anAnswerInProgressIsFinishedWhenTheBridgeStops() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, Self.options)
            let connection = try Self.beginDownload(home)
            try Self.waitForStop(daemon)
            #expect(try Self.expectFile(from: connection).isEmpty)
            #expect(try daemon.process.exitStatus() == .exited(code: 0))
        }
    }

    /// The answer promised that the connection is kept.
    @Test func aRequestThatWasSentBeforeTheStopIsAnsweredAndEndsTheConnection() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, Self.options)
            let connection = try Self.beginDownload(home, further: RawConnection.head("/healthz"))
            try Self.waitForStop(daemon)
            let second = try Self.expectFile(from: connection)
            #expect(second.hasPrefix("HTTP/1.1 200 ") && second.contains("Connection: close\r\n"), "\(second)")
        }
    }

    @Test func aClientThatDoesNotReadItsAnswerDelaysTheStopOnlyBriefly() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, Self.options)
            let connection = try Self.beginDownload(home)
            let begin = Instant.now
            daemon.process.kill(SIGTERM)
            #expect(try daemon.process.exitStatus() == .exited(code: 0))
            #expect(Instant.now - begin < .seconds(8), "the limit of the whole stop is later")
            #expect(connection.waitingBytes > 0)
        }
    }

    @Test func anAnswerInProgressIsFinishedBeforeAnotherProgramReplacesTheBridge() throws {
        try BridgeHome.with { home in
            _ = try Daemon(home, Self.options)
            let connection = try Self.beginDownload(home)
            let idle = try RawConnection(.unix(path: home.socket))
            #expect(try idle.response(to: RawConnection.head("/healthz")).status == 200)
            let replacing = try EditorProcess([Binary.acpbridge, "serve", "--replace"], in: home)
            #expect(try idle.readAfterAnswers().isEmpty)
            let meanwhile = try HTTPClient(.unix(path: home.socket)).get("/healthz")
            #expect(meanwhile.status == 200 && meanwhile.headers.first("Connection") == "close")
            #expect(try Self.expectFile(from: connection).isEmpty)
            #expect(try replacing.exitStatus() == .exited(code: 0))
            #expect(try HTTPClient(.unix(path: home.socket)).get("/healthz").status == 200)
        }
    }

    @Test func aClientThatDoesNotReadItsAnswerDelaysAReplacementOnlyBriefly() throws {
        try BridgeHome.with { home in
            let daemon = try Daemon(home, Self.options)
            let connection = try Self.beginDownload(home)
            #expect(try home.run("serve", "--replace").status == .exited(code: 0))
            #expect(connection.waitingBytes > 0)
            let kept = try RawConnection(.unix(path: home.socket))
            #expect(try kept.response(to: RawConnection.head("/healthz")).headers.first("Connection") == nil)
            #expect(daemon.process.errorText.isEmpty)
        }
    }
}
