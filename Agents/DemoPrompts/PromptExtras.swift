/// The words of a prompt for work beyond text and tools. `PromptHelp` describes them.
package struct PromptExtras: Equatable, Sendable {
    /// Work that continues after the turn.
    package enum Background: Equatable, Sendable {
        case terminal, toolCall, approval, subagent
    }

    /// Parts of ACP that a client must accept without knowing their meaning, or that it rarely sees.
    package enum Oddity: Equatable, Sendable {
        case unknownState, customState, customUpdate, notice
    }

    /// More children or background terminals than a demonstration needs.
    package static let countLimit = 20
    package static let snapshotLimit = 1000
    /// 64 KiB of terminal output in one chunk.
    package static let splitLimitBytes = 65_536

    package var subagentCount = 0
    /// Each child has a child of its own.
    package var isNested = false
    package var background: [Background] = []
    /// The length of each background terminal or call; nil means until it is cancelled.
    package var backgroundLength: Duration? = .seconds(3)
    /// The states do not list the background work.
    package var isUnlisted = false
    package var elicitations: [ElicitationMode] = []
    /// The agent withdraws its permission requests after a while.
    package var withdrawsPermissions = false
    /// After this time, the agent begins a turn of its own.
    package var wakesAfter: Duration?
    /// The number of repeated idle states after the turn.
    package var snapshotCount = 0
    package var oddities: [Oddity] = []
    /// The response to the prompt comes before its `user_message`.
    package var answersFirst = false
    /// From this prompt on, the session behaves like an agent of an older draft of version 2.
    package var isOlder = false
    /// Bytes of terminal output per chunk. Seven bytes split most of the longer UTF-8 sequences.
    package var splitBytes = 7

    package init() {}
}

/// A way in which an agent asks the user for input (ACP `elicitation/create`).
package enum ElicitationMode: String, Sendable {
    case form, url
}

extension PromptExtras {
    mutating func apply(_ name: String, number: Int) {
        switch name {
        case "subagents": subagentCount = min(number, Self.countLimit)
        case "snapshots": snapshotCount = min(number, Self.snapshotLimit)
        case "background":
            background.removeAll { $0 == .terminal }
            background += Array(repeating: .terminal, count: min(number, Self.countLimit))
        case "split": splitBytes = max(1, min(number, Self.splitLimitBytes))
        default: break
        }
    }

    mutating func apply(_ word: Substring, next: Substring?) {
        switch (word, next) {
        case ("nested", "subagent"), ("nested", "subagents"):
            isNested = true
            subagentCount = max(1, subagentCount)
        case ("background", "terminal"): add(.terminal)
        case ("background", "call"): add(.toolCall)
        case ("background", "approval"): add(.approval)
        case ("background", "subagent"): add(.subagent)
        case ("unlisted", "background"): isUnlisted = true
        case ("lasting", "forever"): backgroundLength = nil
        case ("ask", "form"): elicitations.append(.form)
        case ("ask", "url"): elicitations.append(.url)
        case ("withdraw", "permission"), ("withdraw", "permissions"): withdrawsPermissions = true
        case ("answer", "first"): answersFirst = true
        case ("older", "agent"): isOlder = true
        default: applyOddity(word, next: next)
        }
    }

    private mutating func applyOddity(_ word: Substring, next: Substring?) {
        switch (word, next) {
        case ("unknown", "state"): oddities.append(.unknownState)
        case ("custom", "state"): oddities.append(.customState)
        case ("custom", "update"): oddities.append(.customUpdate)
        case ("a", "notice"): oddities.append(.notice)
        default: break
        }
    }

    private mutating func add(_ kind: Background) {
        if background.count < Self.countLimit { background.append(kind) }
    }
}
