import Glibc
import TerminalText

/// Writes the process's output. stdout carries the requested data; stderr carries messages for the user.
///
/// Text for users is a `TerminalText`, which contains no foreign escape sequences. Lines for programs keep their bytes,
/// except on a terminal.
package enum Console {
    package enum WriteError: Error, CustomStringConvertible {
        /// The reader has closed the stream, for example `| head -3`. This is not an error.
        case readerClosed
        case failed(Int32)

        package var description: String {
            switch self {
            case .readerClosed: "the reader of the output closed it"
            case .failed(let code): "the output cannot be written: \(String(cString: strerror(code)))"
            }
        }
    }

    /// Writes bytes that pass through this process, such as an agent's streams to its editor. They are not filtered.
    package static func transfer(_ bytes: [UInt8], to fd: Int32) throws(WriteError) { try write(bytes, to: fd) }

    fileprivate static func write(_ bytes: [UInt8], to fd: Int32 = STDOUT_FILENO) throws(WriteError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw errno == EPIPE ? .readerClosed : .failed(errno)
            }
        }
    }

    package static func print(_ line: TerminalText) throws(WriteError) { try show(line + "\n") }

    /// Writes text without adding a line feed.
    package static func show(_ text: TerminalText) throws(WriteError) { try write(Array(text.text.utf8)) }

    /// Writes a message for the user to stderr. A terminal gets it broken at spaces. Ignores write errors, because
    /// stderr can be closed.
    package static func report(_ message: TerminalText) {
        reportWhole(WordWrap.message(message, columns: columns(STDERR_FILENO)))
    }

    /// Confirms an effect that a person does not see otherwise. A script does not get the message: it reads the exit status.
    package static func reportDone(_ message: TerminalText) {
        if isTerminal(STDERR_FILENO) { report(message) }
    }

    /// Writes lines to stderr that are shown as they are, for example those of a file.
    package static func reportWhole(_ lines: TerminalText) {
        try? write(Array((lines + "\n").text.utf8), to: STDERR_FILENO)
    }

    /// Replaces the terminal's current line on stderr with this text. Source: ECMA-48, section 8.3.41 (EL).
    static func reportInPlace(_ line: TerminalText) {
        try? write([0x0d] + Array(line.text.utf8) + Array("\u{1b}[K".utf8), to: STDERR_FILENO)
    }

    /// Prints a line for programs.
    ///
    /// - Parameter bytes: the line without its line feed.
    package static func printRecord(_ bytes: some Collection<UInt8>) throws(WriteError) {
        var output = OutputBuffer()
        try output.append(record: Array(bytes))
        try output.flush()
    }

    /// The width of the terminal; nil for a file, a pipe, or a terminal that does not report its width.
    package static func columns(_ fd: Int32) -> Int? { size(fd, \.ws_col) }

    /// The height of the terminal; nil if it is unknown, as with ``columns(_:)``.
    static func rows(_ fd: Int32) -> Int? { size(fd, \.ws_row) }

    private static func size(_ fd: Int32, _ side: KeyPath<winsize, UInt16>) -> Int? {
        var size = winsize()
        guard ioctl(fd, UInt(TIOCGWINSZ), &size) == 0, size[keyPath: side] > 0 else { return nil }
        return Int(size[keyPath: side])
    }

    package static func isTerminal(_ fd: Int32) -> Bool { isatty(fd) == 1 }

    /// True for a terminal on which colours are wanted. The variable NO_COLOR turns them off (https://no-color.org), and so
    /// does a terminal that knows no escape sequences.
    package static func hasColour(_ fd: Int32) -> Bool {
        isTerminal(fd) && wantsColour { name in getenv(name).map { String(cString: $0) } }
    }

    static func wantsColour(_ variable: (String) -> String?) -> Bool {
        (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
    }
}

/// Buffers output and writes it in large pieces.
package struct OutputBuffer {
    /// The capacity of a pipe. Larger writes gain nothing.
    private static let flushBytes = 64 << 10

    /// 64 KiB: more than a person sees at once.
    private static let openLineBytes = 64 << 10

    private let isTerminal = Console.isTerminal(STDOUT_FILENO)
    private var bytes: [UInt8] = []
    /// The last line on the terminal, if it is not ended. Of a long one, the last 32 to 64 KiB are kept.
    private var openLineText: [UInt8] = []

    package init() {}

    /// The last line, if it is not ended. Only for a terminal.
    package var openLine: String { String(decoding: openLineText, as: UTF8.self) }

    /// Appends a line for programs. The line keeps its bytes unless it goes to a terminal, because JSON can contain
    /// unescaped DEL, C1 and format characters.
    ///
    /// - Parameter record: the line without its line feed.
    package mutating func append(record: ArraySlice<UInt8>) throws(Console.WriteError) {
        if isTerminal {
            bytes.append(contentsOf: TerminalText(oneLine: String(decoding: record, as: UTF8.self)).text.utf8)
        } else {
            bytes.append(contentsOf: record)
        }
        bytes.append(0x0a)
        if bytes.count >= Self.flushBytes { try flush() }
    }

    package mutating func append(record: [UInt8]) throws(Console.WriteError) { try append(record: record[...]) }

    package mutating func append(_ text: TerminalText) throws(Console.WriteError) {
        bytes.append(contentsOf: text.text.utf8)
        if isTerminal { noteLine(text.text.utf8) }
        if bytes.count >= Self.flushBytes { try flush() }
    }

    private mutating func noteLine(_ text: String.UTF8View) {
        let end = text.lastIndex(of: 0x0a)
        if end != nil { openLineText = [] }
        openLineText += end.map { text[text.index(after: $0)...] } ?? text[...]
        if openLineText.count > Self.openLineBytes {
            openLineText.removeFirst(openLineText.count - Self.openLineBytes / 2)
        }
    }

    package mutating func flush() throws(Console.WriteError) {
        guard !bytes.isEmpty else { return }
        defer { bytes.removeAll(keepingCapacity: true) }
        try Console.write(bytes)
    }
}
