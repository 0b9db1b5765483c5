import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import SessionExport
import TerminalIO
import TerminalText

/// `acpbridge import FILE`: checks every line of an export, and then stores the session.
package struct ImportCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: ImportOptions) throws {
        let source = try ImportSource(options.file, limitBytes: ImportFile.bytesLimit)
        let facts = try ImportFile.check(source)
        guard let agent = options.agent ?? facts.head?.agent else {
            throw Failure(
                message: "\(source.name) does not name its agent; add '--agent NAME'", status: Failure.invalidInput)
        }
        guard !options.check else {
            guard !options.json else { return try Console.printRecord(Self.json(facts, agent)) }
            return try Console.print(Self.text(facts, source.name, agent))
        }
        let access = try BridgeAccess(options.connection, context: context)
        let result = try access.withClient(starting: true) { client in
            try await Self.send(source, facts, agent, client)
        }
        guard !options.json else { return try Console.printRecord(result.rawText) }
        try Console.print("\(result["sessionId"]?.stringValue ?? "")")
    }

    private static func send(
        _ source: ImportSource, _ facts: ImportFile.Facts, _ agent: String, _ client: CommandClient
    ) async throws -> JSONValue {
        var progress = Progress()
        defer { progress.clear() }
        var lines = try ImportLines(source)
        var part = Part()
        var id: String?
        var sent = 0
        while true {
            let line = try lines.next()
            if let line, part.bytes.isEmpty || part.bytes.count + line.count < Part.bytesLimit {
                part.add(line)
                continue
            }
            let args = part.arguments(id: id, agent: agent, head: facts.head, isLast: line == nil)
            guard let result = try await client.action("sessions:import", args: args) else {
                throw Failure(message: "the bridge sent an empty answer")
            }
            guard let line else { return result }
            id = result["import"]?.stringValue
            sent += part.bytes.count
            progress.update("\(sent >> 10) of \(facts.byteCount >> 10) KiB")
            part = Part()
            part.add(line)
        }
    }

    private static func text(_ facts: ImportFile.Facts, _ name: String, _ agent: String) -> TerminalText {
        let sessions: TerminalText = facts.childCount > 0 ? " in \(facts.childCount + 1) sessions" : ""
        return "\(name): \(facts.entryCount) entries of \(agent)" + sessions + ", no errors"
    }

    /// `{"agent":"codex","sessions":1,"updates":12,"entries":17}`
    private static func json(_ facts: ImportFile.Facts, _ agent: String) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("agent", agent)
            writer.member("sessions", facts.childCount + 1)
            writer.member("updates", facts.updateCount)
            writer.member("entries", facts.entryCount)
        }
    }

    /// The lines of one request.
    private struct Part {
        /// The bridge handles a request in one turn of its loop, so requests are small.
        static let bytesLimit = 256 << 10

        private(set) var bytes: [UInt8] = []

        mutating func add(_ line: [UInt8]) { bytes += line + [0x0a] }

        func arguments(id: String?, agent: String, head: ExportHead?, isLast: Bool) -> [UInt8] {
            JSONWriter.object { writer in
                writer.member("import", ifPresent: id)
                if id == nil {
                    writer.member("agent", agent)
                    writer.member("title", ifPresent: head?.title)
                    writer.member("cwd", ifPresent: head?.cwd)
                }
                writer.member("text", String(decoding: bytes, as: UTF8.self))
                writer.member("last", isLast)
            }
        }
    }
}

/// The check of a file before its import.
enum ImportFile {
    struct Facts {
        var head: ExportHead?
        /// The file's child sessions.
        var childCount: Int64 = 0
        var updateCount: Int64 = 0
        var entryCount: Int64 = 0
        var byteCount = 0
    }

    /// The bridge's limit for one import.
    static let bytesLimit = 1 << 30

    /// Throws the first fault with its line number.
    static func check(_ source: ImportSource) throws(Failure) -> Facts {
        var facts = Facts()
        // Only the faults of the heads are needed, not the new ids.
        var ids = ImportIds(root: sampleId)
        var lines = try ImportLines(source)
        var number = 0
        while let line = try lines.next() {
            number += 1
            facts.byteCount += line.count + 1
            guard facts.byteCount <= bytesLimit else {
                throw fault(source.name, number, "is beyond the limit of \(bytesLimit >> 30) GiB")
            }
            if line.isEmpty { continue }
            do throws(ExportLine.Fault) {
                try add(try ExportLine(line), number, &ids, to: &facts)
            } catch {
                throw fault(source.name, number, error.reason)
            }
        }
        guard facts.entryCount > 0 else {
            throw Failure(message: "\(source.name) has no entries of a session", status: Failure.invalidInput)
        }
        return facts
    }

    /// An id with the length of those that the bridge chooses.
    private static let sampleId = "imported-0000000000000000"

    private static func add(
        _ line: ExportLine, _ number: Int, _ ids: inout ImportIds, to facts: inout Facts
    ) throws(ExportLine.Fault) {
        switch line {
        case .head(let head):
            guard try ids.begin(head) == nil else { return facts.childCount += 1 }
            guard number == 1 else { throw ExportLine.Fault(reason: "begins another session") }
            facts.head = head
        case .skipped: break
        case .update:
            facts.updateCount += 1
            facts.entryCount += 1
        case .entry: facts.entryCount += 1
        }
    }

    private static func fault(_ name: String, _ number: Int, _ reason: String) -> Failure {
        Failure(message: "\(name), line \(number): the line \(reason)", status: Failure.invalidInput)
    }
}
