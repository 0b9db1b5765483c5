import SessionLog
import Tinyvex

/// What is known of a session beside its updates. Pure.
struct SessionDescription: Codable {
    /// The agent's own; the empty string takes it away.
    private(set) var agentTitle: String?
    private(set) var firstPrompt: String?
    private(set) var cwd: String?

    init() {}

    init(_ record: SessionRecord) {
        agentTitle = record.title
        firstPrompt = record.firstPrompt
        cwd = record.cwd
    }

    /// A title is cut, and a folder that is too long is left out.
    mutating func describe(title: String?, cwd: String?) {
        if let title { agentTitle = title.prefix(scalars: FieldLimit.titleCharacters) }
        if let cwd = cwd?.within(bytes: FieldLimit.folderBytes) { self.cwd = cwd }
    }

    /// The agent's title, or the beginning of the first prompt.
    var title: String? { PromptTitle.title(agents: agentTitle, firstPrompt: firstPrompt) }

    /// Of several the first counts; false for the others.
    mutating func prompted(_ text: String) -> Bool {
        guard firstPrompt == nil else { return false }
        firstPrompt = text.prefix(scalars: FieldLimit.promptCharacters)
        return true
    }

    func facts(tenant: String?, end: SessionEnd?, lastTime: Int64) -> SessionFacts {
        SessionFacts(
            title: agentTitle, cwd: cwd, firstPrompt: firstPrompt, tenant: tenant, state: end == nil ? .live : .ended,
            exit: end.map { $0.storedText }, lastTs: lastTime)
    }
}
