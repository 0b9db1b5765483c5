import EventLoop
import Glibc
import Posix
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSStreamTests {
    @Test func bytesPassInBothDirections() throws {
        let pair = try TLSPair()
        #expect(pair.client.write("hello".utf8) == .wouldBlock)
        #expect(pair.settle() == (.init(), .init()))
        #expect(pair.client.write("hello".utf8) == .wrote(5))
        #expect(pair.server.write("welcome".utf8) == .wrote(7))
        let received = pair.settle()
        #expect(received.atServer.bytes == Array("hello".utf8))
        #expect(received.atClient.bytes == Array("welcome".utf8))
    }

    /// The next write can pass other bytes than the write that filled the socket.
    @Test func acceptedBytesArriveOnceForAnyLaterWrite() throws {
        let pair = try TLSPair()
        _ = pair.settle()
        var generator = SystemRandomNumberGenerator()
        var taken: [UInt8] = []
        var arrived: [UInt8] = []
        var wasFull = false
        while taken.count < 1 << 20 {
            let size = [1, 100, 20_000, 200_000].randomElement(using: &generator) ?? 1
            let piece = [UInt8](repeating: .random(in: 0...255, using: &generator), count: size)
            switch pair.server.write(piece) {
            case .wrote(let count): taken += piece.prefix(count)
            case .wouldBlock:
                wasFull = true
                arrived += pair.settle().atClient.bytes
            case .failed(let error): throw error
            }
        }
        arrived += pair.settle().atClient.bytes
        #expect(wasFull)
        #expect(arrived == taken)
    }

    @Test func theStreamHoldsAtMostOneRecordWhileItsSocketIsFull() throws {
        let pair = try TLSPair()
        _ = pair.settle()
        let much = [UInt8](repeating: 7, count: 1 << 20)
        guard case .wrote(let count) = pair.server.write(much) else { throw SystemError("write", code: 0) }
        #expect(count < much.count)
        #expect(pair.serverHoldsBytes)
        #expect(pair.server.flush() == .wouldBlock)
        #expect(pair.server.write(much) == .wouldBlock)
        #expect(pair.settle().atClient.bytes.count == count)
        #expect(!pair.serverHoldsBytes)
    }

    // MARK: The end of the stream

    @Test func anOrderlyCloseEndsTheStream() throws {
        let pair = try TLSPair()
        _ = pair.settle()
        _ = pair.server.write("bye".utf8)
        pair.server.finishWriting()
        let received = pair.settle().atClient
        #expect(received.bytes == Array("bye".utf8))
        #expect(received.end == .endOfStream)
        // We have closed our direction. The peer's direction remains open.
        #expect(pair.client.write("one more".utf8) == .wrote(8))
        #expect(pair.settle().atServer.bytes == Array("one more".utf8))
    }

    @Test func theCloseIsSentAfterTheHeldBytes() throws {
        let pair = try TLSPair()
        _ = pair.settle()
        let much = [UInt8](repeating: 7, count: 1 << 20)
        guard case .wrote(let count) = pair.server.write(much) else { throw SystemError("write", code: 0) }
        pair.server.finishWriting()
        let received = pair.settle().atClient
        #expect(received.bytes.count == count)
        #expect(received.end == .endOfStream)
    }

    @Test func aTruncatedStreamIsNotAnOrderlyClose() throws {
        let pair = try TLSPair()
        _ = pair.settle()
        shutdown(pair.server.fd, Int32(SHUT_WR))
        #expect(pair.settle().atClient.end == .failed(SystemError("TLS", code: ECONNRESET)))
    }

    @Test func aCloseBeforeTheHandshakeSendsNothing() throws {
        let pair = try TLSPair()
        pair.server.finishWriting()
        let received = pair.settle()
        #expect(received.atClient.bytes.isEmpty)
        #expect(received.atClient.end == .failed(SystemError("TLS", code: ECONNRESET)))
    }

    // MARK: Certificates

    @Test(arguments: ["localhost", "127.0.0.1", "::1"])
    func aCertificateIsValidForItsNamesAndAddresses(host: String) throws {
        let pair = try TLSPair(host: host)
        #expect(pair.settle() == (.init(), .init()))
    }

    @Test(arguments: [
        (true, "elsewhere.example", "hostname mismatch"), (true, "127.0.0.2", "IP address mismatch"),
        (false, "localhost", "self-signed certificate"),
    ])
    func anyOtherServerIsRefused(isTrusted: Bool, host: String, reason: String) throws {
        let authorities = isTrusted ? TestCertificate.certificate : TestCertificate.otherCertificate
        let pair = try TLSPair(trusting: authorities, host: host)
        let received = pair.settle()
        #expect(received.atClient.end == .failed(SystemError("TLS", code: EPROTO)))
        #expect(pair.clientFailure == reason)
        #expect(received.atServer.bytes.isEmpty)
    }

    @Test func anExpiredCertificateIsRefused() throws {
        let expired = TestCertificate.expiredCertificate
        let pair = try TLSPair(certificate: expired, trusting: expired)
        _ = pair.settle()
        #expect(pair.clientFailure == "certificate has expired")
    }

    // MARK: Data that is not TLS

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n", "options"])
    func aPlainRequestIsDetectedAndCanBeAnsweredWithoutTLS(request: String) throws {
        let ends = try SocketPair()
        let plain = ByteStream(ends.first)
        _ = plain.write(request.utf8)
        let folder = TemporaryFolder()
        let context = try TLSContext(
            certificate: folder.file("cert.pem", TestCertificate.certificate),
            key: folder.file("key.pem", TestCertificate.key))
        let server = try ByteStream(ends.second, accepting: context)
        var buffer = [UInt8](repeating: 0, count: ByteStream.recordBytes)
        #expect(buffer.withUnsafeMutableBytes { server.read(into: $0) } == .failed(SystemError("TLS", code: EPROTO)))
        #expect(server.peerIsPlain == true)
        #expect(server.withoutTLS().write("no".utf8) == .wrote(2))
        #expect(buffer.withUnsafeMutableBytes { plain.read(into: $0) } == .bytes(2))
    }

    @Test func anyOtherDataIsAFault() throws {
        let pair = try TLSPair()
        let count = Glibc.write(pair.client.fd, "\u{16}\u{3}\u{1}garbage that is long enough", 30)
        #expect(count == 30)
        #expect(pair.settle().atServer.end == .failed(SystemError("TLS", code: EPROTO)))
        #expect(pair.server.peerIsPlain == false)
    }
}
