import AgentProcess
import EventLoop
import Glibc
import JSONRPC
import Posix

/// A program that was started here and that communicates in lines. It does not outlive this object or this process.
package final class RunningProgram {
    /// Far more than any step here takes.
    package static let patience = Duration.seconds(30)

    package let startedAt: Instant
    package let pid: pid_t
    private var process: ChildProcess
    private var input: ByteStream?
    private var output: ByteStream?
    private var error: ByteStream?
    private var isReaped = false
    private var lines = LineSplitter(limitBytes: 1 << 20)
    private var waiting: [[UInt8]] = []
    private let command: [String]

    package init(_ command: [String], environment: [SystemString]) throws {
        let words = command.map { SystemString($0) }
        startedAt = .now
        var process = try ChildProcess.spawn(SpawnRequest(command: words, directory: "/", environment: environment))
        pid = process.pid
        input = process.takeInput()
        output = process.takeOutput()
        error = process.takeError()
        self.process = process
        self.command = command
    }

    deinit { if !isReaped { _ = process.reap() } }

    package var outputDescriptor: Int32 { if let fd = output?.fd { fd } else { -1 } }
    private var errorDescriptor: Int32 { if let fd = error?.fd { fd } else { -1 } }

    // MARK: Lines

    package func send(_ line: [UInt8]) throws {
        guard let fd = input?.fd else { throw failure("its input is closed") }
        try BlockingWrite.all(line + [0x0a], to: fd)
    }

    /// Waits for the next line of its output and returns it.
    package func nextLine() throws -> [UInt8] {
        let deadline = Instant.now + Self.patience
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while waiting.isEmpty {
            try Waiting.readable(outputDescriptor, until: deadline)
            let count = try read(into: &buffer)
            guard count > 0 else { throw failure("it has ended") }
            lines.split(buffer.span.extracting(0..<count)) { line in
                if case .line(let line) = line { waiting.append(line.withUnsafeBufferPointer { Array($0) }) }
            }
        }
        return waiting.removeFirst()
    }

    private func read(into buffer: inout [UInt8]) throws -> Int {
        let count = Glibc.read(outputDescriptor, &buffer, buffer.count)
        guard count >= 0 else { throw SystemError("read") }
        return count
    }

    // MARK: The end

    package func closeInput() { input = nil }

    /// True when the program has ended by itself but was not waited for yet.
    package var hasEnded: Bool {
        var wait = pollfd(fd: process.exitDescriptor.raw, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 0) > 0
    }

    package func signal(_ signal: Int32) { process.signalGroup(signal) }

    /// Waits until the program has ended by itself. Kills it when that takes too long.
    package func waitForEnd() throws {
        guard !isReaped else { return }
        let outcome = Result { try Waiting.readable(process.exitDescriptor.raw, until: .now + Self.patience) }
        isReaped = true
        let status = process.reap()
        try outcome.get()
        guard status == .exited(code: 0) else { throw failure("it ended with \(status)") }
    }

    /// A failure that includes the program's stderr output.
    package func failure(_ what: String) -> BenchFailure {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(errorDescriptor, &buffer, buffer.count)
        let output = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return BenchFailure("\(command.joined(separator: " ")): \(what)\(output.isEmpty ? "" : ": \(output)")")
    }
}
