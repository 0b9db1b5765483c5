import BenchMeasuring
import EventLoop
import Glibc
import HTTP1
import Posix
import WebSocket

/// Listens, opens a WebSocket on every path, and echoes each message.
@LoopActor final class EchoServer: PollHandler {
    private let listener: Descriptor
    private var watch: Watch?

    init(listeningOn address: SocketAddress) throws(SystemError) {
        listener = try Sockets.listen(on: address)
        watch = try EventLoop.main.watch(listener.raw, .readable, self)
    }

    var port: UInt16 { Sockets.localPort(of: listener) }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        do throws(SystemError) {
            while let connection = try Sockets.accept(on: listener) { try EchoRequest(connection).start() }
        } catch {
            Output.note("Error: \(error)")
        }
    }

    /// Accepts no more connections. Existing connections continue.
    func close() { watch?.cancel() }
}

/// A connection before the end of its handshake.
@LoopActor private final class EchoRequest: PollHandler {
    private var stream: ByteStream?
    private var parser = RequestParser(bodyLimitBytes: 0)
    private var watch: Watch?
    private var isAnswered = false

    private static let patience = Duration.seconds(10)

    init(_ descriptor: consuming Descriptor) { stream = ByteStream(descriptor) }

    func start() throws(SystemError) {
        guard let fd = stream?.fd else { return }
        watch = try EventLoop.main.watch(fd, .readable, self)
        EventLoop.main.schedule(after: Self.patience) { [weak self] in self?.close() }
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        let chunk = EventLoop.main.readChunk
        switch stream?.read(into: chunk) {
        case .bytes(let count): received(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        case .wouldBlock: break
        case .endOfStream, .failed, nil: close()
        }
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
        guard !isAnswered else { return }
        parser.append(bytes)
        do throws(HTTPRefusal) {
            guard let request = try parser.next() else { return }
            answer(request.head)
        } catch {
            refuse(.text(error.reason, status: error.status))
        }
    }

    private func answer(_ head: RequestHead) {
        let judged = Handshake.accept(
            method: head.method, httpMinorVersion: head.minorVersion, deflate: PermessageDeflate.Terms()
        ) { head.headers.all($0) }
        switch judged {
        case .success(let acceptance):
            write(ResponseHead(status: 101, headers: Headers(acceptance.fields())).bytes())
            beginEchoing(acceptance.deflate)
        case .failure(let refusal):
            var response = Response.text(refusal.reason, status: refusal.status)
            for field in refusal.fields { response.headers.append(field.name, field.value) }
            refuse(response)
        }
    }

    private func beginEchoing(_ deflate: PermessageDeflate?) {
        watch?.cancel()
        watch = nil
        guard let stream = stream.take() else { return }
        let connection = MessageConnection(stream, role: .server, deflate: deflate) { $0.send($1, $2) }
        do throws(SystemError) {
            try connection.start(remainder: parser.takeRemainder())
        } catch {
            Output.note("Error: \(error)")
        }
    }

    /// The peer ends the stream. If we closed it with unread bytes of the peer, the response would be lost.
    private func refuse(_ response: Response) {
        write(response.bytes())
        stream?.finishWriting()
    }

    /// A response is far smaller than the buffer of a new socket.
    private func write(_ bytes: [UInt8]) {
        isAnswered = true
        bytes.withUnsafeBytes { _ = stream?.write($0) }
    }

    private func close() {
        watch?.cancel()
        watch = nil
        stream = nil
    }
}
