import JSONScan
import SessionText
import TerminalIO
import Tinyvex

/// Prints the conversation in a human-readable form.
package struct PrettyPrinter: AttachPrinter {
    let filter: AttachFilter
    private var output = OutputBuffer()
    private var renderer: SessionRenderer

    /// Returns true for a prompt that was typed on this terminal, because the terminal already shows it.
    private let hidesPrompt: @Sendable (String) -> Bool

    /// - Parameter isOwnBridge: The bridge runs on this machine, so its user ids are those of this machine's users.
    package init(
        filter: AttachFilter, hasColour: Bool, isOwnBridge: Bool,
        hidingPrompts hidesPrompt: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.filter = filter
        self.hidesPrompt = hidesPrompt
        renderer =
            isOwnBridge
            ? SessionRenderer(
                hasColour: hasColour, remembers: true, showsContents: true, nameOfUser: LocalUser.name(for:))
            : SessionRenderer(hasColour: hasColour, remembers: true, showsContents: true)
    }

    package mutating func print(_ line: ArraySlice<UInt8>, seq: Int64) throws {
        guard let entry = TimelineValue(line), let kind = TimelineEntryKind(rawValue: entry.kind) else { return }
        guard filter.wants(seq: entry.seq, isUpdate: entry.isUpdate) else { return }
        if kind == .update, !filter.includesKind(entry.updateKind) { return }
        if kind == .prompt, hidesPrompt(entry.promptText) { return omit(prompt: entry.promptText) }
        try output.append(renderer.render(kind, entry.content))
    }

    /// Call for a prompt that is not printed.
    mutating func omit(prompt text: String) { renderer.omit(prompt: text) }

    package mutating func flush() throws { try output.flush() }

    package var openLine: String { output.openLine }

    package mutating func endLine() throws {
        try output.append(renderer.endLine())
        try flush()
    }

    package mutating func sessionEnded(_ reason: String) throws {
        try output.append(renderer.render(sessionEnd: reason))
    }
}
