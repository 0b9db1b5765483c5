import EventLoop
import Glibc
import Posix
import WebSocket

/// The client's end of a WebSocket over a socket pair. The code under test owns the other end, which `loop` watches.
@LoopActor package final class WebSocketClientEnd {
    private let loop: ManualLoop
    private let socket: Descriptor
    private let near: Int32
    private var received = MessageAssembler(role: .client)

    private init(_ loop: ManualLoop, socket: consuming Descriptor, near: Int32) {
        self.loop = loop
        self.socket = socket
        self.near = near
    }

    /// Returns a client's end, and the stream at the other end.
    package static func pair(_ loop: ManualLoop) throws(SystemError) -> (client: WebSocketClientEnd, near: Int32) {
        let pair = try Sockets.pair()
        let client = WebSocketClientEnd(loop, socket: Descriptor(owning: pair.far), near: pair.near)
        return (client, pair.near)
    }

    /// True if the other end is watched for data.
    package var isRead: Bool { loop.interest(in: near)?.contains(.readable) == true }

    package func send(_ opcode: Opcode, _ payload: [UInt8]) {
        var frame: [UInt8] = []
        Frame.append(opcode, payload.span, maskKey: 7, to: &frame)
        write(frame)
    }

    package func send(_ text: String) { send(.text, Array(text.utf8)) }

    /// Sends bytes as they are. The socket has room for about 200 KiB that the other end has not read.
    package func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(socket.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        loop.report(.readable, of: near)
    }

    /// Ends the connection without a close frame.
    package func leave() {
        shutdown(socket.raw, Int32(SHUT_RDWR))
        loop.report([.readable, .hangup], of: near)
    }

    /// Returns the data that has arrived since the last call, and lets the other end continue to write.
    package func receive() throws(ProtocolViolation) -> [MessageAssembler.Event] {
        var events: [MessageAssembler.Event] = []
        while readOnce() {
            while let event = try received.next() { events.append(event) }
            if loop.interest(in: near)?.contains(.writable) == true { loop.report(.writable, of: near) }
        }
        return events
    }

    private func readOnce() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        let count = recv(socket.raw, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return false }
        received.append(chunk.span.extracting(..<count))
        return true
    }
}
