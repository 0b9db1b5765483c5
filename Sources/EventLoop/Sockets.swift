import CShims
import Glibc
import Posix

/// The address on which a listener listens or to which a client connects.
package enum SocketAddress: Equatable, Sendable, CustomStringConvertible {
    case unix(path: String)
    /// An IPv4 or IPv6 address as text, without brackets. With port 0, the system chooses a free port.
    case ip(host: String, port: UInt16)

    package var description: String {
        switch self {
        case .unix(let path): path
        case .ip(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    /// The address in the system's format.
    func encoded() throws(SystemError) -> EncodedAddress {
        switch self {
        case .unix(let path): return try Self.encodeUnix(path)
        case .ip(let host, let port): return try Self.encodeIP(host, port)
        }
    }

    private static func encodeUnix(_ path: String) throws(SystemError) -> EncodedAddress {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError("socket path too long", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return EncodedAddress(address, family: AF_UNIX)
    }

    private static func encodeIP(_ host: String, _ port: UInt16) throws(SystemError) -> EncodedAddress {
        var v4 = sockaddr_in()
        if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            return EncodedAddress(v4, family: AF_INET)
        }
        var v6 = sockaddr_in6()
        guard inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 else { throw SystemError("address", code: EINVAL) }
        v6.sin6_family = sa_family_t(AF_INET6)
        v6.sin6_port = port.bigEndian
        return EncodedAddress(v6, family: AF_INET6)
    }
}

struct EncodedAddress {
    let family: Int32
    private var storage = sockaddr_storage()
    private let length: socklen_t

    fileprivate init<Address>(_ address: Address, family: Int32) {
        self.family = family
        length = socklen_t(MemoryLayout<Address>.size)
        withUnsafeBytes(of: address) { source in
            withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: source) }
        }
    }

    func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

package enum Sockets {
    /// Creates a non-blocking listening socket. For a Unix path, the file must not exist yet; it gets mode 0600.
    package static func listen(on address: SocketAddress) throws(SystemError) -> Descriptor {
        let encoded = try address.encoded()
        let descriptor = try open(encoded.family, flags: SOCK_NONBLOCK)
        setOption(descriptor.raw, SOL_SOCKET, SO_REUSEADDR)
        guard encoded.withPointer({ bind(descriptor.raw, $0, $1) }) == 0 else { throw SystemError("bind") }
        if case .unix(let path) = address { chmod(path, 0o600) }
        guard Glibc.listen(descriptor.raw, 1024) == 0 else { throw SystemError("listen") }
        return descriptor
    }

    /// Creates a connected, blocking socket. Throws a refusal if another user listens on a Unix path.
    package static func connect(to address: SocketAddress) throws(SystemError) -> Descriptor {
        let encoded = try address.encoded()
        let descriptor = try open(encoded.family, flags: SOCK_CLOEXEC)
        while encoded.withPointer({ Glibc.connect(descriptor.raw, $0, $1) }) != 0 {
            guard errno == EINTR else { throw SystemError("connect") }
        }
        try finishConnecting(descriptor.raw, to: address)
        return descriptor
    }

    /// Creates a non-blocking socket that has started to connect. When it is writable, ``connectError(of:)`` returns
    /// the outcome.
    ///
    /// Throws `EAGAIN` when a Unix listener's queue is full. A Unix socket is connected at once, and
    /// refused if another user listens.
    package static func beginConnecting(to address: SocketAddress) throws(SystemError) -> Descriptor {
        let encoded = try address.encoded()
        let descriptor = try open(encoded.family, flags: SOCK_NONBLOCK)
        if encoded.withPointer({ Glibc.connect(descriptor.raw, $0, $1) }) != 0 {
            // A Unix socket that was still connecting would leave without its check; unix(7) knows none.
            let isUnderWay = errno == EINPROGRESS || errno == EINTR
            guard isUnderWay, encoded.family != AF_UNIX else { throw SystemError("connect") }
        }
        try finishConnecting(descriptor.raw, to: address)
        return descriptor
    }

    /// The only way out for each function that connects: no caller gets another user's Unix socket.
    private static func finishConnecting(_ fd: Int32, to address: SocketAddress) throws(SystemError) {
        switch address {
        case .unix(let path): try ListenerTrust.check(fd, path: path)
        case .ip: setNoDelay(fd)
        }
    }

    /// The reason why the connection failed, or nil when the socket is connected.
    package static func connectError(of fd: Int32) -> SystemError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length)
        return code == 0 ? nil : SystemError("connect", code: code)
    }

    private static func open(_ family: Int32, flags: __socket_type) throws(SystemError) -> Descriptor {
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags.rawValue
        let fd = socket(family, Int32(type), 0)
        guard fd >= 0 else { throw SystemError("socket") }
        return Descriptor(owning: fd)
    }

    /// Accepts the next connection, non-blocking. Nil when none is waiting.
    package static func accept(on listener: borrowing Descriptor) throws(SystemError) -> Descriptor? {
        let fd = cshims_accept(listener.raw)
        if fd >= 0 { return Descriptor(owning: fd) }
        switch errno {
        case EAGAIN, EINTR, ECONNABORTED: return nil
        default: throw SystemError("accept")
        }
    }

    /// The port of a TCP listener.
    package static func localPort(of descriptor: borrowing Descriptor) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor.raw, $0, &length) }
        }
        return UInt16(bigEndian: address.sin6_port)
    }

    /// The user at the other end of a Unix socket, or nil for any other socket.
    package static func peerUser(of fd: Int32) -> uid_t? {
        let user = cshims_peer_user(fd)
        return user >= 0 ? uid_t(user) : nil
    }

    package static func setNoDelay(_ fd: Int32) { setOption(fd, Int32(IPPROTO_TCP), TCP_NODELAY) }

    private static func setOption(_ fd: Int32, _ level: Int32, _ option: Int32) {
        var one: Int32 = 1
        setsockopt(fd, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}
