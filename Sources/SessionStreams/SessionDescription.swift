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
    /// ``UsageReport/storedText``. A hand-over has it in this form, too.
    private var usageText: String?
    /// The text that the log has, or is about to get.
    private var storedUsageText: String?

    init() {}

    init(_ record: SessionRecord) {
        agentTitle = record.title
        firstPrompt = record.firstPrompt
        cwd = record.cwd
        parentId = record.parentId
        usageText = record.usage
        storedUsageText = record.usage
    }

    /// Sets the title and the folder. A title over the limit is cut, and a folder over the limit is left out.
    mutating func describe(title: String?, cwd: String?) {
        if let title { agentTitle = title.prefix(scalars: FieldLimit.titleCharacters) }
        if let cwd = cwd?.within(bytes: FieldLimit.folderBytes) { self.cwd = cwd }
    }

    mutating func describe(parentId: String) { self.parentId = parentId }

    /// Applies a `usage_update`.
    mutating func describe(usage update: JSONValue) {
        var report = usage ?? UsageReport()
        report.apply(update)
        usageText = report.storedText
    }

    /// Returns true if the log must get the usage. Call at the end of a turn: an agent can report its usage with each
    /// piece of a message.
    mutating func takeUsageChange() -> Bool {
        defer { storedUsageText = usageText }
        return usageText != storedUsageText
    }

    var usage: UsageReport? { usageText.map(UsageReport.init(storedText:)) }

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
            usage: usageText, state: end == nil ? .live : .ended, exit: end.map { $0.storedText }, lastTs: lastTime)
    }
}
