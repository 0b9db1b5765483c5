import Diagnostics
import EventLoop
import Glibc
import Posix

/// Passes the errors of a program that should replace this one to the log. Otherwise they would be prose on standard
/// error, where a reader of the log does not look for them or expects only JSON.
@LoopActor final class ReplacementReport: PollHandler {
    /// The messages of a program that does not start are short.
    private static let limitBytes = 16 << 10

    private let errors: Descriptor
    private let messages: OperatorMessages
    private let ended: @LoopActor (ReplacementReport) -> Void
    private var text: [UInt8] = []
    private var watch: Watch?

    /// - Parameters:
    ///   - errors: The read end of the program's standard error.
    ///   - ended: Called once, after the program has closed its standard error.
    init(
        _ errors: consuming Descriptor, _ messages: OperatorMessages, poller: any Poller = LoopServices.main.poller,
        ended: @escaping @LoopActor (ReplacementReport) -> Void
    ) throws(SystemError) {
        setNonBlocking(errors.raw)
        self.errors = errors
        self.messages = messages
        self.ended = ended
        watch = try poller.watch(self.errors.raw, .readable, self)
    }

    func pollReady(_ watch: Watch, _ readiness: Readiness) {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(errors.raw, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { break }
            text += chunk.prefix(min(count, Self.limitBytes - text.count))
        }
        self.watch?.cancel()
        self.watch = nil
        report()
        ended(self)
    }

    private func report() {
        for line in text.split(separator: 0x0a).map({ String(decoding: $0, as: UTF8.self) }) {
            if line.hasPrefix("Error: ") {
                messages.warn("the bridge was not replaced: \(line.dropFirst("Error: ".count))")
            } else {
                messages.warn(line.hasPrefix("Warning: ") ? String(line.dropFirst("Warning: ".count)) : line)
            }
        }
    }
}
