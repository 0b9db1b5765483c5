import Agents
import Bridge
import Clients
import EventLoop
import Glibc
import HTTP1
import JSONRPC
import Posix

/// The stdio shim's end of its connection to the daemon.
struct DaemonLink: ~Copyable {
    private let socket: Descriptor
    private var lines = LineSplitter(limitBytes: 1 << 20)
    /// The final notice, if it has already arrived.
    private var end: FrontNotice?

    /// The daemon has ended the connection.
    struct Gone: Error, CustomStringConvertible {
        var description: String { "the bridge has gone, and the agent with it; a new start brings both back" }
    }

    init(_ socket: consuming Descriptor) throws {
        self.socket = socket
        try send(FrontHandshake.request)
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
        while try !take(receive()) {}
    }

    /// Forwards signals to the daemon until the daemon reports the end of the agent.
    mutating func waitForEnd(_ signals: borrowing BlockedSignals) throws -> FrontNotice {
        while true {
            if let end { return end }
            var waits = [
                pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor.raw, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waits, 2, -1) > 0 else { continue }
            // Read the end notice first: it can be the last message that can be read.
            if waits[0].revents != 0 { _ = try take(receive()) }
            if waits[1].revents != 0 { pass(signals.next()) }
        }
    }

    /// Ignores a send error. The daemon has either sent the reason or gone away, and the next read shows which.
    private func pass(_ signal: Int32) {
        if signal > 0 { try? send(FrontSignal(signal: signal).json() + [0x0a]) }
    }

    /// Returns true if the bytes contained a notice.
    private mutating func take(_ bytes: [UInt8]) -> Bool {
        var notices: [FrontNotice] = []
        lines.split(bytes.span) { line in
            guard case .line(let line) = line else { return }
            if let notice = FrontNotice(json: line.withUnsafeBufferPointer { Array($0) }) { notices.append(notice) }
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
            throw Gone()
        }
    }

    private func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            if count > 0 { return Array(buffer.prefix(count)) }
            if count < 0, errno == EINTR { continue }
            throw Gone()
        }
    }
}
