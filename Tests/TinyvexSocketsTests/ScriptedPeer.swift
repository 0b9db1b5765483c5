import EventLoop
import Glibc
import HTTP1
import Posix
import WebSocket

/// The server's end of one connection. All calls block.
final class ScriptedPeer {
    struct Surprise: Error { let what: String }

    private let socket: Descriptor
    private var assembler = MessageAssembler(role: .server)
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    /// The time after which a wait counts as a failure.
    private static let patienceMilliseconds: Int32 = 30_000

    init(on socket: consuming Descriptor) { self.socket = socket }

    init(acceptingOn listener: borrowing Descriptor) throws {
        try Self.wait(for: POLLIN, on: listener.raw)
        guard let socket = try Sockets.accept(on: listener) else { throw Surprise(what: "nobody connected") }
        self.socket = socket
    }

    private static func wait(for events: Int32, on fd: Int32) throws {
        var wait = pollfd(fd: fd, events: Int16(events), revents: 0)
        guard poll(&wait, 1, patienceMilliseconds) == 1 else { throw Surprise(what: "nothing happened in time") }
    }

    // MARK: HTTP

    func readRequest() throws -> RequestHead {
        var parser = RequestParser(bodyLimitBytes: 0)
        while true {
            let count = try read()
            guard count > 0 else { throw Surprise(what: "no request came") }
            parser.append(buffer.span.extracting(..<count))
            if let request = try parser.next() { return request.head }
        }
    }

    /// Returns the answer that opens a WebSocket.
    func upgrade(for head: RequestHead) throws -> [UInt8] {
        let acceptance = try Handshake.accept(method: head.method, httpMinorVersion: head.minorVersion) {
            head.headers.all($0)
        }.get()
        return ResponseHead(status: 101, headers: Headers(acceptance.fields())).bytes()
    }

    @discardableResult
    func openWebSocket() throws -> RequestHead {
        let head = try readRequest()
        try send(upgrade(for: head))
        return head
    }

    // MARK: WebSocket

    func send(_ opcode: Opcode, _ payload: [UInt8], fin: Bool = true) throws {
        try send(Self.frame(opcode, payload, fin: fin))
    }

    static func frame(_ opcode: Opcode, _ payload: [UInt8], fin: Bool = true) -> [UInt8] {
        var frame: [UInt8] = []
        Frame.append(opcode, payload.span, fin: fin, to: &frame)
        return frame
    }

    /// Returns the next event; nil when the client has ended the stream.
    func next() throws -> MessageAssembler.Event? {
        while true {
            if let event = try assembler.next() { return event }
            let count = try read()
            if count == 0 { return nil }
            assembler.append(buffer.span.extracting(..<count))
        }
    }

    // MARK: Bytes

    func send(_ bytes: some Collection<UInt8>) throws {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            try Self.wait(for: POLLOUT, on: socket.raw)
            sent += try sendSome(bytes[sent...])
        }
    }

    /// Sends until the client has not read for a moment, or nothing is left. Returns the number of bytes sent.
    func sendUntilStopped(_ bytes: [UInt8]) throws -> Int {
        var sent = 0
        while sent < bytes.count {
            var wait = pollfd(fd: socket.raw, events: Int16(POLLOUT), revents: 0)
            guard poll(&wait, 1, 200) == 1 else { break }
            sent += try sendSome(bytes[sent...])
        }
        return sent
    }

    /// Sends as much as the socket accepts. Returns 0 if the socket is full.
    func sendSome(_ bytes: ArraySlice<UInt8>) throws -> Int {
        let count = bytes.withUnsafeBytes {
            Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        if count < 0, errno == EAGAIN { return 0 }
        guard count >= 0 else { throw SystemError("send") }
        return count
    }

    /// Reads until the client has ended the stream.
    func waitForEnd() throws { while try read() > 0 {} }

    /// Returns the number of bytes received; 0 at the end of the stream, however it ended.
    @discardableResult func read() throws -> Int {
        try Self.wait(for: POLLIN, on: socket.raw)
        return max(0, recv(socket.raw, &buffer, buffer.count, 0))
    }

    /// Makes closing reset the TCP connection, like a machine that has lost its state.
    func resetOnClose() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket.raw, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
