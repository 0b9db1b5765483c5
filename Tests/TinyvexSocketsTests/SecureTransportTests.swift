import EventLoop
import Glibc
import Posix
import Testing
import TinyvexSockets
import TinyvexTransport
import WebSocket

@Suite(.timeLimit(.minutes(10)), .enabled(if: access("/usr/bin/openssl", X_OK) == 0)) struct SecureTransportTests {
    private func echo(_ peer: ScriptedPeer) throws {
        try peer.openWebSocket()
        while case .text(let text) = try peer.next() { try peer.send(.text, text.reversed()) }
    }

    @Test func textsAreSentBothWaysThroughTLS() async throws {
        let certificate = try TestCertificate()
        let server = try TLSServer(certificate, echo)
        let connection = try await server.connect(trusting: certificate.certificate)
        let sizes = [0, 1, 1000, 16 << 10, 300_000]
        for size in sizes {
            let text = (0..<size).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            try await connection.send([text])
            #expect(try await messages(1, from: connection) == [text.reversed()])
        }
        await connection.close(code: 1000)
        try await server.finish()
    }

    @Test func aCertificateOfAnUnknownAuthorityIsRefused() async throws {
        let server = try TLSServer(TestCertificate(), echo)
        guard case .insecure = await failure({ try await server.connect(trusting: nil) }) else {
            Issue.record("the certificate was trusted")
            return
        }
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        let certificate = try TestCertificate(for: "DNS:bridge.example")
        let server = try TLSServer(certificate, echo)
        guard case .insecure = await failure({ try await server.connect(trusting: certificate.certificate) }) else {
            Issue.record("the certificate was trusted")
            return
        }
    }

    @Test func aMissingAuthoritiesFileTrustsNoCertificate() async throws {
        let server = try TLSServer(TestCertificate(), echo)
        guard case .insecure = await failure({ try await server.connect(trusting: "/nowhere/authorities.pem") }) else {
            Issue.record("the certificate was trusted")
            return
        }
    }

    @Test func aCertificateForAnIPAddressIsAccepted() async throws {
        let certificate = try TestCertificate(for: "IP:127.0.0.1")
        let server = try TLSServer(certificate, echo)
        let connection = try await server.connect(trusting: certificate.certificate, host: "127.0.0.1")
        await connection.close(code: 1000)
        try await server.finish()
    }

    @Test func aServerWithoutTLSIsInsecure() async throws {
        let server = try ScriptedServer(on: .tcp) { try $0.send(Array("220 mail.example ESMTP\r\n".utf8)) }
        guard case .insecure = await failure({ try await SocketTransport().connect(server.secureRequest) }) else {
            Issue.record("the server was not reported as insecure")
            return
        }
    }

    /// A network that comes and goes looks like this, so another attempt can help.
    @Test(arguments: [false, true]) func aConnectionCutDuringTheTLSHandshakeIsUnreachable(resets: Bool) async throws {
        let server = try ScriptedServer(on: .tcp) { peer in
            try peer.read()
            if resets { peer.resetOnClose() }
        }
        guard case .unreachable = await failure({ try await SocketTransport().connect(server.secureRequest) }) else {
            Issue.record("the server was not reported as unreachable")
            return
        }
    }

    @Test func anEndpointWithoutAServerIsUnreachable() async throws {
        let port = try Sockets.localPort(of: Sockets.listen(on: .ip(host: "127.0.0.1", port: 0)))
        let request = ConnectionRequest(endpoint: try Endpoint("wss://127.0.0.1:\(port)"))
        guard case .unreachable = await failure({ try await SocketTransport().connect(request) }) else {
            Issue.record("the endpoint was not reported as unreachable")
            return
        }
    }

    @Test func aServerThatNeverAnswersTimesOut() async throws {
        let server = try ScriptedServer(on: .tcp) { try $0.waitForEnd() }
        var request = server.secureRequest
        request.timeout = .milliseconds(50)
        #expect(await failure { try await SocketTransport().connect(request) } == .timedOut)
    }

    @Test func cancellingAConnectEndsIt() async throws {
        let (asked, wasAsked) = AsyncStream.makeStream(of: Never.self)
        let server = try ScriptedServer(on: .tcp) { peer in
            wasAsked.finish()
            try peer.waitForEnd()
        }
        let request = server.secureRequest
        let connecting = Task { await failure { try await SocketTransport().connect(request) } }
        for await _ in asked {}
        connecting.cancel()
        #expect(await connecting.value == .cancelled)
        try await server.finish()
    }

    @Test func aPausedReaderStopsItsPeerAndLosesNothing() async throws {
        let certificate = try TestCertificate()
        let message = [UInt8](repeating: UInt8(ascii: "m"), count: 10_000)
        let (stops, stop) = AsyncStream.makeStream(of: Int.self)
        let server = try TLSServer(certificate) { peer in
            try peer.openWebSocket()
            var bytes: [UInt8] = []
            for _ in 0..<3000 { bytes += ScriptedPeer.frame(.text, message) }
            let sent = try peer.sendUntilStopped(bytes)
            stop.yield(sent)
            try peer.send(bytes[sent...])
        }
        let connection = try await server.connect(trusting: certificate.certificate)
        for await sent in stops {
            // The limit covers the connection's buffers, one read, and the buffers of the sockets and of the server: a
            // TCP connection's buffers grow to 10 MiB. The script sends 30 MB in all.
            #expect(sent < MessageBatch.sizeHintBytes + (16 << 20))
            break
        }
        #expect(try await messages(3000, from: connection).allSatisfy { $0 == message })
    }
}

extension ScriptedServer {
    /// A request for TLS to a server without TLS.
    var secureRequest: ConnectionRequest {
        var request = ConnectionRequest(endpoint: endpoint)
        if case .host(let host, let port, _) = endpoint.address {
            request.endpoint.address = .host(host, port: port, isSecure: true)
        }
        return request
    }
}
