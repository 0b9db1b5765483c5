import CommandContext
import Glibc
import Invocations
import JSONScan
import LocalBridge
import Posix
import TerminalIO
import TerminalText

/// `acpbridge agents import`: makes profiles of agents in a file of the ACP registry.
struct AgentsImport {
    private let context: ProcessContext

    init(_ context: ProcessContext) { self.context = context }

    func run(_ options: AgentsOptions) throws {
        let path = options.file ?? "-"
        let registry = try registry(path)
        for (entry, fault) in registry.unusable where options.ids.isEmpty || options.ids.contains(entry) {
            Console.report("Warning: \(entry) is left out: \(fault.description)")
        }
        let chosen = options.all ? registry.agents : try agents(options.ids, registry)
        guard !chosen.isEmpty else { return try list(registry.agents, json: options.report.json) }
        try save(chosen, options)
    }

    private func registry(_ path: String) throws(Failure) -> AgentRegistry {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try PrivateFile.read(
                path == "-" ? "/dev/stdin" : path, limitBytes: AgentRegistry.fileLimitBytes, isBelieved: false)
        } catch {
            throw Failure(message: "\(path) cannot be read: \(error.reason)")
        }
        guard let bytes else { throw Failure(message: "\(path) does not exist") }
        do throws(AgentRegistry.Fault) {
            return try AgentRegistry(json: bytes)
        } catch {
            throw Failure(
                message: "\(path) cannot be imported: \(error.description)", status: Failure.invalidInput)
        }
    }

    private func agents(_ ids: [String], _ registry: AgentRegistry) throws(Failure) -> [RegistryAgent] {
        try ids.map { (id) throws(Failure) in
            guard let agent = registry.agents.first(where: { $0.id == id }) else {
                throw Failure(
                    message: "the file has no usable agent '\(id)'; without a name, the command lists the agents",
                    status: Failure.wrongUsage)
            }
            return agent
        }
    }

    private func list(_ agents: [RegistryAgent], json: Bool) throws {
        if json { return try agents.forEach { try Console.printRecord($0.profile(named: $0.id)) } }
        var table = Table(header: ["ID", "AGENT", "VERSION", "COMMAND"])
        table.rows = agents.map {
            [$0.id, Table.cell($0.title), Table.cell($0.version), Table.cell($0.command.joined(separator: " "))]
        }
        try Console.print(table.text(columns: Console.columns(STDOUT_FILENO), yielding: 3))
        Console.report("Nothing was imported: name the agents to import, or use --all.")
    }

    /// Writes all profiles or, if one exists already, none.
    private func save(_ agents: [RegistryAgent], _ options: AgentsOptions) throws {
        let home = try context.home
        let files = agents.map { agent in
            let name = options.savedName ?? agent.id
            return (agent: agent, name: name, path: "\(home.agents)/\(name).json")
        }
        if !options.replaces, let existing = files.first(where: { access($0.path, F_OK) == 0 }) {
            throw Failure(message: "\(existing.path) exists already; --replace replaces it")
        }
        do throws(SystemError) {
            try home.prepareAgents()
            for file in files {
                try PrivateFile.replace(file.path, with: file.agent.profile(named: file.name) + [0x0a])
            }
        } catch {
            throw Failure(message: "the profiles were not written: \(error)")
        }
        for file in files {
            if options.report.json {
                try Console.printRecord(file.agent.profile(named: file.name))
            } else {
                try Console.print("\(file.name)\t\(file.agent.command.joined(separator: " "))")
            }
        }
    }
}
