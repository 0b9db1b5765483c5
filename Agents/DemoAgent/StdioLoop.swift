import Glibc
import JSONRPC

/// The agent's single thread, which handles stdin, stdout and the clock.
struct StdioLoop {
    /// 64 MiB, the size of the largest line that an ACP client is known to send. Longer lines are answered with an
    /// error.
    static let lineLimitBytes = 64 << 20

    private var machine: AgentMachine
    private let folder: SessionFolder?
    private let start = ContinuousClock.now

    init(machine: AgentMachine, folder: SessionFolder?) {
        self.machine = machine
        self.folder = folder
    }

    /// Runs until stdin ends. Requests that arrived before are answered, but running turns are not finished.
    mutating func run() {
        var splitter = LineSplitter(limitBytes: Self.lineLimitBytes)
        while waitAndRead(&splitter) {
            machine.advance(to: elapsed)
            flush()
        }
        splitter.finish { handle($0) }
    }

    private var elapsed: Duration { ContinuousClock.now - start }

    /// Returns false at the end of stdin.
    private mutating func waitAndRead(_ splitter: inout LineSplitter) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&input, 1, timeoutMilliseconds())
        // After a failed poll, `revents` is not valid.
        guard count > 0 else { return count == 0 || errno == EINTR }
        return readInput(&splitter)
    }

    /// Rounded up, so that the turn is due when `poll` returns.
    private func timeoutMilliseconds() -> Int32 {
        guard let wake = machine.wake else { return -1 }
        let rest = wake - elapsed
        guard rest > .zero else { return 0 }
        return Int32(clamping: Int64((rest / .milliseconds(1)).rounded(.up)))
    }

    private mutating func readInput(_ splitter: inout LineSplitter) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        splitter.split(buffer.span.extracting(..<count)) { handle($0) }
        return true
    }

    /// Writes the output after each line, because one response can be as long as a whole conversation.
    private mutating func handle(_ line: borrowing LineSplitter.Line) {
        switch line {
        case .line(let bytes): machine.receive(bytes.withUnsafeBufferPointer(Array.init), at: elapsed)
        case .oversized(let byteCount):
            machine.receiveOversizedLine(byteCount: byteCount, limitBytes: Self.lineLimitBytes)
        }
        flush()
    }

    private mutating func flush() {
        for id in machine.takeDeletedIDs() { folder?.remove(id) }
        for record in machine.takeRecords() { folder?.append(record) }
        let output = machine.takeOutput()
        if !output.isEmpty { Self.write(output) }
    }

    /// If the client has closed the pipe, the agent exits by SIGPIPE or here.
    private static func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    waitUntilWritable()
                } else if errno != EINTR {
                    exit(EXIT_FAILURE)
                }
            }
        }
    }

    /// Stdout can be non-blocking, because another process that shares it can change its mode.
    private static func waitUntilWritable() {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
    }
}
