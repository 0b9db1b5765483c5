import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import Synchronization

/// An HTTP server that keeps what it gets, and fails on request.
final class WebhookServer: Sendable {
    struct Received: Sendable {
        let request: Request
        /// The status of the answer.
        let status: Int

        var body: JSONValue? { try? JSONValue(validating: request.body) }
        func field(_ name: String) -> String? { request.head.headers.first(name) }
    }

    let port: UInt16
    private let statuses: Mutex<[Int]>
    private let requests = Mutex<[Received]>([])
    private let connections = Mutex(0)
    private let standing = Mutex((status: 204, body: [UInt8]()))

    /// - Parameter statuses: the n-th status is for the n-th request. Later requests get 204, or the answer of
    ///   ``answer(_:_:)``. With 0 the connection is closed without an answer.
    init(_ statuses: [Int] = []) throws {
        self.statuses = Mutex(statuses.reversed())
        let listener = try Sockets.listen(on: .ip(host: "127.0.0.1", port: 0))
        port = Sockets.localPort(of: listener)
        let raw = listener.release()
        // The thread runs until the tests end, because a thread that waits for a connection cannot be stopped.
        try DetachedThread.start(name: "webhook server") { [self] in
            let listener = Descriptor(owning: raw)
            while true {
                var wait = pollfd(fd: listener.raw, events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, -1)
                if let socket = try? Sockets.accept(on: listener) { serve(socket) }
            }
        }
    }

    /// All connections so far, also those without a request.
    var connectionCount: Int { connections.withLock { $0 } }

    var received: [Received] { requests.withLock { $0 } }

    /// Sets the answer to requests that have no status of their own.
    func answer(_ status: Int, _ body: String) { standing.withLock { $0 = (status, Array(body.utf8)) } }

    private func serve(_ socket: consuming Descriptor) {
        connections.withLock { $0 += 1 }
        var parser = RequestParser(bodyLimitBytes: 1 << 20, headLimitBytes: 1 << 14)
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            var wait = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
            poll(&wait, 1, 10_000)
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            buffer[..<count].withUnsafeBytes { parser.append($0) }
            guard let request = try? parser.next() else { continue }
            let later = standing.withLock { $0 }
            let status = statuses.withLock { $0.popLast() } ?? later.status
            requests.withLock { $0.append(Received(request: request, status: status)) }
            let location = Headers([("Location", "http://127.0.0.1:\(port)/elsewhere")])
            let body = status == later.status ? later.body : []
            let answer = status == 0 ? [] : Response(status: status, headers: location, body: body).bytes()
            _ = answer.withUnsafeBytes { send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            return
        }
    }
}
