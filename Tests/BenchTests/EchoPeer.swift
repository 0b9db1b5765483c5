import EventLoop
import Glibc
import HTTP1
import Posix
import WebSocket

@testable import BenchMeasuring

/// The other end of an echo's WebSocket, in either role. It blocks, so it needs a thread other than the loop's.
final class EchoPeer {
    private let socket: Descriptor
    private let role: MessageAssembler.Role
    private var assembler: MessageAssembler
    private var buffer = [UInt8](repeating: 0, count: 128 << 10)

    /// Connects without performing the handshake.
    init(connectingTo address: SocketAddress) throws {
        socket = try Sockets.connect(to: address)
        role = .client
        assembler = MessageAssembler(role: .client)
    }

    /// Connects and opens a WebSocket.
    static func open(_ address: SocketAddress) throws -> EchoPeer {
        let peer = try EchoPeer(connectingTo: address)
        let key = Handshake.key(nonce: (1, 2))
        let response = try peer.ask(Handshake.clientRequest(host: address.authority, path: "/", key: key))
        _ = try Handshake.verify(status: response.status, key: key) { response.headers.all($0) }
        return peer
    }

    /// Accepts a connection and opens a WebSocket on it. Stores the request's path in `path`.
    init(acceptingOn listener: borrowing Descriptor, path: inout String) throws {
        socket = try Self.accept(on: listener)
        role = .server
        assembler = MessageAssembler(role: .server)
        let head = try readRequest().head
        path = head.target
        let acceptance = try Handshake.accept(method: head.method, httpMinorVersion: head.minorVersion) {
            head.headers.all($0)
        }.get()
        try send(ResponseHead(status: 101, headers: Headers(acceptance.fields())).bytes())
    }

    /// Accepts a connection, sends this response to its request and closes it.
    static func refuse(_ response: [UInt8], on listener: borrowing Descriptor) throws {
        let socket = try accept(on: listener)
        var request = [UInt8](repeating: 0, count: 4096)
        try Waiting.readable(socket.raw, until: .now + RunningProgram.patience)
        // The client writes its request at once, so one read returns all of it.
        _ = recv(socket.raw, &request, request.count, 0)
        try BlockingWrite.all(response, to: socket.raw)
    }

    private static func accept(on listener: borrowing Descriptor) throws -> Descriptor {
        try Waiting.readable(listener.raw, until: .now + RunningProgram.patience)
        guard let socket = try Sockets.accept(on: listener) else { throw BenchFailure("nobody connected") }
        return socket
    }

    var fd: Int32 { socket.raw }

    private func readRequest() throws -> Request {
        var parser = RequestParser(bodyLimitBytes: 0)
        while true {
            let count = try fill()
            guard count > 0 else { throw BenchFailure("the client sent no request") }
            parser.append(buffer.span.extracting(..<count))
            if let request = try parser.next() { return request }
        }
    }

    func ask(_ request: [UInt8]) throws -> Response {
        try send(request)
        var parser = ResponseParser()
        while true {
            let count = try fill()
            guard count > 0 else { throw BenchFailure("the server sent no response") }
            parser.append(buffer.span.extracting(..<count))
            if let response = try parser.next() { return response }
        }
    }

    func send(_ bytes: [UInt8]) throws { try BlockingWrite.all(bytes, to: fd) }

    func send(_ opcode: Opcode, _ payload: [UInt8], fin: Bool = true) throws {
        var frame: [UInt8] = []
        Frame.append(opcode, payload.span, fin: fin, maskKey: role == .client ? 0x1234_5678 : nil, to: &frame)
        try send(frame)
    }

    /// Sends a text or binary message.
    func send(_ message: MessageAssembler.Event) throws {
        switch message {
        case .text(let payload): try send(.text, payload)
        case .binary(let payload): try send(.binary, payload)
        default: break
        }
    }

    /// The next event, or nil when the other end has ended the stream.
    func next() throws -> MessageAssembler.Event? {
        while true {
            if let event = try assembler.next() { return event }
            let count = try fill()
            if count == 0 { return nil }
            assembler.append(buffer.span.extracting(..<count))
        }
    }

    private func fill() throws -> Int {
        try Waiting.readable(fd, until: .now + RunningProgram.patience)
        let count = recv(fd, &buffer, buffer.count, 0)
        guard count >= 0 else { throw SystemError("recv") }
        return count
    }
}
