import Glibc

/// Writes all bytes, even if the pipe accepts them in parts. If the reader has closed, SIGPIPE ends the agent.
func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
        }
        if count > 0 {
            sent += count
        } else if errno == EAGAIN {
            waitUntilWritable(descriptor)
        } else if errno != EINTR {
            terminate(code: 74)
        }
    }
}

func write(_ text: String, to descriptor: Int32) {
    write(Array(text.utf8), to: descriptor)
}

/// The bytes that are available now, at most 64 KiB. Empty at the end of the stream.
func readChunk(from descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count >= 0 { return Array(buffer[..<count]) }
        if errno != EINTR { return [] }
    }
}

/// Exits without flushing, unwinding or running exit handlers, like a crash.
func terminate(code: Int32) -> Never {
    _exit(code)
}

/// Reads stdin line by line, without LF. The length is unlimited, because the tests control the input.
struct LineReader {
    private var buffer: [UInt8] = []
    /// The number of bytes at the buffer's start without an LF. It keeps very long lines linear.
    private var searched = 0
    private var isAtEnd = false

    /// The next line, including a last one without LF. Nil at the end.
    mutating func next() -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) { return takeLine(upTo: end) }
            searched = buffer.count
            guard !isAtEnd else { return takeRest() }
            let chunk = readChunk(from: 0)
            isAtEnd = chunk.isEmpty
            buffer += chunk
        }
    }

    private mutating func takeLine(upTo end: Int) -> [UInt8] {
        defer { buffer.removeFirst(end + 1) }
        searched = 0
        return Array(buffer[..<end])
    }

    private mutating func takeRest() -> [UInt8]? {
        defer { buffer = [] }
        searched = 0
        return buffer.isEmpty ? nil : buffer
    }
}

private func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&entry, 1, -1)
}
