import JSONRPC
import JSONScan

/// The results of a turn's tools, and the updates and requests that follow from them.
///
/// If the client supports files, the tools read and extend `demo-notes.md` in the session's working directory. If
/// the client supports terminals, they run `echo` in one. Otherwise they only report the calls: the agent itself
/// accesses no file.
struct ToolState {
    /// The contents of `demo-notes.md`.
    enum Notes: Equatable {
        /// Not read.
        case unread
        /// The client reported that the file does not exist (`-32002`).
        case missing
        case text(String)
    }

    let setting: TurnSetting
    let subjects: [String]
    var notes = Notes.unread
    var terminalID: String?
    var output: String?
    /// The tool call that has begun and not ended.
    var open: Tool?
    /// The reason why the open tool call fails.
    var failure: String?
    var isCancelled = false

    /// Set after a failed read, because a file that could not be read must not be overwritten.
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

    /// Only letters and hyphens (see `Prose.subjects`), which are safe in any shell.
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
