import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import WebSocket

/// A WebSocket connection to a bridge with low-level access for the tests. Every operation has a deadline.
final class TinyvexTestClient {
    private let stream: ByteStream
    private var reader = MessageReader(role: .client, limits: MessageLimits(messageBytes: .max))
    /// The compression of messages, if it was requested and agreed on.
    private(set) var deflate: PermessageDeflate?
    private(set) var receivedBytes = 0
    private var kept: [[UInt8]] = []
    private var nextId = 1
    var mutationCount = 0
    private(set) var closeCode: CloseCode?
    private(set) var hasEnded = false
    private(set) var pongs: [[UInt8]] = []
    private(set) var pingCount = 0
    /// If false, the bridge treats the client as gone.
    var answersPings = true

    /// The bridge's answer, if its status was not 101.
    struct Refused: Error { let response: Response }

    /// Connects to the bridge of `home` and sends `tinyvex/connect`.
    convenience init(_ home: BridgeHome) throws {
        try self.init(.unix(path: home.socket))
        _ = try call("tinyvex/connect", #"{"client":{"name":"test"}}"#)
    }

    /// Connects and completes the handshake without sending a message. `tls` makes the client use TLS. `offer` requests
    /// compression, which the bridge can decline.
    init(
        _ address: SocketAddress, fields: [(name: String, value: String)] = [], path: String = "/tinyvex",
        tls: TLSContext? = nil, offer: PermessageDeflate.Offer? = nil
    ) throws {
        let socket = try Sockets.connect(to: address)
        stream = if let tls { try ByteStream(socket, connectingTo: "localhost", tls) } else { ByteStream(socket) }
        let host = if case .ip(let host, let port) = address { "\(host):\(port)" } else { "localhost" }
        let key = Handshake.key(nonce: (0x0123_4567_89ab_cdef, 1))
        try write(Handshake.clientRequest(host: host, path: path, key: key, deflate: offer, fields: fields))
        var parser = ResponseParser()
        let response = try readResponse(&parser)
        guard response.status == 101 else { throw Refused(response: response) }
        let opening = try Handshake.verify(status: response.status, key: key, offeredDeflate: offer) {
            response.headers.all($0)
        }
        deflate = opening.deflate
        reader = MessageReader(role: .client, limits: MessageLimits(messageBytes: .max), deflate: opening.deflate)
        parser.takeRemainder().withUnsafeBytes { reader.append($0) }
    }

    // MARK: Messages

    /// Sends the texts as messages, in one write.
    func send(_ texts: String...) throws {
        var frames: [UInt8] = []
        for text in texts { Frame.append(.text, Array(text.utf8).span, maskKey: 0x1234_5678, to: &frames) }
        try write(frames)
    }

    /// Sends a request and returns the whole answer, either a result or an error. Notifications that arrive meanwhile
    /// are kept.
    func call(_ method: String, _ params: String = "{}") throws -> JSONValue {
        let id = nextId
        nextId += 1
        try send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
        let deadline = Deadline()
        while true {
            let message = try receive(deadline, awaiting: "the bridge answers \(method)")
            let value = try JSONValue(validating: message)
            if value["id"]?.int64Value == Int64(id), value["method"] == nil { return value }
            kept.append(message)
        }
    }

    /// Returns the bytes of the next message.
    func nextMessage(within patience: Duration = .seconds(30)) throws -> [UInt8] {
        if !kept.isEmpty { return kept.removeFirst() }
        return try receive(Deadline(after: patience), awaiting: "the bridge sends a message")
    }

    /// Returns the next message if it is available, or becomes available in time.
    func messageAtHand(within patience: Duration = .zero) throws -> [UInt8]? {
        if !kept.isEmpty { return kept.removeFirst() }
        if let message = try nextBuffered() { return message }
        var wait = pollfd(fd: stream.fd, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Int32(clamping: patience.nanoseconds / 1_000_000)) > 0 else { return nil }
        try fill(Deadline(), "a message")
        return try nextBuffered()
    }

    /// Returns the next notification of that method and discards other notifications before it.
    func next(_ method: String, within patience: Duration = .seconds(30)) throws -> JSONValue {
        let deadline = Deadline(after: patience)
        while true {
            let message =
                kept.isEmpty ? try receive(deadline, awaiting: "the bridge sends \(method)") : kept.removeFirst()
            let value = try JSONValue(validating: message)
            if value["method"]?.stringValue == method { return value }
        }
    }

    /// Reads until the bridge has closed the connection.
    func waitForEnd(within patience: Duration = .seconds(30)) throws {
        let deadline = Deadline(after: patience)
        while !hasEnded {
            if let message = try nextBuffered() { kept.append(message) } else { try fill(deadline, "the end") }
        }
    }

    /// True if no unrequested message has arrived.
    var isQuiet: Bool { kept.isEmpty }

    /// Returns the notifications that arrived while the client waited for an answer.
    func takeKept() -> [[UInt8]] {
        defer { kept = [] }
        return kept
    }

    struct Ended: Error { let closeCode: CloseCode? }

    private func receive(_ deadline: Deadline, awaiting what: String) throws -> [UInt8] {
        while true {
            if let message = try nextBuffered() { return message }
            guard !hasEnded else { throw Ended(closeCode: closeCode) }
            try fill(deadline, what)
        }
    }

    private func nextBuffered() throws -> [UInt8]? {
        while let event = try reader.next() {
            switch event {
            case .text(let message), .binary(let message): return message
            case .ping(let payload):
                pingCount += 1
                if answersPings { try write(Frame.pong(payload, maskKey: 0x1234_5678)) }
            case .pong(let payload): pongs.append(payload)
            case .close(let code, _):
                closeCode = code
                hasEnded = true
            }
        }
        return nil
    }

    // MARK: The socket

    /// Closes without a closing handshake, like a client that has died.
    func closeNow() { shutdown(stream.fd, Int32(SHUT_RDWR)) }

    /// Returns a text message as one compressed frame. It refers to no earlier message, so all agreed parameters permit it.
    func compressedFrame(_ text: [UInt8]) throws -> [UInt8] {
        guard let direction = deflate?.client, var deflater = Deflater(direction, level: 9) else {
            throw Uncompressed()
        }
        var payload: [UInt8] = []
        text.withUnsafeBytes { deflater.deflate($0, to: &payload) }
        var frame: [UInt8] = []
        Frame.append(.text, payload.span, isDeflated: true, maskKey: 7, to: &frame)
        return frame
    }

    /// Compression was not agreed on.
    private struct Uncompressed: Error {}

    /// Writes raw bytes, for frames and requests that the test builds itself.
    func write(_ bytes: [UInt8]) throws {
        let deadline = Deadline()
        var rest = bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ stream.write($0) }) {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try readHandshake(deadline)
            case .failed(let error): throw Failed(error: error, reason: stream.failure)
            }
        }
        while case .wouldBlock = stream.flush() { try waitFor(POLLOUT, deadline, "the bridge reads") }
    }

    /// The socket or TLS failed.
    struct Failed: Error {
        let error: SystemError
        let reason: String?
    }

    /// Waits for room. During TLS's handshake, which a write begins, it waits for the bridge's part of the handshake.
    private func readHandshake(_ deadline: Deadline) throws {
        try waitFor(stream.writeAwaits == .readable ? POLLIN : POLLOUT, deadline, "the bridge reads")
        _ = stream.flush()
    }

    private func fill(_ deadline: Deadline, _ what: String) throws {
        let bytes = try readSome(deadline, what)
        if bytes.isEmpty { hasEnded = true }
        bytes.withUnsafeBytes { reader.append($0) }
    }

    private func readResponse(_ parser: inout ResponseParser) throws -> Response {
        let deadline = Deadline()
        while true {
            if let response = try parser.next() { return response }
            let bytes = try readSome(deadline, "the bridge answers the handshake")
            if bytes.isEmpty, let response = parser.connectionEnded() { return response }
            guard !bytes.isEmpty else { throw Ended(closeCode: nil) }
            bytes.withUnsafeBytes { parser.append($0) }
        }
    }

    /// Returns an empty array at the end.
    private func readSome(_ deadline: Deadline, _ what: String) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        while true {
            switch buffer.withUnsafeMutableBytes({ stream.read(into: $0) }) {
            case .bytes(let count):
                receivedBytes += count
                return Array(buffer.prefix(count))
            case .wouldBlock: try waitFor(POLLIN, deadline, what)
            case .endOfStream, .failed: return []
            }
        }
    }

    private func waitFor(_ event: Int32, _ deadline: Deadline, _ what: String) throws {
        guard !deadline.hasPassed else { throw Overdue(what) }
        var wait = pollfd(fd: stream.fd, events: Int16(event), revents: 0)
        if poll(&wait, 1, deadline.milliseconds) > 0 { deadline.somethingHasChanged() }
    }
}
