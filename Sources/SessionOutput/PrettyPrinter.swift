import JSONScan
import SessionText
import TerminalIO
import TerminalText
import Tinyvex

/// Prints the conversation in a human-readable form.
package struct PrettyPrinter: AttachPrinter {
    let filter: AttachFilter
    private var output = OutputBuffer()
    private var renderer: SessionRenderer
    /// Requests of the part that is not shown, as long as they are open: a person can be asked for the answer.
    private var hidden = HiddenRequests()
    /// The last entry was not shown.
    private var isHiding = false

    /// Returns true for a prompt that was typed on this terminal, because the terminal already shows it.
    private let hidesPrompt: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - isOwnBridge: The bridge runs on this machine, so its user ids are those of this machine's users.
    ///   - label: Begins each line, if the output has lines of several sessions; otherwise empty.
    package init(
        filter: AttachFilter, hasColour: Bool, isOwnBridge: Bool, label: TerminalText = "",
        hidingPrompts hidesPrompt: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.filter = filter
        self.hidesPrompt = hidesPrompt
        renderer =
            isOwnBridge
            ? SessionRenderer(
                hasColour: hasColour, remembers: true, showsContents: true, labelsSubagents: true, label: label,
                nameOfUser: LocalUser.name(for:))
            : SessionRenderer(
                hasColour: hasColour, remembers: true, showsContents: true, labelsSubagents: true, label: label)
    }

    package mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard let entry = TimelineValue(line), let kind = TimelineEntryKind(rawValue: entry.kind) else { return }
        guard filter.wants(seq: entry.seq, isUpdate: entry.isUpdate) else { return hide(entry, kind) }
        if isHiding { try endHiddenPart() }
        if kind == .update, !filter.includesKind(entry.updateKind) { return }
        if kind == .prompt, hidesPrompt(entry.promptText) { return omit(prompt: entry.promptText) }
        try output.append(renderer.render(kind, entry.content))
    }

    package mutating func hide(_ line: ArraySlice<UInt8>) {
        guard let entry = TimelineValue(line), let kind = TimelineEntryKind(rawValue: entry.kind) else { return }
        hide(entry, kind)
    }

    /// Later entries can refer to this one, so it is rendered.
    private mutating func hide(_ entry: TimelineValue, _ kind: TimelineEntryKind) {
        isHiding = true
        hidden.note(entry, kind, renderer.render(kind, entry.content))
        // An unfinished line with a label is not shown either.
        if let session = entry.content["params"]?["sessionId"]?.stringValue { _ = renderer.endLines(of: session) }
    }

    private mutating func endHiddenPart() throws {
        isHiding = false
        _ = renderer.endLine()
        for request in hidden.take() { try output.append(request) }
    }

    /// Call for a prompt that is not printed.
    mutating func omit(prompt text: String) { renderer.omit(prompt: text) }

    package mutating func flush() throws { try output.flush() }

    package var openLine: String { output.openLine }

    package mutating func endLine() throws {
        if isHiding { try endHiddenPart() }
        try output.append(renderer.endLine())
        try flush()
    }

    package mutating func endLines(of subagent: String?) throws {
        if isHiding { try endHiddenPart() }
        try output.append(renderer.endLines(of: subagent))
        try flush()
    }

    package mutating func sessionEnded(_ reason: String) throws {
        try output.append(renderer.render(sessionEnd: reason))
    }
}
