import Bridge
import CLI
import JSONScan
import TinyvexSync

/// `acpbridge agents`: the agents that can be named, whether they are installed, and which are running.
struct AgentsCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: ReportOptions) throws {
        let library = ProfileLibrary(userFolder: machine.home.agents)
        let running = try runningCounts(options)
        for (file, fault) in library.unreadable {
            Console.say("Warning: \(file) is no agent profile: \(fault)")
        }
        let rows = library.sorted.map { profile in
            Row(
                profile: profile, isInstalled: profile.commandFound(machine: machine) != nil,
                running: running[profile.name] ?? 0)
        }
        if options.json {
            for row in rows { try Console.write(row.json() + [0x0a]) }
        } else {
            try Console.print(table(rows).text())
        }
    }

    private struct Row {
        let profile: AgentProfile
        let isInstalled: Bool
        let running: Int

        func json() -> [UInt8] {
            JSONWriter.object { writer in
                writer.member("name", profile.name)
                writer.member("title", profile.title)
                writer.memberArray("command") { for word in profile.command { $0.element(word) } }
                writer.member("installed", isInstalled)
                writer.member("running", running)
                writer.member("homepage", ifPresent: profile.homepage)
                writer.member("install", ifPresent: profile.install)
            }
        }
    }

    private func table(_ rows: [Row]) -> Table {
        var table = Table(header: ["NAME", "AGENT", "FOUND", "RUNNING", "COMMAND"])
        table.rows = rows.map { row in
            [
                row.profile.name, row.profile.title, row.isInstalled ? "yes" : "no",
                row.running > 0 ? String(row.running) : "-", row.profile.command.joined(separator: " "),
            ]
        }
        return table
    }

    /// Of a bridge that runs; without one, nothing runs.
    private func runningCounts(_ options: ReportOptions) throws -> [String: Int] {
        let access = try BridgeAccess(options.connection, machine: machine)
        do {
            let connection = try access.connect(starting: false)
            let agents = try connection.value("agents:list")
            return Dictionary(grouping: agents.elements.compactMap { $0["name"]?.stringValue }) { $0 }.mapValues(
                \.count)
        } catch ClientError.unreachable where options.connection.url == nil {
            return [:]
        }
    }
}
