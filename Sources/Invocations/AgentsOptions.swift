import ArgumentParsing

/// Options of `acpbridge agents`.
package struct AgentsOptions: Equatable, Sendable {
    package enum Action: String, CaseIterable, Sendable {
        case `import`
    }

    /// Nil lists the agents.
    package var action: Action?
    /// List the running agents instead of the known ones. It excludes an action.
    package var running = false
    /// The registry's file; `-` for standard input. Given with an action.
    package var file: String?
    /// The ids of the agents to import.
    package var ids: [String] = []
    /// Import all agents of the file.
    package var all = false
    /// The name of the profile, if it is not the agent's id. Given with one id.
    package var savedName: String?
    /// Replace existing profiles of these names.
    package var replaces = false
    package var report: ReportOptions

    package init(
        action: Action? = nil, running: Bool = false, file: String? = nil, ids: [String] = [], all: Bool = false,
        savedName: String? = nil,
        replaces: Bool = false, report: ReportOptions = ReportOptions()
    ) {
        self.action = action
        self.running = running
        self.file = file
        self.ids = ids
        self.all = all
        self.savedName = savedName
        self.replaces = replaces
        self.report = report
    }
}

extension AgentsOptions.Action: ArgumentValue {}
