import Glibc
import Posix
import TerminalText

/// Shows on a terminal how far a command is that takes longer than a second.
///
/// The line is on stderr and is replaced by the next one. Without a terminal nothing is written, so scripts and logs see
/// no difference.
package struct Progress {
    /// A person expects an answer within this time.
    private static let silence = Duration.seconds(1)
    private static let interval = Duration.milliseconds(200)

    private let isShown: Bool
    /// The next time at which ``update(_:)`` shows something.
    private var next: Instant
    private var isOnScreen = false

    /// - Parameter isShown: False if other output goes to the same terminal.
    package init(isShown: Bool = true) {
        self.isShown = isShown && Console.isTerminal(STDERR_FILENO)
        next = Instant.now + Self.silence
    }

    /// Shows a line, unless the last one is newer than 200 ms.
    package mutating func update(_ text: @autoclosure () -> TerminalText) {
        guard isShown, Instant.now >= next else { return }
        next = Instant.now + Self.interval
        isOnScreen = true
        let columns = Console.columns(STDERR_FILENO) ?? 80
        Console.reportInPlace(TerminalText(oneLine: String(text().text.prefix(columns - 1))))
    }

    /// Removes the line. Call before other output, and at the end.
    package mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        Console.reportInPlace("")
    }
}
