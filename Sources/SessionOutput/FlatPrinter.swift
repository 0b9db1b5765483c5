import BridgeRequests
import JSONScan
import SessionText
import TerminalIO
import Tinyvex

/// Prints one short line for each entry, for log tools: see ``FlatLines``.
struct FlatPrinter: AttachPrinter {
    let filter: AttachFilter
    private var lines: FlatLines
    private var output = OutputBuffer()

    /// - Parameter isOwnBridge: The bridge runs on this machine, so its user ids are those of this machine's users.
    init(filter: AttachFilter, session: String, agent: String, isOwnBridge: Bool) {
        self.filter = filter
        lines =
            isOwnBridge
            ? FlatLines(session: session, agent: agent, nameOfUser: LocalUser.name(for:))
            : FlatLines(session: session, agent: agent)
    }

    mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard let entry = TimelineValue(line), let kind = TimelineEntryKind(rawValue: entry.kind) else { return }
        // An entry before the first printed one can have the title of a later tool call.
        let record = lines.line(seq: entry.seq, time: entry.time, kind: kind, content: entry.content)
        guard filter.wants(seq: entry.seq, isUpdate: entry.isUpdate) else { return }
        if entry.isUpdate, !filter.takesAllKinds, !filter.includesKind(entry.updateKind) { return }
        try output.append(record: record)
    }

    mutating func flush() throws { try output.flush() }
}
