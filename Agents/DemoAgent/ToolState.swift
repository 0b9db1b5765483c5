import JSONRPC
import JSONScan

/// What a turn's tools have found out, and the updates and requests that follow from it.
///
/// With a client that offers files, the tools read and append to `demo-notes.md` in the session's folder; with one that
/// offers a terminal, they run `echo` in it. Without, they only say so: this agent touches no file itself.
struct ToolState {
    /// What `demo-notes.md` holds.
    enum Notes: Equatable {
        /// Not looked at.
        case unread
        /// The client says that there is no such file (`-32002`).
        case missing
        case text(String)
    }

    let setting: TurnSetting
    let subjects: [String]
    var notes = Notes.unread
    var terminalID: String?
    var output: String?
    /// The tool call that has begun and not finished.
    var open: Tool?
    /// Why the open tool call fails.
    var failure: String?
    var isCancelled = false

    /// Nothing is written over a file that could not be read.
    var hasReadFailed = false

    init(setting: TurnSetting, subjects: [String]) {
        self.setting = setting
        self.subjects = subjects
    }

    var path: String { (setting.cwd == "/" ? "" : setting.cwd) + "/demo-notes.md" }

    func callID(_ tool: Tool) -> String { "call_\(setting.turn)_\(tool.rawValue)" }

    func title(of tool: Tool) -> String {
        switch tool {
        case .read: "Read demo-notes.md"
        case .edit: "Add a line to demo-notes.md"
        case .execute: "echo \(arguments.joined(separator: " "))"
        }
    }

    /// Letters and hyphens only, by `Prose.subjects`: safe in any shell.
    var arguments: [String] { ["demo:"] + subjects }

    var oldText: String? {
        if case .text(let text) = notes { text } else { nil }
    }

    var newText: String {
        let old = oldText ?? "# Demo notes\n"
        return old + (old.hasSuffix("\n") || old.isEmpty ? "" : "\n")
            + "- Turn \(setting.turn): \(subjects.joined(separator: ", "))\n"
    }
}
