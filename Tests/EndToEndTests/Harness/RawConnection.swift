import EventLoop
import Glibc
import HTTP1
import Posix

/// A socket to a bridge, for bytes that no well-behaved client would send.
final class RawConnection {
    private let socket: Descriptor
    private var incoming: IncomingBytes
    /// The number of bytes of the answers that ``response(to:)`` has returned.
    private var answeredBytes = 0

    init(_ address: SocketAddress) throws {
        socket = try Sockets.connect(to: address)
        incoming = IncomingBytes(dup(socket.raw))
    }

    deinit { incoming.closeNow() }

    func send(_ bytes: [UInt8]) throws {
        let count = bytes.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count == bytes.count else { throw SystemError("send") }
    }

    /// Ends the sending direction.
    func finishSending() { shutdown(socket.raw, Int32(SHUT_WR)) }

    /// Sends as many bytes as the socket accepts at once. Returns their number.
    func sendNow(_ bytes: [UInt8]) throws -> Int {
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        let count = bytes.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, flags) }
        guard count >= 0 || errno == EAGAIN else { throw SystemError("send") }
        return max(0, count)
    }

    /// Waits at most that long until the socket accepts more bytes. Returns false if it does not.
    func waitForRoom(_ milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: socket.raw, events: Int16(POLLOUT), revents: 0)
        return poll(&wait, 1, milliseconds) > 0
    }

    /// Sends the head of a request and returns the answer, which must be the only one to arrive.
    func response(to head: String) throws -> Response {
        try send(Array(head.utf8))
        var parser = ResponseParser(bodyLimitBytes: 8 << 20)
        var given = answeredBytes
        var response: Response?
        try wait(until: "the bridge answers") {
            incoming.bytes[given...].withUnsafeBytes { parser.append($0) }
            given = incoming.bytes.count
            response = try parser.next() ?? (incoming.hasEnded ? parser.connectionEnded() : nil)
            return response != nil || incoming.hasEnded
        }
        guard let response else { throw Overdue("the bridge answers") }
        answeredBytes = given
        return response
    }

    /// Returns the bytes that the bridge sends after the last answer, until it closes the connection.
    func readAfterAnswers() throws -> [UInt8] { Array(try readToEnd()[answeredBytes...]) }

    /// Returns all bytes that the bridge sends until it closes the connection.
    func readToEnd() throws -> [UInt8] {
        try wait(until: "the bridge closes the connection") { incoming.hasEnded }
        return incoming.bytes
    }

    /// Waits, without reading, until the bridge stops writing: it has sent everything, or its bytes fill the socket.
    func waitUntilBridgeRests() throws {
        let stream = ByteStream(Descriptor(owning: dup(socket.raw)))
        var before = -1
        try eventually("the bridge stops writing") {
            defer { before = stream.waitingBytes }
            poll(nil, 0, 3)
            return stream.waitingBytes == before && before > 0
        }
    }

    /// The number of bytes that have arrived and were not read yet.
    var waitingBytes: Int { ByteStream(Descriptor(owning: dup(socket.raw))).waitingBytes }

    /// Waits at most that long until bytes arrive.
    func waitForBytes(_ milliseconds: Int32) {
        var wait = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        poll(&wait, 1, milliseconds)
    }

    func waitForText(_ text: String) throws {
        try wait(until: "the bridge sends \(text)") {
            String(decoding: incoming.bytes, as: UTF8.self).contains(text) || incoming.hasEnded
        }
    }

    /// Reads to the end and returns the bytes after the head of the answer.
    func rest() throws -> [UInt8] {
        try wait(until: "the bridge ends the connection") { incoming.hasEnded }
        let bytes = incoming.bytes
        let head = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
        return Array(bytes[(head.map { $0 + 4 } ?? 0)...])
    }

    private func wait(until claim: String, _ condition: () throws -> Bool) throws {
        let deadline = Deadline()
        while try !condition() {
            guard !deadline.hasPassed else { throw Overdue("\(claim); received \(incoming.tail)") }
            var wait = pollfd(fd: incoming.fd, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, deadline.milliseconds) > 0 else { continue }
            incoming.readSome()
            deadline.somethingHasChanged()
        }
    }

    /// The head of a request. `fields` come after `Host`, unless one of them is `Host` itself.
    static func head(_ target: String, method: String = "GET", _ fields: [String] = []) -> String {
        let hasHost = fields.contains { $0.lowercased().hasPrefix("host:") }
        let lines = ["\(method) \(target) HTTP/1.1"] + (hasHost ? [] : ["Host: localhost"]) + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The fields that turn a request into a WebSocket handshake.
    static let upgrade = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
}
