import Glibc
import TerminalText

/// Questions that a person answers with yes or no.
extension Console {
    /// A person can read a question and answer it.
    package static var canAsk: Bool { isTerminal(STDIN_FILENO) && isTerminal(STDERR_FILENO) }

    /// Asks a question, and returns whether the answer is `y` or `yes`.
    package static func confirms(_ question: TerminalText) -> Bool {
        report(question)
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}
