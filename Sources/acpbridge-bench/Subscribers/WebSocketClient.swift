import EventLoop
import Glibc
import HTTP1
import WebSocket

/// A client's end of a WebSocket up to the point where a stream begins: it sends a message, and waits for the next.
final class WebSocketClient {
    private let socket: Descriptor
    /// What came and was not looked at yet.
    private(set) var unread: [UInt8] = []

    init(to address: SocketAddress, path: String, fields: [(name: String, value: String)] = []) throws {
        socket = try Sockets.connect(to: address)
        try shakeHands(host: address.authority, path, fields)
    }

    var fd: Int32 { socket.raw }

    func send(_ message: [UInt8]) throws {
        var frame: [UInt8] = []
        // Nobody between here and the server could be misled by bytes of our choice, so any mask will do.
        Frame.append(.text, message.span, maskKey: 0x5bad_c0de, to: &frame)
        try BlockingWrite.all(frame, to: fd)
    }

    /// The next text message; control frames are passed over.
    func nextMessage() throws -> [UInt8] {
        while true {
            let bytes = unread
            guard let header = try FrameHeader.parse(bytes.span.bytes, limitBytes: .max),
                bytes.count >= header.size + header.payloadLength
            else {
                try fill()
                continue
            }
            let payload = Array(bytes[header.size..<(header.size + header.payloadLength)])
            unread.removeFirst(header.size + header.payloadLength)
            if header.opcode == .text { return payload }
        }
    }

    private func fill() throws {
        try Waiting.readable(fd, until: .now + RunningProgram.patience)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(fd, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchFailure("the server closed the connection") }
        unread += buffer.prefix(count)
    }

    private func shakeHands(host: String, _ path: String, _ fields: [(name: String, value: String)]) throws {
        let key = Handshake.key(nonce: (1, 2))
        try BlockingWrite.all(Handshake.clientRequest(host: host, path: path, key: key, fields: fields), to: fd)
        var parser = ResponseParser()
        while true {
            try fill()
            parser.append(unread.span)
            unread = []
            guard let response = try parser.next() else { continue }
            _ = try Handshake.verify(status: response.status, key: key) { response.headers.all($0) }
            unread = parser.takeRemainder()
            return
        }
    }
}
