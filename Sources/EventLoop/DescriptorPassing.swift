import CShims
import Glibc
import Posix

/// Sends descriptors over a Unix socket (`SCM_RIGHTS`, unix(7)).
package enum DescriptorPassing {
    /// The maximum number of descriptors: a process's three standard streams.
    package static let limit = 3

    /// Sends all of `bytes` on a blocking socket, with the descriptors attached to the first byte. The caller keeps its
    /// descriptors.
    package static func send(_ bytes: [UInt8], with fds: [Int32], on socket: Int32) throws(SystemError) {
        var rest = bytes[...]
        var fds = fds
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                cshims_send_descriptors(socket, $0.baseAddress, $0.count, fds, Int32(fds.count))
            }
            if sent < 0, errno == EINTR { continue }
            guard sent >= 0 else { throw SystemError("sendmsg") }
            rest = rest.dropFirst(sent)
            fds = []
        }
    }

    /// Receives the available bytes without blocking. Descriptors that arrive with them are appended to `fds`, which
    /// owns them.
    package static func receive(
        into buffer: UnsafeMutableRawBufferPointer, on socket: Int32, appendingTo fds: inout [Int32]
    ) -> ReadOutcome {
        var received: [Int32] = [-1, -1, -1]
        var receivedCount: Int32 = 0
        let room = max(0, limit - fds.count)
        let count = cshims_receive_descriptors(
            socket, buffer.baseAddress, buffer.count, &received, Int32(room), &receivedCount)
        let code = errno
        fds.append(contentsOf: received.prefix(Int(receivedCount)))
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        return code == EAGAIN || code == EINTR ? .wouldBlock : .failed(SystemError("recvmsg", code: code))
    }
}

extension Descriptor {
    /// A descriptor for the same pipe or socket with an independent non-blocking mode.
    ///
    /// A pipe is opened again through `/proc`, which gives it its own flags. A socket is duplicated, because it is read
    /// and written with per-call flags. For anything else (a terminal, a file) the result is nil.
    package static func independent(of fd: Int32, writing: Bool) -> Descriptor? {
        let raw: Int32
        switch DescriptorKind(of: fd) {
        case .pipe: raw = open("/proc/self/fd/\(fd)", (writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_CLOEXEC)
        case .socket: raw = fcntl(fd, F_DUPFD_CLOEXEC, 3)
        case .other: return nil
        }
        return raw >= 0 ? Descriptor(owning: raw) : nil
    }
}
