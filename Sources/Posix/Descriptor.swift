import CShims
import Glibc

/// The only owner of an open file descriptor, which is closed when this value goes out of scope.
package struct Descriptor: ~Copyable, Sendable {
    package let raw: Int32

    /// Takes ownership of `raw`. The previous owner must not close it.
    package init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// Returns the descriptor without closing it.
    package consuming func release() -> Int32 {
        let raw = self.raw
        discard self
        return raw
    }
}

/// The two ends of a blocking, close-on-exec pipe.
package struct Pipe: ~Copyable {
    package let readEnd: Descriptor
    package let writeEnd: Descriptor

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard cshims_pipe(&ends) == 0 else { throw SystemError("pipe") }
        readEnd = Descriptor(owning: ends[0])
        writeEnd = Descriptor(owning: ends[1])
    }

    /// Raises the capacity, which saves wake-ups in bursts. If the system refuses (the user's quota), the pipe is
    /// unchanged.
    package func raiseCapacity(toBytes bytes: Int) {
        _ = cshims_set_pipe_capacity(readEnd.raw, Int32(clamping: bytes))
    }

    package consuming func ends() -> (read: Int32, write: Int32) { (readEnd.release(), writeEnd.release()) }
}

/// The kind of file behind a descriptor, as far as it matters for non-blocking I/O.
package enum DescriptorKind: Sendable {
    case pipe, socket, other

    package init(of fd: Int32) {
        var status = stat()
        guard fstat(fd, &status) == 0 else { self = .other; return }
        switch status.st_mode & S_IFMT {
        case S_IFIFO: self = .pipe
        case S_IFSOCK: self = .socket
        default: self = .other
        }
    }
}

package func setNonBlocking(_ fd: Int32) {
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
}
