import Invocations
import JSONScan
import TerminalIO
import Tinyvex
import TinyvexMachine
import TinyvexSync

/// Turns a followed stream into output. A printer buffers lines and writes them together. Call `flush` when no more
/// pieces are available.
package protocol AttachPrinter: Sendable {
    /// Prints an agent's line or a timeline value. `seq` is its number on that stream.
    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws
    /// Notes a timeline value that is not printed because it belongs to an earlier part of the session.
    mutating func hide(_ line: ArraySlice<UInt8>)
    mutating func flush() throws
    /// The printer needs no more input.
    var hasEnough: Bool { get }
    /// The stream will not deliver these numbers. `reason` has the values of `tinyvex/skipped`.
    mutating func skipped(_ numbers: ClosedRange<Int64>, _ reason: String) throws
    /// Called before a message is shown on the same terminal.
    mutating func endLine() throws
    /// Called at the end of the output, or of a subagent's part of it.
    ///
    /// - Parameter subagent: Only its lines end; nil for all lines.
    mutating func endLines(of subagent: String?) throws
    /// The last line on the terminal, if it is not ended.
    var openLine: String { get }
    /// - Parameter reason: the `reason` of `tinyvex/ended`.
    mutating func sessionEnded(_ reason: String) throws
}

/// Defaults for printers that print whole lines and print nothing at the end of a session.
extension AttachPrinter {
    package var hasEnough: Bool { false }
    package mutating func hide(_ line: ArraySlice<UInt8>) {}
    package mutating func endLine() throws { try flush() }
    package mutating func endLines(of subagent: String?) throws { try endLine() }
    package var openLine: String { "" }
    package mutating func sessionEnded(_ reason: String) throws {}

    /// Reports the gap on stderr. Merged updates are not reported, because none of their content is missing.
    package mutating func skipped(_ numbers: ClosedRange<Int64>, _ reason: String) throws {
        guard reason != "merge" else { return }
        try endLine()
        Console.report("acpbridge: \(numbers.count) updates were dropped (\(reason))")
    }
}

/// Selects the part of a session to print.
package struct AttachFilter {
    private let kinds: Set<String>
    /// The number of the first update to print.
    let firstSeq: Int64
    let includesEntries: Bool

    /// - Parameter updateCount: The number of the session's last stored update.
    init(_ options: AttachOptions, updateCount: Int64) {
        kinds = Set(options.kinds)
        includesEntries = options.all || options.pretty || (options.format == .flat && options.kinds.isEmpty)
        firstSeq =
            switch options.from {
            case .start, .now: 1
            case .number(let number): number
            case .last(let count): max(1, updateCount - count + 1)
            }
    }

    /// Selects everything, including entries that are not updates.
    init() {
        kinds = []
        includesEntries = true
        firstSeq = 1
    }

    var takesAllKinds: Bool { kinds.isEmpty }

    func includesKind(_ kind: String?) -> Bool { kinds.isEmpty || kind.map(kinds.contains) ?? false }

    /// - Parameter seq: the number of an update, or of the last update before an entry.
    func wants(seq: Int64, isUpdate: Bool) -> Bool {
        isUpdate ? seq >= firstSeq : includesEntries && seq >= firstSeq - 1
    }
}

/// Prints the agent's lines unchanged, except on a terminal.
struct LinePrinter: AttachPrinter {
    let filter: AttachFilter
    private var output = OutputBuffer()

    init(filter: AttachFilter) { self.filter = filter }

    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard filter.wants(seq: seq, isUpdate: true) else { return }
        if !filter.takesAllKinds, !filter.includesKind(Self.kind(line)) { return }
        try output.append(record: line)
    }

    /// The numbers of this stream are those of the updates.
    mutating func skipped(_ numbers: ClosedRange<Int64>, _ reason: String) throws {
        guard filter.wants(seq: numbers.upperBound, isUpdate: true) else { return }
        try report(dropped: numbers, reason)
    }

    mutating func flush() throws { try output.flush() }

    private static func kind(_ line: ArraySlice<UInt8>) -> String? {
        guard let envelope = try? scanEnvelope(line.span) else { return nil }
        return envelope.string(in: line.span, at: envelope.updateKind)
    }
}

/// Prints the entries of a timeline, one per line, in one of two forms.
struct EntryPrinter: AttachPrinter {
    enum Form {
        /// `{"seq":12,"ts":"2026-11-21T04:00:00.123Z","kind":"update","notification":{…untouched…}}`, and
        /// `{"kind":"skipped","fromSeq":13,"toSeq":511,"reason":"latest"}` for updates that will not be delivered. Among lines
        /// of several sessions, each has the members of its source.
        case envelope(EnvelopeLine.Source?)
        /// The agent's lines of updates, unchanged except on a terminal. Other entries are left out.
        case agentLine
    }

