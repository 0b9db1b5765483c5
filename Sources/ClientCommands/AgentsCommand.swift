import Agents
import CommandContext
import Glibc
import Invocations
import JSONScan
import LocalBridge
import TerminalIO

/// `acpbridge agents`: lists the known agents, whether each is installed, and which are running; or only the running ones;
/// or imports profiles.
package struct AgentsCommand {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: AgentsOptions) throws {
        if options.action == .import { return try AgentsImport(context).run(options) }
        if options.running { return try RunningAgents(context).list(options.report) }
        try list(options.report)
    }

    private func list(_ options: ReportOptions) throws {
        let library = ProfileLibrary(userFolder: try context.home.agents)
        let running = try runningCounts(options)
        if let refusal = library.refusal {
            Console.report("Warning: your own agent profiles were not read: \(refusal)")
        }
        for (file, fault) in library.unreadable {
            Console.report("Warning: \(file) is not a valid agent profile: \(fault)")
        }
        let rows = library.sorted.map { profile in
            Row(
                profile: profile.summary(on: context), launcher: profile.launcher,
                running: running[profile.name] ?? 0)
        }
        if options.json {
            for row in rows { try Console.printRecord(row.json()) }
        } else {
            try Console.print(table(rows).text(columns: Console.columns(STDOUT_FILENO), yielding: 4))
            if Console.isTerminal(STDERR_FILENO), rows.contains(where: { $0.found.hasPrefix("via ") }) {
                Console.report("acpbridge: 'via npx' or similar: that program downloads the agent at its first start")
            }
        }
    }

    private struct Row {
        let profile: ProfileSummary
        let launcher: String?
        let running: Int

        /// `yes`, `no`, or `via npx` if only the program that downloads the agent was found.
        var found: String { profile.isInstalled ? launcher.map { "via \($0)" } ?? "yes" : "no" }

        func json() -> [UInt8] {
            JSONWriter.object { writer in
                profile.write(to: &writer)
                writer.member("launcher", ifPresent: launcher)
                writer.member("running", running)
            }
        }
    }

    private func table(_ rows: [Row]) -> Table {
        var table = Table(header: ["NAME", "AGENT", "FOUND", "RUNNING", "COMMAND"])
        table.rows = rows.map { row in
            [
                row.profile.name, row.profile.title, row.found,
                row.running > 0 ? String(row.running) : "-", row.profile.command.joined(separator: " "),
            ]
        }
        return table
    }

    /// The counts of a running bridge. Without a bridge no agent runs.
    private func runningCounts(_ options: ReportOptions) throws -> [String: Int] {
        let names = try RunningAgents(context).all(options)?.compactMap { $0["name"]?.stringValue } ?? []
        return names.reduce(into: [:]) { counts, name in counts[name, default: 0] += 1 }
    }
}
