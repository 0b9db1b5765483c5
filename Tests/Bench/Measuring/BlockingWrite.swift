import EventLoop
import Glibc
import Posix

/// Writes that return after all bytes are written, regardless of the descriptor's flags.
package enum BlockingWrite {
    package static func all(_ bytes: [UInt8], to fd: Int32) throws(SystemError) {
        let outcome: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try all(buffer, to: fd) }
        }
        try outcome.get()
    }

    package static func all(_ bytes: UnsafeRawBufferPointer, to fd: Int32) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            let count = write(fd, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw SystemError("write")
            }
        }
    }
}
