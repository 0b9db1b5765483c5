import CommandContext
import LocalBridge

/// The agent that a command uses.
struct AgentChoice {
    private let context: ProcessContext

    init(_ context: ProcessContext) { self.context = context }

    /// - Parameters:
    ///   - written: The agent that the user named on the command line.
    ///   - isElsewhere: Another bridge starts the agent.
    ///   - way: How the user names an agent.
    func name(
        _ written: String?, isElsewhere: Bool = false, way: String = "use --agent NAME or set ACPBRIDGE_AGENT"
    ) throws(Failure) -> String {
        if let name = written ?? context.variables["ACPBRIDGE_AGENT"], !name.isEmpty { return name }
        if isElsewhere {
            throw Failure(
                message:
                    "no agent was named: use --agent NAME; `acpbridge agents` on that bridge's machine lists the names",
                status: Failure.wrongUsage)
        }
        let found = ProfileLibrary(userFolder: try context.home.agents).sorted
            .filter { $0.summary(on: context).isInstalled }.map(\.name)
        throw Failure(
            message: """
                no agent was named: \(way). Found on this machine: \
                \(found.isEmpty ? "none; `acpbridge agents` lists the known ones" : found.joined(separator: ", "))
                """, status: Failure.wrongUsage)
    }

    /// The title of a known agent. Throws if no agent has the name.
    func title(_ name: String) throws(Failure) -> String {
        try ProfileLibrary(userFolder: try context.home.agents).profile(name).summary(on: context).title
    }
}
