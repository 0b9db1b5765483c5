import Agents
import Clients
import CommandContext
import EventLoop
import Glibc
import HTTP1
import JSONRPC
import Posix
import TerminalIO

/// The stdio shim's end of its connection to the daemon.
struct DaemonLink: ~Copyable {
    private let socket: Descriptor
    private var lines = LineSplitter(limitBytes: 1 << 20)
    /// The final notice, if it has already arrived.
    private var end: ShimNotice?
    /// True after a signal of this process was forwarded to the agent.
    private(set) var hasForwarded = false

    /// The daemon has ended the connection.
    struct ConnectionEnded: Error, CustomStringConvertible {
        var description: String { "the bridge ended, and the agent with it; start the agent again to restart both" }
    }

    init(_ socket: consuming Descriptor) throws {
        self.socket = socket
        try send(ShimHandshake.request)
        var parser = ResponseParser()
        while true {
            let bytes = try receive()
            bytes.withUnsafeBytes { parser.append($0) }
            guard let response = try parser.next() else { continue }
            guard response.status == 101 else {
                throw Failure(
                    message: "the bridge refused this program: \(String(decoding: response.body, as: UTF8.self))")
            }
            return
        }
    }

    /// Returns after the agent has started; throws if it cannot start.
    mutating func launch(_ request: LaunchRequest, _ descriptors: [Int32]) throws {
        try send(request.json() + [0x0a], descriptors)
        while try !readNotices(in: receive()) {}
    }

    /// Forwards signals to the daemon until the daemon reports the end of the agent.
    mutating func waitForEnd(_ signals: borrowing BlockedSignals) throws -> ShimNotice {
        while true {
            if let end { return end }
            var waits = [
                pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor.raw, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waits, 2, -1) > 0 else { continue }
            // Read the end notice first: it can be the last message that can be read.
            if waits[0].revents != 0 { _ = try readNotices(in: receive()) }
            if waits[1].revents != 0 { forward(signals.next()) }
        }
    }

    /// Ignores a send error. The daemon has either sent the reason or gone away, and the next read shows which.
    private mutating func forward(_ signal: Int32) {
        guard signal > 0 else { return }
        hasForwarded = true
        try? send(ShimSignal(signal: signal).json() + [0x0a])
    }

    /// Returns true if the bytes contained a notice.
    private mutating func readNotices(in bytes: [UInt8]) -> Bool {
        var notices: [ShimNotice] = []
        lines.split(bytes.span) { line in
            guard case .line(let line) = line else { return }
            if let notice = ShimNotice(json: line.withUnsafeBufferPointer { Array($0) }) { notices.append(notice) }
        }
        for notice in notices {
            if case .started = notice { continue }
            end = notice
        }
        return !notices.isEmpty
    }

    private func send(_ bytes: [UInt8], _ descriptors: [Int32] = []) throws {
        do throws(SystemError) {
            try DescriptorPassing.send(bytes, with: descriptors, on: socket.raw)
        } catch {
            throw ConnectionEnded()
        }
    }

    private func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            if count > 0 { return Array(buffer.prefix(count)) }
            if count < 0, errno == EINTR { continue }
            throw ConnectionEnded()
        }
    }
}
