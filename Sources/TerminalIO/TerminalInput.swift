import Glibc
import Synchronization
import TinyvexSockets

/// Reads the user's input line by line.
package final class TerminalInput: Sendable {
    package enum Event: Equatable {
        case line(String)
        /// The user pressed Ctrl-D, or the terminal was closed.
        case end
        /// The task was cancelled.
        case cancelled
    }

    private static let lineLimitBytes = 64 << 10

    /// The beginning of a line that has not been ended yet. A line longer than the limit is returned in pieces.
    private let partial = Mutex<[UInt8]>([])

    package init() {}

    /// True if standard input and standard output are both terminals.
    package static var isAvailable: Bool { Console.isTerminal(STDIN_FILENO) && Console.isTerminal(STDOUT_FILENO) }

    /// The kernel stops a background process that reads from its terminal.
    package static var isInForeground: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group < 0 || group == getpgrp()
    }

    /// Discards input that was typed before a question was shown, because it is not an answer to that question.
    package func forget() {
        tcflush(STDIN_FILENO, TCIFLUSH)
        partial.withLock { $0 = [] }
    }

    package func next(_ loop: ClientLoop) async -> Event {
        while true {
            if let line = partial.withLock({ Self.takeLine(&$0) }) { return .line(line) }
            guard await loop.wait(for: Int32(POLLIN), on: STDIN_FILENO) else { return .cancelled }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return .end }
            partial.withLock { $0 += buffer.prefix(count) }
        }
    }

    private static func takeLine(_ bytes: inout [UInt8]) -> String? {
        let end = bytes.firstIndex(of: 0x0a)
        guard let end = end ?? (bytes.count >= lineLimitBytes ? bytes.count : nil) else { return nil }
        defer { bytes.removeFirst(min(end + 1, bytes.count)) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
