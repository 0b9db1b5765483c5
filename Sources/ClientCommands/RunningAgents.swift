import BridgeRequests
import CommandContext
import Glibc
import Invocations
import JSONScan
import Posix
import TerminalIO

/// `acpbridge agents --running`: lists the running agents, also those without a session, in the order of their start.
struct RunningAgents {
    private let context: ProcessContext

    init(_ context: ProcessContext) { self.context = context }

    /// Returns the elements of `running` of `agents:list`; nil if the user's own bridge does not run.
    func all(_ options: ReportOptions) throws -> [JSONValue]? {
        let access = try BridgeAccess(options.connection, context: context)
        do {
            return try access.withClient { client in
                var agents: [JSONValue] = []
                try await client.eachRunningAgent { agent in
                    agents.append(agent)
                    return true
                }
                return agents
            }
        } catch let failure as BridgeFailure where failure.isUnreachable && options.connection.url == nil {
            return nil
        }
    }

    /// Prints a table, or each agent as one JSON text a line.
    func list(_ options: ReportOptions) throws {
        guard let agents = try all(options) else { return Console.report("No bridge is running.") }
        if options.json {
            for agent in agents { try Console.printRecord(agent.rawText) }
        } else if agents.isEmpty {
            Console.report("No agent is running.")
        } else {
            let columns = Console.columns(STDOUT_FILENO)
            try Console.print(Self.table(agents, at: wallClockMilliseconds()).text(columns: columns, yielding: 4))
        }
    }

    /// - Parameter now: Milliseconds since 1970.
    private static func table(_ agents: [JSONValue], at now: Int64) -> Table {
        var table = Table(header: ["AGENT", "PID", "STARTED", "MEMORY", "SESSIONS"])
        table.rows = agents.map { agent in
            let started = agent["startedTs"]?.int64Value
            let resident = agent["residentBytes"]?.int64Value
            return [
                agent["name"]?.stringValue ?? "-", agent["pid"]?.int64Value.map { String($0) } ?? "-",
                started.map { Dates.ago(milliseconds: now - $0) } ?? "-", resident.map { "\($0 >> 20) MiB" } ?? "-",
                sessions(of: agent),
            ]
        }
        return table
    }

    private static func sessions(of agent: JSONValue) -> String {
        let names = (agent["sessions"]?.elements ?? []).compactMap(\.stringValue)
        let omitted = agent["omittedSessions"]?.int64Value ?? 0
        guard !names.isEmpty || omitted > 0 else { return "none" }
        return names.joined(separator: ", ") + (omitted > 0 ? " and \(omitted) more" : "")
    }
}
