import EventLoop
import Glibc
import Posix
import Synchronization
import TestSupport

/// A proxy to a bridge that delays bytes, splits them into pieces, and breaks connections.
final class BadNetwork: Sendable {
    /// The faults of one connection, in the direction from the bridge to its client.
    struct Fault: Sendable {
        /// The maximum number of bytes that are forwarded at once.
        var pieceBytes = 64 << 10
        /// The delay before each piece.
        var delayMilliseconds: Int32 = 0
        /// The connection breaks after this total number of bytes; nil for never.
        var lifeBytes: Int?
        /// True if the break also loses the bytes in flight, as when a machine has forgotten the connection.
        var resets = false
    }

    let port: UInt16
    private let bridge: SocketAddress
    private let faults: Mutex<[Fault]>
    private let broken = Mutex(0)
    private let sent = Mutex(0)

    /// - Parameters:
    ///   - address: Where the proxy listens.
    ///   - faults: the n-th fault is for the n-th connection. Connections after the last fault have none.
    init(
        to bridge: SocketAddress, at address: SocketAddress = .ip(host: "127.0.0.1", port: 0), _ faults: [Fault]
    ) throws {
        self.bridge = bridge
        self.faults = Mutex(faults.reversed())
        let listener = try Sockets.listen(on: address)
        port = Sockets.localPort(of: listener)
        let raw = listener.release()
        // The thread runs until the tests end, because waiting for a connection cannot be interrupted.
        try DetachedThread.start(name: "bad network") { self.serve(Descriptor(owning: raw)) }
    }

    /// The number of broken connections.
    var brokenCount: Int { broken.withLock { $0 } }

    /// The number of bytes that the bridge has sent over all connections.
    var sentBytes: Int { sent.withLock { $0 } }

    private func serve(_ listener: consuming Descriptor) {
        while Self.wait(for: [listener.raw]) != nil {
            guard let client = try? Sockets.accept(on: listener) else { continue }
            Sockets.setNoDelay(client.raw)
            let raw = client.release()
            let fault = faults.withLock { $0.popLast() } ?? Fault()
            try? DetachedThread.start(name: "bad network") { self.relay(Descriptor(owning: raw), fault) }
        }
    }

    private func relay(_ client: consuming Descriptor, _ fault: Fault) {
        guard let server = try? Sockets.connect(to: bridge) else { return }
        var life = fault.lifeBytes ?? .max
        var buffer = [UInt8](repeating: 0, count: fault.pieceBytes)
        while life > 0, let ready = Self.wait(for: [client.raw, server.raw]) {
            let isFromBridge = ready == server.raw
            let count = recv(ready, &buffer, isFromBridge ? min(life, buffer.count) : buffer.count, 0)
            guard count > 0 else { return }
            if isFromBridge {
                poll(nil, 0, fault.delayMilliseconds)
                life -= count
                sent.withLock { $0 += count }
            }
            guard Self.sendAll(buffer[..<count], to: isFromBridge ? client.raw : server.raw) else { return }
        }
        broken.withLock { $0 += 1 }
        if fault.resets { Self.resetOnClose(client.raw) }
    }

    /// Returns the first descriptor that is readable or has ended.
    private static func wait(for descriptors: [Int32]) -> Int32? {
        var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&waits, nfds_t(waits.count), -1) < 0 { guard errno == EINTR else { return nil } }
        return waits.first { $0.revents != 0 }?.fd
    }

    private static func sendAll(_ bytes: ArraySlice<UInt8>, to fd: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EAGAIN {
                var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                return false
            }
        }
        return true
    }

    private static func resetOnClose(_ fd: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}

extension BadNetwork.Fault {
    /// Returns `count` faults. Each connection lives long enough for some updates.
    static func some(_ count: Int, seed: UInt64) -> [BadNetwork.Fault] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let paces: [(pieceBytes: Int, delayMilliseconds: Int32)] = [
                (1, 0), (7, 0), (300, 1), (4096, 5), (64 << 10, 20),
            ]
            let pace = paces.randomElement(using: &generator) ?? paces[0]
            return BadNetwork.Fault(
                pieceBytes: pace.pieceBytes, delayMilliseconds: pace.delayMilliseconds,
                lifeBytes: Int.random(in: 1...10_000, using: &generator), resets: Bool.random(using: &generator))
        }
    }
}
