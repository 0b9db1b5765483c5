import Glibc

/// The process's own output. stdout carries what was asked for, stderr what is said to the person.
enum Console {
    enum WriteError: Error, CustomStringConvertible {
        /// Whoever read has gone: the end of a pipe like `| head -3`, and no fault.
        case readerGone
        case failed(Int32)

        var description: String {
            switch self {
            case .readerGone: "the output's reader has gone"
            case .failed(let code): "the output cannot be written: \(String(cString: strerror(code)))"
            }
        }
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

    /// How wide the terminal is; nil for a file, a pipe, or a terminal that does not tell.
    static func columns(_ fd: Int32) -> Int? {
        var size = winsize()
        guard ioctl(fd, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }
}
