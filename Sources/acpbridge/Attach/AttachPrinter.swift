import CLI
import JSONScan
import Tinyvex
import TinyvexSync

/// Turns what is followed into output. Lines are gathered and written together; `flush` when nothing more is at hand.
protocol AttachPrinter: Sendable {
    /// An agent's own line, or a value of the timeline, with its number there.
    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws
    mutating func flush() throws
    /// It wants nothing more.
    var hasEnough: Bool { get }
    /// What has these numbers on the stream will not come. `reason` as in `tinyvex/skipped`.
    mutating func skipped(_ numbers: ClosedRange<Int64>, _ reason: String) throws
    /// Something else is to be said on the same terminal.
    mutating func breakOff() throws
    /// - Parameter reason: that of `tinyvex/ended`.
    mutating func sessionEnded(_ reason: String) throws
}

/// Lines are whole, and of an end there is no line.
extension AttachPrinter {
    var hasEnough: Bool { false }
    mutating func breakOff() throws { try flush() }
    mutating func sessionEnded(_ reason: String) throws {}

    /// Said beside the output. What is merged is not: nothing of it is missing.
    mutating func skipped(_ numbers: ClosedRange<Int64>, _ reason: String) throws {
        guard reason != "merge" else { return }
        try breakOff()
        Console.say("acpbridge: \(numbers.count) updates were left out (\(reason))")
    }
}

/// What of a session is wanted.
struct AttachFilter {
    private let kinds: Set<String>
    private let firstSeq: Int64
    let includesEntries: Bool

    init(_ options: AttachOptions) {
        kinds = Set(options.kinds)
        includesEntries = options.all || options.pretty
        if case .number(let number) = options.from { firstSeq = number } else { firstSeq = 1 }
    }

    /// All that there is, what is no update included.
    init() {
        kinds = []
        includesEntries = true
        firstSeq = 1
    }

    var takesAllKinds: Bool { kinds.isEmpty }

    func wantsKind(_ kind: String?) -> Bool { kinds.isEmpty || kind.map(kinds.contains) ?? false }

    /// - Parameter seq: of an update, or of the last update before an entry.
    func wants(seq: Int64, isUpdate: Bool) -> Bool {
        isUpdate ? seq >= firstSeq : includesEntries && seq >= firstSeq - 1
    }
}

/// The agent's own lines, untouched unless they go to a terminal.
struct LinePrinter: AttachPrinter {
    let filter: AttachFilter
    private var output = OutputBuffer()

    init(filter: AttachFilter) { self.filter = filter }

    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard filter.wants(seq: seq, isUpdate: true) else { return }
        if !filter.takesAllKinds, !filter.wantsKind(Self.kind(line)) { return }
        try output.append(record: line)
    }

    /// The stream's numbers are the updates' own.
    mutating func skipped(_ numbers: ClosedRange<Int64>, _ reason: String) throws {
        guard reason != "merge", filter.wants(seq: numbers.upperBound, isUpdate: true) else { return }
        try flush()
        Console.say("acpbridge: updates \(numbers.lowerBound) to \(numbers.upperBound) were left out (\(reason))")
    }

    mutating func flush() throws { try output.flush() }

    private static func kind(_ line: ArraySlice<UInt8>) -> String? {
        guard let envelope = try? scanEnvelope(line.span) else { return nil }
        return envelope.string(in: line.span, at: envelope.updateKind)
    }
}

/// `{"seq":12,"ts":"2026-11-21T04:00:00.123Z","kind":"update","notification":{…untouched…}}`, one a line, and
/// `{"kind":"skipped","fromSeq":13,"toSeq":511,"reason":"latest"}` for updates that will not come.
struct EnvelopePrinter: AttachPrinter {
    let filter: AttachFilter
    private var output = OutputBuffer()
    /// The last update's number.
    private var lastSeq: Int64 = 0
    /// What the log has lost is counted with the timeline's other entries: how many updates it was, the next value tells.
    private var hasLost = false

    init(filter: AttachFilter) { self.filter = filter }

    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard let entry = TimelineEntry(line) else { return }
        if hasLost { try printSkipped(through: entry.isUpdate ? entry.seq - 1 : entry.seq, "retention") }
        hasLost = false
        lastSeq = entry.seq
        guard filter.wants(seq: entry.seq, isUpdate: entry.isUpdate) else { return }
        if entry.isUpdate, !filter.takesAllKinds, !filter.wantsKind(entry.updateKind) { return }
        try output.append(
            record: EnvelopeLine.entry(
                seq: entry.seq, ts: entry.time, kind: entry.kind, content: entry.content.rawText))
    }

    /// A policy leaves out consecutive updates, with nothing else between them.
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
        try output.append(record: EnvelopeLine.skipped(fromSeq: first, toSeq: last, reason: reason))
    }

    mutating func flush() throws { try output.flush() }
}

/// One value of a timeline.
struct TimelineEntry {
    let seq: Int64
    let time: Int64
    let kind: String
    /// The update's notification, or an entry's data.
    let content: JSONValue

    /// One walk over the line, which may be long.
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
    var update: JSONValue? { content["params"]?["update"] }
    var updateKind: String? { update?["sessionUpdate"]?.stringValue }
}

extension [StreamPiece] {
    /// Of a timeline.
    var entries: [TimelineEntry] {
        flatMap { piece -> [TimelineEntry] in
            guard case .lines(let run) = piece else { return [] }
            return (0..<run.count).compactMap { TimelineEntry(run[$0]) }
        }
    }
}
