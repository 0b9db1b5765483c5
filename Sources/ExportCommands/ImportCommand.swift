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
        let (result, copies) = try access.withClient(starting: true) { client in
            let copies = try await Self.copies(of: facts, agent, client)
            return (try await Self.send(source, facts, agent, client), copies)
        }
        // Each import is a session of its own, so a repeated one is stored again.
        if let original = copies.first {
            let others = copies.count > 1 ? " and \(copies.count - 1) more" : ""
            Console.report("acpbridge: the imported session may be a copy of \(original)\(others)")
        }
        guard !options.json else { return try Console.printRecord(result.rawText) }
        try Console.print("\(result["sessionId"]?.stringValue ?? "")")
    }

    /// Finds the exported session and its earlier imports, if the bridge has them. This is a guess: an import keeps no trace
    /// of its origin, so one with the same title and number of updates counts as a copy.
    private static func copies(
        of facts: ImportFile.Facts, _ agent: String, _ client: CommandClient
    ) async throws -> Copies {
        var copies = Copies()
        guard let head = facts.head else { return copies }
        var pages = 0
        try await client.eachMatch({ $0.member("agent", agent) }) { page in
            for session in page where isCopy(session, of: head, facts) { copies.add(session.id) }
            pages += 1
            return pages < Copies.pageLimit
        }
        return copies
    }

    private static func isCopy(_ session: ListedSession, of head: ExportHead, _ facts: ImportFile.Facts) -> Bool {
        guard session.parentId == nil else { return false }
        return session.id == head.sessionId
            || session.id.hasPrefix("imported-") && session.title == head.title ?? ""
                && session.updateCount == facts.rootUpdateCount
    }

    /// Sessions of which the file may be a copy.
    private struct Copies {
        /// 10 pages of 200 sessions: those of the agent that were active last. A hint is not worth reading more.
        static let pageLimit = 10

        private(set) var first: String?
        private(set) var count = 0

        mutating func add(_ id: String) {
            first = first ?? id
            count += 1
        }
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
        var number = 0
        while true {
            let line = try lines.next()
            number += 1
            // The end is checked, and a bridge of an earlier version does not know it.
            if line != nil, number == facts.endNumber { continue }
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
        let updates: TerminalText =
            "\(facts.updateCount) updates and \(facts.entryCount - facts.updateCount) other entries"
        let sessions: TerminalText = facts.childCount > 0 ? " in \(facts.childCount + 1) sessions" : ""
        return "\(name): " + updates + " of \(agent)" + sessions + ", no errors"
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
        /// Those of the file's first session.
        var rootUpdateCount: Int64 = 0
        var entryCount: Int64 = 0
        var byteCount = 0
        /// The number of the line that ends the export. Nil if there is none.
        var endNumber: Int?
    }

    /// The bridge's limit for one import.
    static let bytesLimit = 1 << 30

    /// Throws the first fault with its line number.
    static func check(_ source: ImportSource) throws(Failure) -> Facts {
        var facts = Facts()
        // Only the faults of the heads are needed, not the new ids.
        var ids = ImportIds(root: sampleId)
        var completeness = ExportCompleteness()
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
                let line = try ExportLine(line)
                try completeness.add(line)
                try add(line, number, &ids, to: &facts)
            } catch {
                throw fault(source.name, number, error.reason)
            }
        }
        if let reason = completeness.finish() {
            throw Failure(message: "\(source.name) \(reason)", status: Failure.invalidInput)
        }
        guard facts.entryCount > 0 else {
            throw Failure(message: "\(source.name) has no entries of a session", status: Failure.invalidInput)
        }
        return facts
    }

    /// An id that is as long as the ids that the bridge chooses.
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
        case .end: facts.endNumber = number
        case .update:
            facts.updateCount += 1
            if facts.childCount == 0 { facts.rootUpdateCount += 1 }
            facts.entryCount += 1
        case .entry: facts.entryCount += 1
        }
    }

    private static func fault(_ name: String, _ number: Int, _ reason: String) -> Failure {
        Failure(message: "\(name), line \(number): the line \(reason)", status: Failure.invalidInput)
    }
}
