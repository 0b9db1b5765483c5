import EventLoop
import Glibc
import HTTP1
import JSONScan
import Posix
import TestSupport
import WebSocket

/// A bridge that accepts every request, performs none of them, and never closes a connection.
final class IdleBridge: Sendable {
    private let status: String

    /// - Parameter process: the process id that `bridge:status` reports.
    init(_ home: BridgeHome, process: pid_t) throws {
        status = #"{"pid":\#(process),"startedTs":1,"version":"1","agents":0}"#
        mkdir(home.path + "/run", 0o700)
        let raw = try Sockets.listen(on: .unix(path: home.socket)).release()
        // The thread runs until the tests end, because a thread that waits for a connection cannot be stopped.
        try DetachedThread.start(name: "idle bridge") { [self] in
            let listener = Descriptor(owning: raw)
            while true {
                var wait = pollfd(fd: listener.raw, events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, -1)
                if let socket = try? Sockets.accept(on: listener) { serve(socket) }
            }
        }
    }

    /// Returns when the client has closed the connection.
    private func serve(_ socket: consuming Descriptor) {
        var parser = RequestParser(bodyLimitBytes: 0, headLimitBytes: 1 << 14)
        var reader = MessageReader(role: .server, limits: MessageLimits(messageBytes: 1 << 20))
        var isOpen = false
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            var wait = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
            poll(&wait, 1, -1)
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            if isOpen {
                buffer[..<count].withUnsafeBytes { reader.append($0) }
            } else {
                buffer[..<count].withUnsafeBytes { parser.append($0) }
                guard let head = try? parser.next()?.head else { continue }
                isOpen = true
                Self.send(Self.opening(head), on: socket.raw)
                parser.takeRemainder().withUnsafeBytes { reader.append($0) }
            }
            while let event = try? reader.next() {
                guard case .text(let message) = event, let value = try? JSONValue(validating: message) else { continue }
                for answer in answers(to: value) {
                    var frame: [UInt8] = []
                    Frame.append(.text, Array(answer.utf8).span, to: &frame)
                    Self.send(frame, on: socket.raw)
                }
            }
        }
    }

    private static func opening(_ head: RequestHead) -> [UInt8] {
        guard
            case .success(let acceptance) = Handshake.accept(
                method: "GET", httpMinorVersion: 1, fields: head.headers.all)
        else { return [] }
        return ResponseHead(status: 101, headers: Headers(acceptance.fields())).bytes()
    }

    private func answers(to request: JSONValue) -> [String] {
        guard let id = request["id"]?.rawString else { return [] }
        let params = request["params"]
        func answer(_ result: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"# }
        switch request["method"]?.stringValue {
        case "tinyvex/subscribe":
            let subId = params?["subId"]?.rawString ?? "null"
            return [
                answer(#"{"accepted":true,"resumed":false,"startSeq":1,"headSeq":1,"journal":""}"#),
                #"{"jsonrpc":"2.0","method":"tinyvex/data","params":{"subId":\#(subId),"seq":1,"value":\#(status)}}"#,
            ]
        case "tinyvex/action":
            let requestId = params?["requestId"]?.rawString ?? "null"
            return [answer(#"{"requestId":\#(requestId),"value":{"replacing":true}}"#)]
        default: return [answer(#"{"serverVersion":"1","nowTs":1,"sessionId":"c","role":"admin","ok":true}"#)]
        }
    }

    private static func send(_ bytes: [UInt8], on socket: Int32) {
        _ = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
