import Glibc

/// Results on stdout, everything said to a person on stderr.
enum Output {
    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func say(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// One line that overwrites itself, on a terminal only; empty to clear it.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r\u{1b}[K" + text, to: STDERR_FILENO)
    }

    private static func write(_ text: String, to fd: Int32) {
        try? BlockingWrite.all(Array(text.utf8), to: fd)
    }
}
