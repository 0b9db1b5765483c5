import CommandContext

/// The agent that a command uses.
package struct AgentChoice {
    private let context: ProcessContext

    package init(_ context: ProcessContext) { self.context = context }

    /// - Parameters:
    ///   - written: The agent that the user named on the command line.
    ///   - isElsewhere: Another bridge starts the agent.
    ///   - way: How the user names an agent.
    package func name(
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
            .filter { $0.summary(on: context).isInstalled }
        let installed = found.filter { $0.launcher == nil }.map(\.name)
        let downloaded = found.filter { $0.launcher != nil }.map(\.name)
        throw Failure(
            message: "no agent was named: \(way). \(Self.choices(installed: installed, downloaded: downloaded))",
            status: Failure.wrongUsage)
    }

    /// - Parameter downloaded: The agents that a program on this machine, such as `npx`, downloads at their first start.
    static func choices(installed: [String], downloaded: [String]) -> String {
        var sentences: [String] = []
        if !installed.isEmpty { sentences.append("Found on this machine: \(installed.joined(separator: ", ")).") }
        if !downloaded.isEmpty {
            sentences.append("Downloaded at the first start: \(downloaded.joined(separator: ", ")).")
        }
        return (sentences + ["`acpbridge agents` lists all."]).joined(separator: " ")
    }

    /// The title of a known agent. Throws if no agent has the name.
    package func title(_ name: String) throws(Failure) -> String {
        try ProfileLibrary(userFolder: try context.home.agents).profile(name).summary(on: context).title
    }
}
