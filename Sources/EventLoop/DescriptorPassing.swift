import CShims
import Glibc

/// Descriptors sent over a Unix socket (`SCM_RIGHTS`, unix(7)).
public enum DescriptorPassing {
    /// More than a process's three standard streams is never sent here.
    public static let limit = 3

    /// Sends all of `bytes` on a blocking socket, the descriptors with the first of them. They stay the caller's too.
    public static func send(_ bytes: [UInt8], with fds: [Int32], on socket: Int32) throws(SystemError) {
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

    /// Receives what is there without blocking; descriptors that came with it are appended to `fds`, which owns them.
    public static func receive(
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
    /// The same pipe or socket as a descriptor whose non-blocking mode is its own affair.
    ///
    /// A pipe is opened anew through `/proc`, which gives it flags of its own; a socket is read and written with
    /// per-call flags, so a duplicate will do. Anything else (a terminal, a file) gives nil.
    public static func independent(of fd: Int32, writing: Bool) -> Descriptor? {
        let raw: Int32
        switch DescriptorKind(of: fd) {
        case .pipe: raw = open("/proc/self/fd/\(fd)", (writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_CLOEXEC)
        case .socket: raw = fcntl(fd, F_DUPFD_CLOEXEC, 3)
        case .other: return nil
        }
        return raw >= 0 ? Descriptor(owning: raw) : nil
    }
}
