import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import SessionText
import TerminalIO
import TerminalText
import Tinyvex

/// `acpbridge diff SESSION`: prints the changes of files that a session's tool calls have made.
package struct DiffCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: DiffOptions) throws {
        let access = try BridgeAccess(options.connection, context: context)
        let (changes, folder) = try access.withClient(starting: true) { client in
            let session = try await client.session(options.session)
            return (try await Self.changes(of: session, client), session.folder)
        }
        let made = changes.made.filter { change in
            options.paths.isEmpty || options.paths.contains { change.isAt($0, in: folder) }
        }
        if made.isEmpty, !options.paths.isEmpty {
            Console.report("No changes of these files have been reported in this session.")
        } else if made.isEmpty {
            Console.report("No changes of files have been reported in this session.")
        }
        if options.stat {
            try Self.printStatistics(made.map { UnifiedDiff($0, in: folder) })
        } else {
            // One change after another, because a diff needs more memory than its texts.
            for change in made { try Self.print(UnifiedDiff(change, in: folder)) }
        }
        Self.report(changes)
    }

    private static func changes(of session: ListedSession, _ client: CommandClient) async throws -> SessionChanges {
        var changes = SessionChanges()
        var progress = Progress()
        defer { progress.clear() }
        var count = 0
        for member in [session] + (try await client.family(of: session).subagents) {
            try await client.eachTimelineLine(of: member) {
                progress.update("\(count) entries")
            } _: { line in
                count += 1
                guard let entry = try? JSONValue(validating: line),
                    let kind = entry["kind"]?.stringValue.flatMap(TimelineEntryKind.init),
                    let content = entry[kind == .update ? "notification" : "data"]
                else { return }
                changes.add(kind, content, session: member.id, time: entry["ts"]?.stringValue ?? "")
            }
        }
        return changes
    }

    private static func print(_ diff: UnifiedDiff) throws {
        let isTerminal = Console.isTerminal(STDOUT_FILENO)
        let hasColour = Console.hasColour(STDOUT_FILENO)
        var output = OutputBuffer()
        for line in diff.lines {
            if isTerminal {
                try output.append(line.shown(hasColour: hasColour) + "\n")
            } else {
                try output.append(record: Array(line.text.utf8))
            }
        }
        try output.flush()
    }

    private static func printStatistics(_ diffs: [UnifiedDiff]) throws {
        guard !diffs.isEmpty else { return }
        let lines = DiffStatistics(diffs).lines(hasColour: Console.hasColour(STDOUT_FILENO), columns: Table.width)
        for line in lines { try Console.print(line) }
    }

    private static func report(_ changes: SessionChanges) {
        if changes.openCount > 0 {
            let count = counted(changes.openCount, "change")
            Console.report("acpbridge: \(count) left out: the agent has not made it yet, or waits for a permission")
        }
        if changes.omittedCount > 0 {
            Console.report("acpbridge: \(counted(changes.omittedCount, "change")) left out, because there are too many")
        }
    }
}
