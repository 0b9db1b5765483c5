import EventLoop
import Posix
import TestSupport
import Testing
import WebSocket

@testable import BenchEcho
@testable import BenchMeasuring

/// Tests the client with our own fuzzing server, which has two cases.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EchoClientTests {
    private let folder = TemporaryFolder()
    private let address: SocketAddress

    init() {
        LoopThread.start
        address = .unix(path: folder.path + "/fuzz")
    }

    @Test func everyCaseIsRunBeforeTheReportIsRequested() async throws {
        let listener = try Sockets.listen(on: address)
        let client = clientRun()
        #expect(try Self.serve(listener, [.text(Array("2".utf8))]) == "/getCaseCount")
        #expect(try Self.serve(listener, [.text([0x61]), .binary([0xff])]) == "/runCase?case=1&agent=acpbridge")
        #expect(try Self.serve(listener, [.text([])]) == "/runCase?case=2&agent=acpbridge")
        #expect(try Self.serve(listener, []) == "/updateReports?agent=acpbridge")
        #expect(try await client.value == 2)
    }

    @Test func aCaseCountThatIsNotANumberIsAnError() async throws {
        let listener = try Sockets.listen(on: address)
        let client = clientRun()
        _ = try Self.serve(listener, [.text(Array("many".utf8))])
        await #expect(throws: BenchFailure.self) { try await client.value }
    }

    @Test(arguments: ["Content-Length: 3\r\n", ""])
    func aRefusalIsReportedWithItsStatus(length: String) async throws {
        let listener = try Sockets.listen(on: address)
        let client = clientRun()
        try EchoPeer.refuse(Array("HTTP/1.1 400 Bad Request\r\n\(length)\r\nno\n".utf8), on: listener)
        await #expect(throws: Handshake.Failure.status(400)) { try await client.value }
    }

    /// Runs entirely on the loop's thread, because the test blocks its own thread.
    private func clientRun() -> Task<Int, any Error> {
        Task { @LoopActor [address] in try await EchoClient(server: address).run() }
    }

    /// Accepts the next connection, sends the messages, closes the connection and returns the path. The echoes are
    /// checked, except for a case count.
    private static func serve(
        _ listener: borrowing Descriptor, _ messages: [MessageAssembler.Event]
    ) throws -> String {
        var path = ""
        let peer = try EchoPeer(acceptingOn: listener, path: &path)
        for message in messages { try peer.send(message) }
        if path.hasPrefix("/runCase") {
            for message in messages { #expect(try peer.next() == message) }
        }
        try peer.send(Frame.close(.normalClosure))
        #expect(try peer.next() == .close(.normalClosure, reason: []))
        return path
    }
}
