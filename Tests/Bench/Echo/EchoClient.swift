import BenchMeasuring
import EventLoop
import Glibc
import HTTP1
import Posix
import WebSocket

/// The client that a fuzzing server of the Autobahn test suite tests. It requests the number of cases, opens a
/// WebSocket for each case and echoes its messages, and finally requests the report.
@LoopActor struct EchoClient {
    let server: SocketAddress

    /// The name of this client in the report.
    private static let agent = "acpbridge"

    /// Returns how many cases were run.
    func run() async throws -> Int {
        let count = try await caseCount()
        for number in 0..<count {
            Output.progress("case \(number + 1) of \(count)")
            try await connect("/runCase?case=\(number + 1)&agent=\(Self.agent)") { $0.send($1, $2) }
        }
        Output.progress("")
        try await connect("/updateReports?agent=\(Self.agent)") { _, _, _ in }
        return count
    }

    private func caseCount() async throws -> Int {
        let answer = Answer()
        try await connect("/getCaseCount") { _, _, message in answer.text = String(decoding: message, as: UTF8.self) }
        guard let count = Int(answer.text), count >= 0 else {
            throw BenchFailure("the server answered '\(answer.text)' instead of a number of cases")
        }
        return count
    }

    @LoopActor private final class Answer {
        var text = ""
    }

    /// Opens a WebSocket and returns when it has ended.
    private func connect(_ path: String, receiver: @escaping MessageConnection.Receiver) async throws {
        // Both calls block the loop, which has no other work at this time.
        let socket = try Sockets.connect(to: server)
        let (deflate, remainder) = try shakeHands(path, socket.raw)
        let stream = ByteStream(socket)
        var handOver = Optional(stream)
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            guard let stream = handOver.take() else { return }
            let connection = MessageConnection(stream, role: .client, deflate: deflate, receiver: receiver) {
                done.resume()
            }
            do { try connection.start(remainder: remainder) } catch { done.resume(throwing: error) }
        }
    }

    /// Returns the compression of messages, and the bytes that the server sent directly after its response.
    private func shakeHands(_ path: String, _ fd: Int32) throws -> (PermessageDeflate?, [UInt8]) {
        let key = Handshake.key(nonce: (.random(in: .min ... .max), .random(in: .min ... .max)))
        let offer = PermessageDeflate.Offer()
        let request = Handshake.clientRequest(host: server.authority, path: path, key: key, deflate: offer)
        try BlockingWrite.all(request, to: fd)
        var parser = ResponseParser()
        let response = try readResponse(fd, &parser)
        let opening = try Handshake.verify(status: response.status, key: key, offeredDeflate: offer) {
            response.headers.all($0)
        }
        return (opening.deflate, parser.takeRemainder())
    }

    private func readResponse(_ fd: Int32, _ parser: inout ResponseParser) throws -> Response {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            if let response = try parser.next() { return response }
            try Waiting.readable(fd, until: .now + RunningProgram.patience)
            let count = recv(fd, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            buffer.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        // A refusal with a body that ends with the connection.
        if let response = parser.connectionEnded() { return response }
        throw BenchFailure("the server closed the connection during the handshake")
    }
}
