import Glibc
import Posix
import TerminalText

/// Shows on a terminal that a command waits, if it waits for longer than a second.
package enum Waiting {
    private static let silence = Duration.seconds(1)
    private static let interval = Duration.milliseconds(500)

    /// The two ends of the wait.
    private final class Signals: Sendable {
        let finished = Semaphore()
        let cleared = Semaphore()
    }

    /// Runs `body`. Meanwhile another thread shows the text and the seconds on stderr, if that is a terminal.
    ///
    /// - Parameter text: The activity: `Stopping the bridge`.
    package static func show<Value>(_ text: TerminalText, _ body: () throws -> Value) rethrows -> Value {
        let end = begin(text)
        defer { end() }
        return try body()
    }

    /// The same for work that suspends.
    package static func show<Value>(_ text: TerminalText, _ body: () async throws -> Value) async rethrows -> Value {
        let end = begin(text)
        defer { end() }
        return try await body()
    }

    /// Starts the thread. Returns a function that ends it and removes the text, which must be called once.
    private static func begin(_ text: TerminalText) -> () -> Void {
        guard Console.isTerminal(STDERR_FILENO) else { return {} }
        let signals = Signals()
        let start = Instant.now
        let hasThread: Void? = try? DetachedThread.start(name: "waiting") {
            defer { signals.cleared.post() }
            guard !signals.finished.wait(for: silence) else { return }
            repeat {
                Console.reportInPlace("\(text) (\((Instant.now - start).components.seconds) s)")
            } while !signals.finished.wait(for: interval)
            Console.reportInPlace("")
        }
        return {
            signals.finished.post()
            if hasThread != nil { signals.cleared.wait() }
        }
    }
}
