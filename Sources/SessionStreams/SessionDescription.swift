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

    init() {}

    init(_ record: SessionRecord) {
        agentTitle = record.title
        firstPrompt = record.firstPrompt
        cwd = record.cwd
        parentId = record.parentId
        usageText = record.usage
    }

    /// Sets the title and the folder. A title over the limit is cut, and a folder over the limit is left out.
    mutating func describe(title: String?, cwd: String?) {
        if let title { agentTitle = title.prefix(scalars: FieldLimit.titleCharacters) }
        if let cwd = cwd?.within(bytes: FieldLimit.folderBytes) { self.cwd = cwd }
    }

    mutating func describe(parentId: String) { self.parentId = parentId }

    /// Applies a `usage_update`. Returns false if it changes nothing.
    mutating func describe(usage update: JSONValue) -> Bool {
        var report = usage ?? UsageReport()
        let earlier = report
        report.apply(update)
        guard report != earlier else { return false }
        usageText = report.storedText
        return true
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
