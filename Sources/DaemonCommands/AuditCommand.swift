import Access
import CommandContext
import Invocations
import JSONScan
import Posix
import TerminalIO

/// `acpbridge audit`: checks the chain of the audit log.
package struct AuditCommand {
    private let context: ProcessContext

    /// The first bad line.
    private struct BadLine: Error {
        let path: String
        /// Counted from 1; nil for a fault at the end.
        let line: Int?
        let reason: String
    }

    package init(_ context: ProcessContext) { self.context = context }

    /// Returns the exit status: 1 if there is a bad line.
    package func run(_ options: AuditOptions) throws -> Int32 {
        let path = try options.file ?? context.home.audit
        var verifier = AuditVerifier(anchors: options.anchors.map { AuditAnchor(number: $0.number, hash: $0.hash) })
        do throws(BadLine) {
            try Self.verify(path, with: &verifier)
        } catch {
            try report(error, options)
            return 1
        }
        try report(verifier, path, options)
        return 0
    }

    private static func verify(_ path: String, with verifier: inout AuditVerifier) throws(BadLine) {
        var reader = try reading(path) { () throws(SystemError) in try AuditFileReader(path: path) }
        while let line = try reading(path, { () throws(SystemError) in try reader.next() }) {
            try checking(line.path, line.number) { () throws(AuditVerifier.Fault) in try verifier.read(line.bytes) }
        }
        try checking(path, nil) { () throws(AuditVerifier.Fault) in try verifier.finish() }
    }

    private static func reading<Value: ~Copyable>(
        _ path: String, _ body: () throws(SystemError) -> Value
    ) throws(BadLine) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            // The path is in the message already.
            throw BadLine(path: path, line: nil, reason: error.call == "open \(path)" ? error.reason : "\(error)")
        }
    }

    private static func checking(
        _ path: String, _ line: Int?, _ body: () throws(AuditVerifier.Fault) -> Void
    ) throws(BadLine) {
        do throws(AuditVerifier.Fault) {
            try body()
        } catch {
            throw BadLine(path: path, line: line, reason: error.reason)
        }
    }

    private func report(_ bad: BadLine, _ options: AuditOptions) throws {
        guard options.json else {
            return Console.report("Error: \(bad.path)\(bad.line.map { ":\($0)" } ?? ""): \(bad.reason)")
        }
        try Console.printRecord(
            JSONWriter.object { writer in
                writer.member("ok", false)
                writer.member("path", bad.path)
                writer.member("line", ifPresent: bad.line)
                writer.member("error", bad.reason)
            })
    }

    private func report(_ verifier: AuditVerifier, _ path: String, _ options: AuditOptions) throws {
        if options.json {
            return try Console.printRecord(
                JSONWriter.object { writer in
                    writer.member("ok", true)
                    writer.member("path", path)
                    writer.member("lines", verifier.chainedLines)
                    writer.member("unchainedLines", verifier.unchainedLines)
                    writer.member("first", ifPresent: verifier.firstNumber)
                    writer.member("last", ifPresent: verifier.head?.number)
                    writer.member("head", ifPresent: verifier.head?.hash)
                    writer.member("uncheckedAnchors", verifier.uncheckedAnchors)
                })
        }
        if verifier.unchainedLines > 0 {
            Console.report("Warning: \(verifier.unchainedLines) lines of earlier versions have no hashes.")
        }
        if verifier.uncheckedAnchors > 0 {
            Console.report("Warning: \(verifier.uncheckedAnchors) anchors are older than the oldest line.")
        }
        guard let head = verifier.head, let first = verifier.firstNumber else {
            return try Console.print("\(path): no lines with hashes.")
        }
        try Console.print("\(path): lines \(Int(first)) to \(Int(head.number)) are complete.")
        try Console.print("The last line is \(Int(head.number)):\(head.hash)")
    }
}
