import Glibc

/// The process's own output. stdout carries what was asked for, stderr what is said to the person.
enum Console {
    enum WriteError: Error {
        /// Whoever read has gone: the end of a pipe like `| head -3`, and no fault.
        case readerGone
        case failed(Int32)
    }

    static func write(_ bytes: [UInt8], to fd: Int32 = STDOUT_FILENO) throws(WriteError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw errno == EPIPE ? .readerGone : .failed(errno)
            }
        }
    }

    static func print(_ line: String) throws(WriteError) { try write(Array((line + "\n").utf8)) }

    /// To the person; nobody to hear it is no fault.
    static func say(_ line: String) { try? write(Array((line + "\n").utf8), to: STDERR_FILENO) }

    static func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }
}
