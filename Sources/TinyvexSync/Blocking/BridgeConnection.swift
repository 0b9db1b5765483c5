import CShims
import EventLoop
import Glibc
import HTTP1
import JSONRPC
import JSONScan
import WebSocket

/// One connection to a bridge's `/tinyvex`, for a program that may wait: calls block until there is an answer.
public final class BridgeConnection {
    private let socket: Descriptor
    private var assembler = MessageAssembler(role: .client, limits: MessageLimits(messageBytes: .max))
    private let storage = ReadBuffer(byteCount: bufferBytes)
    private var buffer: UnsafeMutableRawBufferPointer { storage.bytes }
    private var nextId = 1
    /// Messages that came while a call waited for its own answer.
    private var waiting: [[UInt8]] = []

    /// One read's worth: a fast replay fills it.
    private static let bufferBytes = 256 << 10

    public init(to endpoint: BridgeAddress, token: String?, clientName: String) throws(ClientError) {
        socket = try Self.connect(endpoint)
        try shakeHands(endpoint, token)
        _ = try call("tinyvex/connect") { writer in
            writer.memberObject("client") { $0.member("name", clientName) }
        }
    }

    /// For poll(2): readable when `receive` has something to do.
    public var fd: Int32 { socket.raw }

    // MARK: Messages

    /// Sends a request and waits for its answer; what comes before that is kept for `receive`.
    public func call(
        _ method: String, _ params: (inout JSONWriter) -> Void
    ) throws(ClientError) -> JSONValue {
        let id = try send(method, params)
        while true {
            let message = try receiveFresh()
            guard let answer = try Self.answer(in: message, to: id) else {
                waiting.append(message)
                continue
            }
            return answer
        }
    }

    private func send(_ method: String, _ params: (inout JSONWriter) -> Void) throws(ClientError) -> RequestID {
        let id = RequestID(nextId)
        nextId += 1
        let message = withoutActuallyEscaping(params) { MessageText.request(id: id, method: method, params: $0) }
        var frame: [UInt8] = []
        Frame.append(.text, message.span, maskKey: Self.random32(), to: &frame)
        try write(frame)
        return id
    }

    private static func answer(in message: [UInt8], to id: RequestID) throws(ClientError) -> JSONValue? {
        guard let value = try? JSONValue(validating: message), case .response(id, let outcome) = Message(value) else {
            return nil
        }
        switch outcome {
        case .result(let result): return result
        case .error(let error):
            throw .server(
                rpcCode: error.code.rawValue, code: error.data?["code"]?.stringValue, message: error.message,
                candidates: error.data?["candidates"]?.elements.compactMap(\.stringValue) ?? [])
        }
    }

    /// The next notification, waiting for it.
    public func receive() throws(ClientError) -> [UInt8] {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return try receiveFresh()
    }

    /// The next notification that is already here; nil when the socket must be read first.
    public func receiveBuffered() throws(ClientError) -> [UInt8]? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return try nextMessage()
    }

    /// Reads what the socket has, waiting for at least one byte.
    public func fill() throws(ClientError) {
        let count = try read()
        assembler.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }

    private func receiveFresh() throws(ClientError) -> [UInt8] {
        while true {
            if let message = try nextMessage() { return message }
            try fill()
        }
    }

    private func nextMessage() throws(ClientError) -> [UInt8]? {
        while true {
            let event: MessageAssembler.Event?
            do throws(ProtocolViolation) {
                event = try assembler.next()
            } catch {
                throw .notABridge(error.description)
            }
            switch event {
            case nil: return nil
            case .text(let message): return message
            case .ping(let payload): try write(Frame.pong(payload, maskKey: Self.random32()))
            case .close(let code, _):
                // The bridge waits for this, and for the end of the stream (RFC 6455, section 5.5.1).
                try write(Frame.close(code, maskKey: Self.random32()))
                shutdown(socket.raw, Int32(SHUT_WR))
                throw code == .goingAway ? .stopped : .disconnected
            case .binary, .pong: continue
            }
        }
    }

    // MARK: The socket

    private static func connect(_ endpoint: BridgeAddress) throws(ClientError) -> Descriptor {
        do throws(SystemError) {
            switch endpoint {
            case .unix(let path): return try Sockets.connect(to: .unix(path: path))
            case .tcp(let host, let port): return try Sockets.connect(to: .ip(host: host, port: port))
            }
        } catch {
            throw .unreachable(endpoint, error)
        }
    }

    private func shakeHands(_ endpoint: BridgeAddress, _ token: String?) throws(ClientError) {
        let key = Handshake.key(nonce: (Self.random64(), Self.random64()))
        let fields = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        try write(Handshake.clientRequest(host: endpoint.hostField, path: "/tinyvex", key: key, fields: fields))
        var parser = ResponseParser()
        let response = try readResponse(&parser)
        guard response.status != 401 else { throw .unauthorized(tokenWasShown: token != nil) }
        do throws(Handshake.Failure) {
            _ = try Handshake.verify(status: response.status, key: key) { response.headers.all($0) }
        } catch {
            guard response.status != 101 else { throw .notABridge("\(error)") }
            let reason = String(decoding: response.body.prefix(300), as: UTF8.self).split(separator: "\n").first ?? ""
            throw .refused(status: response.status, reason: String(reason))
        }
        parser.takeRemainder().withUnsafeBytes { assembler.append($0) }
    }

    private func readResponse(_ parser: inout ResponseParser) throws(ClientError) -> Response {
        do {
            while true {
                if let response = try parser.next() { return response }
                let count = try read()
                parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        } catch let error as MalformedResponse {
            throw .notABridge(error.reason)
        } catch ClientError.disconnected {
            if let response = parser.connectionEnded() { return response }
            throw .disconnected
        } catch {
            throw .disconnected
        }
    }

    private func read() throws(ClientError) -> Int {
        while true {
            let count = recv(socket.raw, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            if count < 0, errno == EINTR { continue }
            throw .disconnected
        }
    }

    private func write(_ bytes: [UInt8]) throws(ClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .disconnected }
            rest = rest.dropFirst(count)
        }
    }

    private static func random64() -> UInt64 {
        var value: UInt64 = 0
        cshims_random(&value, 8)
        return value
    }

    /// A mask need only be unpredictable to a page that makes a browser send bytes; there is none here.
    private static func random32() -> UInt32 { UInt32(truncatingIfNeeded: random64()) }
}
