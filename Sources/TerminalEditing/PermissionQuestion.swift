import JSONScan
import SessionOutput
import SessionText
import TerminalText

/// An agent's permission request in the form that a terminal shows.
struct PermissionQuestion: Sendable {
    /// The agent's request id as JSON text.
    let requestId: [UInt8]
    let options: [PermissionOption]

    /// Returns nil if the entry is not a permission request, or has no options.
    init?(_ entry: TimelineValue) {
        guard entry.kind == "permission_request", let id = entry.content["requestId"] else { return nil }
        requestId = Array(id.rawText)
        options = PermissionOption.all(entry.content)
        if options.isEmpty { return nil }
    }

    /// The choices on one line, for example `1 Allow  2 Reject: `.
    var line: TerminalText {
        let choices = options.enumerated().map { index, option -> TerminalText in "\(index + 1) \(option.name)" }
        return choices.joined(separator: "  ") + ": "
    }

    /// The option that the user's input selects by number, name, id, or the unambiguous beginning of a name.
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

/// The permission requests of a session that wait for an answer, according to its timeline.
struct PendingPermissions {
    private var waiting: [PermissionQuestion] = []

    /// The request that has waited longest.
    var first: PermissionQuestion? { waiting.first }

    func isWaiting(_ question: PermissionQuestion) -> Bool {
        waiting.contains { $0.requestId == question.requestId }
    }

    mutating func note(_ entry: TimelineValue) {
        switch entry.kind {
        case "permission_request":
            if let question = PermissionQuestion(entry) { waiting.append(question) }
        case "permission_answer":
            let id = entry.content["requestId"].map { Array($0.rawText) }
            waiting.removeAll { $0.requestId == id }
        // Requests of an ended agent cannot be answered.
        case "agent_start", "agent_exit": waiting = []
        default: break
        }
    }
}
