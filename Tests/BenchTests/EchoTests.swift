import EventLoop
import Glibc
import Posix
import TestSupport
import Testing
import WebSocket

@testable import BenchEcho

@Suite(.serialized, .timeLimit(.minutes(10))) struct EchoTests {
    private let folder = TemporaryFolder()
    private let address: SocketAddress

    init() {
        LoopThread.start
        address = .unix(path: folder.path + "/echo")
    }

    private func withServer(_ body: (SocketAddress) async throws -> Void) async throws {
        let server = try await Self.serve(at: address)
        do {
            try await body(address)
        } catch {
            await server.close()
            throw error
        }
        await server.close()
    }

    @LoopActor private static func serve(at address: SocketAddress) throws -> EchoServer {
        try EchoServer(listeningOn: address)
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, 3 << 20])
    func aMessageIsEchoedUnchanged(size: Int) async throws {
        try await withServer { address in
            let peer = try EchoPeer.open(address)
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            try peer.send(.binary, bytes)
            #expect(try peer.next() == .binary(bytes))
            let text = bytes.map { $0 & 0x7f }
            try peer.send(.text, text)
            #expect(try peer.next() == .text(text))
        }
    }

    @Test func theLargestMessageIsEchoed() async throws {
        try await withServer { address in
            let peer = try EchoPeer.open(address)
            let bytes = [UInt8](repeating: 0xa5, count: 64 << 20)
            try peer.send(.binary, bytes)
            #expect(try peer.next() == .binary(bytes))
        }
    }

    @Test func fragmentsAreEchoedAsOneMessageAfterThePongToAPingBetweenThem() async throws {
        try await withServer { address in
            let peer = try EchoPeer.open(address)
            try peer.send(.text, Array("Grüß".utf8.prefix(3)), fin: false)
            try peer.send(Frame.ping([1, 2], maskKey: 7))
            try peer.send(.continuation, Array("Grüß".utf8.dropFirst(3)))
            #expect(try peer.next() == .pong([1, 2]))
            #expect(try peer.next() == .text(Array("Grüß".utf8)))
        }
    }

    /// Reads do not slow down the writer, so the server must stop reading and resume later.
    @Test func moreDataThanAllBuffersHoldIsEchoedInOrder() async throws {
        try await withServer { address in
            let peer = try EchoPeer.open(address)
            let payloads = (0..<8).map { [UInt8](repeating: $0, count: 64 << 10) }
            let rounds = 32
            var frames: [UInt8] = []
            for payload in payloads { Frame.append(.binary, payload.span, maskKey: 9, to: &frames) }
            let writing = WritingThread(frames, times: rounds, to: peer.fd)
            for _ in 0..<rounds {
                for payload in payloads { #expect(try peer.next() == .binary(payload)) }
            }
            writing.wait()
        }
    }

    @Test(arguments: [
        (Frame.close(.goingAway, maskKey: 7), CloseCode.goingAway),
        (Frame.close(nil, maskKey: 7), nil),
        ([0xf1, 0x80, 0, 0, 0, 0], .protocolError),
        ([0x81, 0x81, 0, 0, 0, 0, 0xff], .invalidPayload),
        ([0x82, 0xff, 0, 0, 0, 0, 0x04, 0, 0, 1, 0, 0, 0, 0], .messageTooBig),
    ])
    func theServerAnswersACloseWithItsCodeAndEndsTheStream(bytes: [UInt8], code: CloseCode?) async throws {
        try await withServer { address in
            let peer = try EchoPeer.open(address)
            try peer.send(.text, [0x61])
            try peer.send(bytes)
            #expect(try peer.next() == .text([0x61]))
            guard case .close(code, _) = try peer.next() else {
                Issue.record("no close frame with \(String(describing: code))")
                return
            }
            #expect(try peer.next() == nil)
        }
    }

    @Test func anOrdinaryRequestIsAnsweredWithUpgradeRequired() async throws {
        try await withServer { address in
            let peer = try EchoPeer(connectingTo: address)
            let response = try peer.ask(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            #expect(response.status == 426)
            #expect(response.headers.first("Upgrade") == "websocket")
        }
    }
}
