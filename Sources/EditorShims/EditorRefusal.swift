import Glibc
import JSONRPC
import JSONScan
import Posix
import TerminalIO

/// The answer of a program that cannot serve its editor. Editors show the error of `initialize`, and many hide the standard
/// error of the program.
enum EditorRefusal {
    /// Editors send `initialize` at once. Without a request within this time, nothing is answered.
    private static let patience = Duration.seconds(5)
    /// A longer line is ignored. 1 MiB is far more than `initialize` has.
    private static let lineLimitBytes = 1 << 20
    private static let chunkBytes = 64 << 10

    /// Answers the editor's first request with an error. Does nothing in a terminal.
    static func send(_ message: String) {
        guard !Console.isTerminal(STDIN_FILENO), let id = firstRequest() else { return }
        let line = MessageText.errorResponse(id: id, code: .resourceNotFound, message: "acpbridge: \(message)")
        // An editor that has left needs no answer.
        try? Console.transfer(line + [0x0a], to: STDOUT_FILENO)
    }

    /// Reads the editor's input up to its first request. Nil if none comes in time.
    private static func firstRequest() -> RequestID? {
        let deadline = ContinuousClock.now + patience
        var lines = LineSplitter(limitBytes: lineLimitBytes)
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        var found: RequestID?
        while found == nil, waitForInput(until: deadline) {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            guard count > 0 else { return nil }
            lines.split(chunk.span.extracting(..<count)) { line in
                if found == nil { found = requestID(line) }
            }
        }
        return found
    }

    private static func requestID(_ line: borrowing LineSplitter.Line) -> RequestID? {
        switch line {
        case .line(let line):
            guard let envelope = try? scanEnvelope(line), envelope.method != nil, let range = envelope.id else {
                return nil
            }
            return RequestID(in: line, at: range)
        case .oversized: return nil
        }
    }

    private static func waitForInput(until deadline: ContinuousClock.Instant) -> Bool {
        let left = (deadline - .now) / .milliseconds(1)
        var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return left > 0 && poll(&wait, 1, Int32(left.rounded(.up))) > 0
    }
}
