import CShims
import Glibc
import Posix

/// A listening socket that a service manager created and passed to this process.
package struct PassedSocket: Sendable, Equatable {
    package let fd: Int32
    package let address: SocketAddress

    /// Makes the descriptor non-blocking and private to this process.
    ///
    /// - Throws: An error if the descriptor is not a listening stream socket with a Unix or IP address.
    package init(fd: Int32) throws(SystemError) {
        guard Self.option(SO_TYPE, of: fd) == Int32(SOCK_STREAM.rawValue), Self.option(SO_ACCEPTCONN, of: fd) == 1
        else {
            throw SystemError("descriptor \(fd) is not a listening stream socket", code: EINVAL)
        }
        guard let address = Self.address(of: fd) else {
            throw SystemError("descriptor \(fd) has no address of a known kind", code: EAFNOSUPPORT)
        }
        guard fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0, fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 else {
            throw SystemError("fcntl")
        }
        self.fd = fd
        self.address = address
    }

    private static func option(_ name: Int32, of fd: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(fd, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func address(of fd: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failed = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
        }
        guard failed == 0 else { return nil }
        let bytes = withUnsafeBytes(of: storage) { Array($0.prefix(Int(length))) }
        switch Int32(storage.ss_family) {
        case AF_UNIX:
            let path = bytes.dropFirst(2).prefix { $0 != 0 }
            return path.isEmpty ? nil : .unix(path: String(decoding: path, as: UTF8.self))
        case AF_INET: return ip(bytes, AF_INET, offset: 4)
        case AF_INET6: return ip(bytes, AF_INET6, offset: 8)
        default: return nil
        }
    }

    /// - Parameter offset: Where the address is in the structure; the port is at 2 in each (ip(7), ipv6(7)).
    private static func ip(_ bytes: [UInt8], _ family: Int32, offset: Int) -> SocketAddress? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isValid = bytes.withUnsafeBytes { buffer in
            buffer.count > offset
                && inet_ntop(family, buffer.baseAddress?.advanced(by: offset), &text, socklen_t(text.count)) != nil
        }
        guard isValid else { return nil }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return .ip(host: host, port: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
    }
}