    let filter: AttachFilter
    private let form: Form
    private var output = OutputBuffer()
    /// The number of the last update.
    private var lastSeq: Int64 = 0
    /// The numbers of a gap that the log has lost also count the timeline's other entries. The next value shows how
    /// many updates are missing.
    private var hasLost = false

    init(filter: AttachFilter, form: Form) { (self.filter, self.form) = (filter, form) }

    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard let entry = TimelineValue(line) else { return }
        if hasLost { try printSkipped(through: entry.isUpdate ? entry.seq - 1 : entry.seq, "retention") }
        hasLost = false
        lastSeq = entry.seq
        guard filter.wants(seq: entry.seq, isUpdate: entry.isUpdate) else { return }
        if entry.isUpdate, !filter.takesAllKinds, !filter.includesKind(entry.updateKind) { return }
        switch form {
        case .envelope(let source):
            try output.append(
                record: EnvelopeLine.entry(
                    seq: entry.seq, ts: entry.time, kind: entry.kind, content: entry.content.rawText, of: source))
        case .agentLine where entry.isUpdate: try output.append(record: entry.agentLine(in: line))
        case .agentLine: break
        }
    }

    /// A policy leaves out consecutive updates; no other entries lie between them.
    mutating func skipped(_ numbers: ClosedRange<Int64>, _ reason: String) throws {
        if reason == "retention" {
            hasLost = true
        } else {
            try printSkipped(through: lastSeq + Int64(numbers.count), reason)
        }
    }

    private mutating func printSkipped(through last: Int64, _ reason: String) throws {
        let first = lastSeq + 1
        lastSeq = max(lastSeq, last)
        guard first <= last, filter.wants(seq: last, isUpdate: true) else { return }
        switch form {
        case .envelope(let source):
            try output.append(record: EnvelopeLine.skipped(fromSeq: first, toSeq: last, reason: reason, of: source))
        case .agentLine: try report(dropped: first...last, reason)
        }
    }

    mutating func flush() throws { try output.flush() }
}

extension AttachPrinter {
    /// Reports updates that are not printed, by their numbers. None of the content of merged ones is missing.
    fileprivate mutating func report(dropped numbers: ClosedRange<Int64>, _ reason: String) throws {
        guard reason != "merge" else { return }
        try flush()
        Console.report("acpbridge: updates \(numbers.lowerBound) to \(numbers.upperBound) were dropped (\(reason))")
    }
}

/// One value of a timeline.
package struct TimelineValue {
    let seq: Int64
    let time: Int64
    package let kind: String
    /// The update's notification, or an entry's data.
    package let content: JSONValue

    /// Walks over the line only once, because the line can be long.
    init?(_ line: ArraySlice<UInt8>) {
        guard let value = try? JSONValue(validating: Array(line)) else { return nil }
        var (seq, time, kind, content): (Int64?, Int64?, String?, JSONValue?)
        for (name, value) in value.members {
            switch name {
            case "seq": seq = value.int64Value
            case "ts": time = value.int64Value
            case "kind": kind = value.stringValue
            case "notification", "data": content = value
            default: break
            }
        }
        guard let seq, let time, let kind, let content else { return nil }
        (self.seq, self.time, self.kind, self.content) = (seq, time, kind, content)
    }

    var isUpdate: Bool { kind == "update" }

    /// The agent's line of an update, byte for byte. The bridge writes it as the last member.
    ///
    /// - Parameter line: The line that this value was read from.
    func agentLine(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let before = line[..<(line.startIndex + content.rawText.startIndex)]
        // White space around the agent's object is a part of its line.
        guard let colon = before.lastIndex(of: UInt8(ascii: ":")) else { return [] }
        return line[(colon + 1)..<(line.endIndex - 1)]
    }

    /// Whether the entry of a subagent's timeline belongs to the part of it that the session has announced at this time. The
    /// session's own timeline has the starts and ends of the agent.
    func isOfSubagent(since time: Int64) -> Bool {
        self.time >= time && kind != "agent_start" && kind != "agent_exit"
    }
    package var update: JSONValue? { content["params"]?["update"] }
    package var updateKind: String? { update?["sessionUpdate"]?.stringValue }
}

extension [StreamPiece] {
    /// The timeline entries among the pieces.
    package var entries: [TimelineValue] {
        flatMap { piece -> [TimelineValue] in
            guard case .lines(let run) = piece else { return [] }
            return (0..<run.count).compactMap { TimelineValue(run[$0]) }
        }
    }
}
