import Glibc

/// Writes results to stdout and messages for a person to stderr.
package enum Output {
    package static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    package static func note(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Shows one line that overwrites itself, on a terminal only. An empty text clears it.
    package static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1b}[K" + text, to: STDERR_FILENO)
    }

    private static func write(_ text: String, to fd: Int32) {
        try? BlockingWrite.all(Array(text.utf8), to: fd)
    }
}
