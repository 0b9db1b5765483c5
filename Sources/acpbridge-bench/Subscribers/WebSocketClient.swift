import EventLoop
import Glibc
import HTTP1
import WebSocket

/// A client's end of a WebSocket up to the point where a stream begins: it sends a message, and waits for the next.
final class WebSocketClient {
    private let stream: ByteStream
    /// What came and was not looked at yet.
    private(set) var unread: [UInt8] = []

    /// - Parameter tls: whom to trust; nil for a connection without TLS.
    init(
        to address: SocketAddress, path: String, fields: [(name: String, value: String)] = [], tls: TLSContext? = nil
    ) throws {
        let socket = try Sockets.connect(to: address)
        stream = if let tls { try ByteStream(socket, connectingTo: "localhost", tls) } else { ByteStream(socket) }
        try shakeHands(host: address.authority, path, fields)
    }

    var fd: Int32 { stream.fd }

    /// Reads what is there, without waiting.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome { stream.read(into: buffer) }

    func send(_ message: [UInt8]) throws {
        var frame: [UInt8] = []
        // Nobody between here and the server could be misled by bytes of our choice, so any mask will do.
        Frame.append(.text, message.span, maskKey: 0x5bad_c0de, to: &frame)
        try write(frame)
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
        switch buffer.withUnsafeMutableBytes({ stream.read(into: $0) }) {
        case .bytes(let count): unread += buffer.prefix(count)
        case .wouldBlock: break  // of TLS's handshake, or a record that is not whole
        case .endOfStream, .failed: throw BenchFailure("the server closed the connection: \(stream.failure ?? "")")
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty || stream.holdsBytes {
            let outcome = rest.isEmpty ? stream.flush() : rest.withUnsafeBytes { stream.write($0) }
            switch outcome {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try awaitRoom()
            case .failed(let error): throw BenchFailure("\(error) \(stream.failure ?? "")")
            }
        }
    }

    private func awaitRoom() throws {
        guard stream.writeAwaits == .writable else { return try fill() }
        try Waiting.writable(fd, until: .now + RunningProgram.patience)
        _ = stream.flush()
    }

    private func shakeHands(host: String, _ path: String, _ fields: [(name: String, value: String)]) throws {
        let key = Handshake.key(nonce: (1, 2))
        try write(Handshake.clientRequest(host: host, path: path, key: key, fields: fields))
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
