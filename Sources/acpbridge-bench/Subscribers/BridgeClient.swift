import CShims
import EventLoop
import Glibc
import HTTP1
import JSONRPC
import JSONScan
import WebSocket

/// A connection to a bridge up to the point where a stream begins: calls that wait for their answers.
final class BridgeClient {
    private let socket: Descriptor
    /// What came and was not looked at yet.
    private(set) var unread: [UInt8] = []
    private var nextId = 1

    init(_ daemon: BridgeDaemon) throws {
        socket = try Sockets.connect(to: daemon.address)
        try shakeHands(daemon.token)
        _ = try call("tinyvex/connect") { writer in
            writer.memberObject("client") { writer in
                writer.member("name", "acpbridge-bench")
                writer.member("version", "1")
            }
        }
    }

    var fd: Int32 { socket.raw }

    func call(_ method: String, _ params: (inout JSONWriter) -> Void) throws -> JSONValue {
        let message = withoutActuallyEscaping(params) { params in
            MessageText.request(id: RequestID(nextId), method: method, params: params)
        }
        nextId += 1
        var frame: [UInt8] = []
        // Nobody between here and the bridge could be misled by bytes of our choice, so any mask will do.
        Frame.append(.text, message.span, maskKey: 0x5bad_c0de, to: &frame)
        try BlockingWrite.all(frame, to: fd)
        let answer = try JSONValue(validating: nextMessage())
        guard let result = answer["result"] else { throw Refusal(answer["error"]) }
        return result
    }

    /// The bridge said no. `code` is `TVX…` where there is one.
    struct Refusal: Error, CustomStringConvertible {
        let code: String?
        let description: String

        init(_ error: JSONValue?) {
            code = error?["data"]?["code"]?.stringValue
            description = "the bridge answered \(error?.rawString ?? "without a result")"
        }
    }

    // MARK: Reading

    /// The next text message; control frames are passed over.
    private func nextMessage() throws -> [UInt8] {
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
        guard count > 0 else { throw BenchFailure("the bridge closed the connection") }
        unread += buffer.prefix(count)
    }

    private func shakeHands(_ token: String?) throws {
        let key = Handshake.key(nonce: (1, 2))
        let fields = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        try BlockingWrite.all(
            Handshake.clientRequest(host: "localhost", path: "/tinyvex", key: key, fields: fields), to: fd)
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
