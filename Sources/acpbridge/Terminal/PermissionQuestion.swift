import JSONScan
import SessionText
import TerminalText

/// What an agent asks to be allowed, as a terminal puts it.
struct PermissionQuestion: Sendable {
    /// The agent's own, as JSON text.
    let requestId: [UInt8]
    let options: [PermissionOption]

    /// Nil where the entry is no request, or one without options.
    init?(_ entry: TimelineEntry) {
        guard entry.kind == "permission_request", let id = entry.content["requestId"] else { return nil }
        requestId = Array(id.rawText)
        options = PermissionOption.all(entry.content)
        if options.isEmpty { return nil }
    }

    /// `1 Allow  2 Reject: `
    var line: TerminalText {
        let choices = options.enumerated().map { index, option -> TerminalText in "\(index + 1) \(option.name)" }
        return choices.joined(separator: "  ") + ": "
    }

    /// The option that these words choose: its number, or its name or id, or the beginning of one name alone.
    func option(for words: String) -> PermissionOption? {
        if let number = Int(words) { return options.indices.contains(number - 1) ? options[number - 1] : nil }
        let words = words.lowercased()
        if words.isEmpty { return nil }
        if let exact = options.first(where: { $0.id == words || $0.typedName == words }) { return exact }
        let found = options.filter { $0.typedName.hasPrefix(words) }
        return found.count == 1 ? found[0] : nil
    }
}

extension PermissionOption {
    fileprivate var typedName: String { name.text.lowercased() }
}

/// Which requests of a session wait for an answer, as its timeline tells.
struct PermissionDesk {
    private var waiting: [PermissionQuestion] = []

    /// The one that has waited longest.
    var first: PermissionQuestion? { waiting.first }

    func isWaiting(_ question: PermissionQuestion) -> Bool {
        waiting.contains { $0.requestId == question.requestId }
    }

    mutating func note(_ entry: TimelineEntry) {
        switch entry.kind {
        case "permission_request":
            if let question = PermissionQuestion(entry) { waiting.append(question) }
        case "permission_answer":
            let id = entry.content["requestId"].map { Array($0.rawText) }
            waiting.removeAll { $0.requestId == id }
        // What an agent that has ended has asked, nobody can answer.
        case "agent_start", "agent_exit": waiting = []
        default: break
        }
    }
}
