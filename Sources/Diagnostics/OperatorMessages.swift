import Posix

/// Reports sentences to the person who runs the daemon. A person at a terminal sees them as they are. They become
/// events if the log is in a file, or if a program reads the log.
package struct OperatorMessages: Sendable {
    private let log: DiagnosticLog
    /// False if standard error must contain only JSON, or if the journal gets it, too.
    private let printsSentences: Bool
    /// False if standard error already has the sentences.
    private let logsSentences: Bool
    private let printLine: @Sendable (String) -> Void
    /// Standard error, if it is a file with a limit.
    private let standardError: FileOutput?

    /// Starts the log.
    ///
    /// - Parameters:
    ///   - file: The file to append to; nil for standard error.
    ///   - limitBytes: The size at which the file is renamed.
    ///   - standardError: Standard error, if it is a file with a limit. Nil for a terminal or a pipe.
    ///   - printLine: Writes a line to standard error.
    package init(
        starting log: DiagnosticLog = .daemon, _ level: DiagnosticLevel, _ format: DiagnosticFormat, file: String?,
        limitBytes: Int = FileOutput.limitBytes, standardError: FileOutput? = nil,
        printLine: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        log.start(level, format, write: try Self.output(format, file, limitBytes, standardError))
        self.log = log
        self.standardError = standardError
        self.printLine = printLine
        printsSentences = file != nil || format == .text
        logsSentences = file != nil || format != .text
    }

    private static func output(
        _ format: DiagnosticFormat, _ file: String?, _ limitBytes: Int, _ standardError: FileOutput?
    ) throws(SystemError) -> @Sendable ([UInt8]) -> Int {
        if let file { return try FileOutput(file, limitBytes: limitBytes).write }
        if format == .journald { return try JournalOutput().write }
        return standardError?.write ?? DescriptorOutput.standardError.write
    }

    /// Reports a fault with which the daemon can continue.
    package func warn(_ sentence: String) { report(sentence, "Warning: \(sentence)") }

    /// Reports the state in which an earlier daemon was found.
    package func report(_ sentence: String) { report(sentence, sentence) }

    private func report(_ sentence: String, _ line: String) {
        if printsSentences {
            standardError?.rotateIfFull()
            printLine(line)
        }
        if logsSentences { log.record(.warned(sentence)) }
    }
}
