import BenchMeasuring
import EventLoop
import Glibc
import HTTP1
import Posix
import WebSocket

/// A client's end of a WebSocket up to the start of a stream: it sends a message and waits for the next one.
final class WebSocketClient {
    private let stream: ByteStream
    /// Bytes that arrived but were not examined yet.
    private(set) var unread: [UInt8] = []
    /// Set when messages can be compressed.
    private var compressed: MessageReader?

    /// - Parameter tls: The client's TLS context, or nil for a connection without TLS.
    /// - Parameter deflates: Offers compression, and fails if the server declines it.
    init(
        to address: SocketAddress, path: String, fields: [(name: String, value: String)] = [], tls: TLSContext? = nil,
        deflates: Bool = false
    ) throws {
        let socket = try Sockets.connect(to: address)
        stream = if let tls { try ByteStream(socket, connectingTo: "localhost", tls) } else { ByteStream(socket) }
        try shakeHands(host: address.authority, path, fields, deflates ? PermessageDeflate.Offer() : nil)
    }

    var fd: Int32 { stream.fd }

    /// Reads the available bytes without waiting.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome { stream.read(into: buffer) }

    func send(_ message: [UInt8]) throws {
        var frame: [UInt8] = []
        // No intermediary between this client and the server could be misled by chosen bytes, so any mask is good
        // enough.
        Frame.append(.text, message.span, maskKey: 0x5bad_c0de, to: &frame)
        try write(frame)
    }

    func send(frame: [UInt8]) throws { try write(frame) }

    /// The next text message. Control frames are skipped.
    func nextMessage() throws -> [UInt8] {
        while true {
            if isDeflated {
                if let message = try nextCompressed() { return message }
                try fill()
                continue
            }
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

    var isDeflated: Bool { compressed != nil }

    /// The number of text messages that end in `chunk`, which must be the next bytes of the stream. `began` is called
    /// with each message.
    func messages(in chunk: UnsafeRawBufferPointer, _ began: (UnsafeRawBufferPointer) -> Void) throws -> Int {
        compressed?.append(chunk)
        var count = 0
        while let message = try nextCompressed() {
            message.withUnsafeBytes(began)
            count += 1
        }
        return count
    }

    private func nextCompressed() throws -> [UInt8]? {
        if !unread.isEmpty {
            compressed?.append(unread.span)
            unread = []
        }
        while let event = try compressed?.next() {
            if case .text(let message) = event { return message }
        }
        return nil
    }

    private func fill() throws {
        try Waiting.readable(fd, until: .now + RunningProgram.patience)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        switch buffer.withUnsafeMutableBytes({ stream.read(into: $0) }) {
        case .bytes(let count): unread += buffer.prefix(count)
        case .wouldBlock: break  // a TLS handshake, or an incomplete record
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

    private func shakeHands(
        host: String, _ path: String, _ fields: [(name: String, value: String)], _ offer: PermessageDeflate.Offer?
    ) throws {
        let key = Handshake.key(nonce: (1, 2))
        try write(Handshake.clientRequest(host: host, path: path, key: key, deflate: offer, fields: fields))
        var parser = ResponseParser()
        while true {
            try fill()
            parser.append(unread.span)
            unread = []
            guard let response = try parser.next() else { continue }
            let opening = try Handshake.verify(status: response.status, key: key, offeredDeflate: offer) {
                response.headers.all($0)
            }
            unread = parser.takeRemainder()
            guard offer != nil else { return }
            guard let deflate = opening.deflate else { throw BenchFailure("the server does not compress") }
            compressed = MessageReader(role: .client, deflate: deflate)
            return
        }
    }
}
