import BridgeRequests
import CommandContext
import Glibc
import Invocations
import SessionExport
import TerminalIO
import TerminalText

/// `acpbridge export SESSION`: reads a session's timeline page by page, hides secrets, and writes a file of some format.
package struct ExportCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: ExportOptions) throws {
        _ = try Self.redaction(options)
        let access = try BridgeAccess(options.connection, context: context)
        try access.withClient(starting: true) { client in
            let session = try await client.session(options.session)
            let family = options.fileFormat.hasSubagents ? try await client.family(of: session) : nil
            var export = Export(options, try Self.redaction(options))
            let path = options.output == "-" ? nil : options.output
            let output = try ExportOutput(path: path)
            var progress = Progress(isShown: path != nil || !Console.isTerminal(STDOUT_FILENO))
            defer { progress.clear() }
            try output.write(export.begin(session))
            try await Self.write(session, client, &export, output, &progress)
            for subagent in family?.subagents ?? [] {
                try output.write(export.begin(subagent: subagent))
                try await Self.write(subagent, client, &export, output, &progress)
            }
            try output.write(export.finish())
            try output.finish()
            progress.clear()
            if let family, family.isCut {
                Console.report("acpbridge: only the first \(family.subagents.count) subagents are exported")
            }
            if let path { Self.reportDone(path, export, output) }
            guard export.hiddenCount > 0 else { return }
            Console.report("acpbridge: \(export.hiddenCount) texts are hidden as \(Redaction.mark)")
        }
    }

    private static func reportDone(_ path: String, _ export: Export, _ output: ExportOutput) {
        let replaced: TerminalText = output.replacesFile ? "; it replaces an earlier file" : ""
        let size = (output.byteCount + 1023) >> 10
        Console.reportDone("acpbridge: \(path) has \(export.lineCount) entries in \(size) KiB" + replaced)
    }

    /// Writes the timeline of one session.
    private static func write(
        _ session: ListedSession, _ client: CommandClient, _ export: inout Export, _ output: ExportOutput,
        _ progress: inout Progress
    ) async throws {
        try await client.eachTimelineLine(of: session) {
            progress.update("\(export.lineCount) entries, \(output.byteCount >> 10) KiB")
        } _: { line in
            try output.write(export.add(line))
        }
    }

    private static func redaction(_ options: ExportOptions) throws(Failure) -> Redaction {
        var rules: [RedactionRule] = []
        for expression in options.redact {
            do throws(RedactionRule.Invalid) {
                rules.append(try RedactionRule(expression))
            } catch {
                throw Failure(
                    message: "'\(expression)' of '--redact' is not a regular expression: \(error.reason)",
                    status: Failure.wrongUsage)
            }
        }
        return Redaction(rules: rules, hidesTokens: options.hidesTokens)
    }
}

/// The conversion of a session and its subagents: first secrets are hidden, then the lines become a document.
private struct Export {
    private var redactor: LineRedactor
    private var document: any ExportDocument
    private(set) var lineCount = 0

    var hiddenCount: Int { redactor.count }

    init(_ options: ExportOptions, _ redaction: Redaction) {
        redactor = LineRedactor(redaction)
        document =
            switch options.fileFormat {
            case .ndjson: NDJSONDocument()
            case .markdown: MarkdownDocument()
            case .asciicast: RecordingDocument()
            case .html: HTMLDocument()
            }
    }

    mutating func begin(_ session: ListedSession) -> [UInt8] { document.begin(head(of: session, parentId: nil)) }

    /// Ends the session before, and begins a subagent.
    mutating func begin(subagent session: ListedSession) -> [UInt8] {
        redactor.finish().flatMap { document.add($0) }
            + document.begin(head(of: session, parentId: session.parentId))
    }

    /// - Parameter parentId: Nil for the first session of the file, even if it is a subagent.
    private mutating func head(of session: ListedSession, parentId: String?) -> ExportHead {
        ExportHead(
            agent: redactor.hidden(session.agent), sessionId: redactor.hidden(session.id),
            title: hidden(Self.wholeWords(session.title)),
            cwd: session.folder.flatMap { hidden($0) }, parentId: parentId.map { redactor.hidden($0) },
            announcesEnd: parentId == nil)
    }

    /// A cut title can end within a secret, which no rule recognizes then. So the last word of a cut title is left out.
    private static func wholeWords(_ title: String) -> String {
        guard title.hasSuffix("…"), let space = title.lastIndex(of: " ") else { return title }
        return title[...space] + "…"
    }

    mutating func add(_ line: [UInt8]) -> [UInt8] {
        lineCount += 1
        return redactor.add(line).flatMap { document.add($0) }
    }

    mutating func finish() -> [UInt8] { redactor.finish().flatMap { document.add($0) } + document.finish() }

    private mutating func hidden(_ text: String) -> String? { text.isEmpty ? nil : redactor.hidden(text) }
}
