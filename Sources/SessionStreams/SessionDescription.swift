import ACPRouting
import FieldLimits
import JSONScan
import SessionRecords
import Tinyvex

/// The data about a session beside its updates. Pure.
struct SessionDescription: Codable {
    /// The agent's own title; the empty string removes it.
    private(set) var agentTitle: String?
    private(set) var firstPrompt: String?
    private(set) var cwd: String?
    /// The id of the parent session.
    private(set) var parentId: String?
    private var report: UsageReport?
    /// The ``UsageReport/storedText`` that the log has, or is about to get.
    private var storedUsageText: String?

    /// The names in a hand-over, so they must not change.
    private enum CodingKeys: String, CodingKey {
        case agentTitle, firstPrompt, cwd, parentId, storedUsageText
        case report = "usageText"
    }

    init() {}

    init(_ record: SessionRecord) {
        agentTitle = record.title
        firstPrompt = record.firstPrompt
        cwd = record.cwd
        parentId = record.parentId
        report = record.usage.map(UsageReport.init(storedText:))
        storedUsageText = record.usage
    }

    /// Sets the title and the folder. A title over the limit is cut, and a folder over the limit is left out.
    mutating func describe(title: String?, cwd: String?) {
        if let title { agentTitle = title.prefix(scalars: FieldLimit.titleCharacters) }
        if let cwd = cwd?.within(bytes: FieldLimit.folderBytes) { self.cwd = cwd }
    }

    mutating func describe(parentId: String) { self.parentId = parentId }

    mutating func describe(usage update: UsageUpdate) { report = usageReport { $0.apply(update) } }

    /// Call for each entry of the timeline. The cost of a session depends on its agent's runs and prompts.
    mutating func noted(_ kind: TimelineEntryKind, _ body: [UInt8]) {
        switch kind {
        case .agentStart: report = usageReport { $0.runBegan() }
        case .prompt: report = usageReport { $0.prompted() }
        case .turnEnd: turnEnded(body)
        case .update, .permissionRequest, .permissionAnswer, .elicitationRequest, .elicitationAnswer,
            .agentExit:
            break
        }
    }

    /// The agent can report the tokens that the turn has consumed.
    mutating func turnEnded(_ outcome: [UInt8]) {
        guard let value = try? JSONValue(validating: outcome), value["usage"] != nil else { return }
        report = usageReport { $0.turnEnded(value) }
    }

    /// - Parameter usage: the text that the log has of the session's earlier runs.
    mutating func resumed(usage: String) {
        report = usageReport { $0.resume(UsageReport(storedText: usage)) }
        storedUsageText = usage
    }

    private func usageReport(_ change: (inout UsageReport) -> Void) -> UsageReport {
        var report = report ?? UsageReport()
        change(&report)
        return report
    }

    /// Returns true if the log must get the usage. Call at the end of a turn: an agent can report its usage with each
    /// piece of a message.
    mutating func takeUsageChange() -> Bool {
        let text = report?.storedText
        defer { storedUsageText = text }
        return text != storedUsageText
    }

    /// Nil if the agent has reported nothing.
    var usage: UsageReport? { report?.storedText == nil ? nil : report }

    /// The agent's title, or the beginning of the first prompt.
    var title: String? { PromptTitle.title(agents: agentTitle, firstPrompt: firstPrompt) }

    /// Records the first prompt. Returns false for later prompts, which are ignored.
    mutating func prompted(_ text: String) -> Bool {
        guard firstPrompt == nil else { return false }
        firstPrompt = text.prefix(scalars: FieldLimit.promptCharacters)
        return true
    }

    func facts(tenant: String?, end: SessionEnd?, lastTime: Int64) -> SessionFacts {
        SessionFacts(
            title: agentTitle, cwd: cwd, firstPrompt: firstPrompt, tenant: tenant, parentId: parentId,
            usage: report?.storedText, state: end == nil ? .live : .ended, exit: end.map { $0.storedText },
            lastTs: lastTime)
    }
}
