import DemoPrompts
import JSONScan

/// The steps of the tools of version 2, and of children in both versions. The agent owns all files and terminals
/// here, and both are imagined.
struct ToolPlan {
    /// The session or child session that uses the tools.
    let sessionID: String
    let cwd: String
    let version: ProtocolVersion
    /// The beginning of all ids, so that they are unique in the root session.
    let prefix: String
    let subjects: [String]
    var asksForCommands = false
    var asksForEdits = false
    var rejectsEdits = false
    var extras = PromptExtras()
    var pace = Duration.zero

    private var path: String { (cwd == "/" ? "" : cwd) + "/demo-notes.md" }

    func title(of tool: Tool) -> String {
        switch tool {
        case .read: "Read demo-notes.md"
        case .edit: "Add a line to demo-notes.md"
        case .execute: command
        }
    }

    private var command: String { "echo demo: \(subjects.joined(separator: " "))" }

    func read() -> [Step] {
        let call = ToolCallUpdate.Call(
            id: "call_\(prefix)_read", title: title(of: .read), name: "Read", kind: "read")
        let begin = ToolCallUpdate.begin(call, version: version) { update in
            update.memberArray("locations") { list in list.object { $0.member("path", path) } }
        }
        return begun(call, begin) + working(call) + ended(call, "completed", "The notes of this agent are imagined.")
    }

    func edit() -> [Step] {
        let call = ToolCallUpdate.Call(
            id: "call_\(prefix)_edit", title: title(of: .edit), name: "Edit", kind: "edit")
        let begin = begun(call, ToolCallUpdate.begin(call, version: version) { writeEdit(to: &$0) })
        if rejectsEdits { return begin + ended(call, "failed", "Edits are rejected in this session") }
        let work = working(call) + ended(call, "completed", nil)
        guard asksForEdits else { return begin + work }
        let question = Question.permission(
            in: sessionID, version: version, title: "Add a line to demo-notes.md?", subject: .toolCall(call),
            withdrawsAfter: withdrawal)
        return begin + Self.asking(question, accepted: work, declined: ended(call, "failed", "Not approved"))
    }

    /// A command in a terminal that the agent owns.
    func execute() -> [Step] {
        let terminal = "term_\(prefix)"
        let call = ToolCallUpdate.Call(
            id: "call_\(prefix)_execute", title: command, name: "Bash", kind: "execute", isCancellable: true)
        let begin =
            [Step.perform(.begin(.terminal(terminal), TerminalUpdate.begin(terminal, command: command, cwd: cwd)))]
            + begun(call, ToolCallUpdate.begin(call, version: version) { Self.write(terminal: terminal, to: &$0) })
        let output = chunks(of: "demo: \(subjects.joined(separator: " "))\n✓ naïve café ☃ 🎉\n", terminal)
        let work =
            working(call) + output
            + [.perform(.end(.terminal(terminal), TerminalUpdate.exited(terminal, code: 0)))]
            + ended(call, "completed", nil)
        guard asksForCommands else { return begin + work }
        let question = Question.permission(
            in: sessionID, version: version, title: "Run \(command)?",
            subject: .command(command, cwd: cwd, toolCallID: call.id, terminalID: terminal), withdrawsAfter: withdrawal)
        let declined =
            [Step.perform(.end(.terminal(terminal), TerminalUpdate.neverStarted(terminal)))]
            + ended(call, "failed", "Not approved")
        return begin + Self.asking(question, accepted: work, declined: declined)
    }

    /// Output in chunks of `split=` bytes, at the pace of the script.
    func chunks(of text: String, _ terminal: String) -> [Step] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: extras.splitBytes).flatMap { start -> [Step] in
            let chunk = Array(bytes[start..<min(start + extras.splitBytes, bytes.count)])
            return [.perform(.output(terminalID: terminal, chunk)), .pause(paces: 1)]
        }
    }

    func begun(_ call: ToolCallUpdate.Call, _ update: [UInt8]) -> [Step] {
        [.perform(.begin(.toolCall(call.id, isCancellable: call.isCancellable), update))]
    }

    func working(_ call: ToolCallUpdate.Call) -> [Step] {
        [.update(ToolCallUpdate.status(call.id, "in_progress")), .pause(paces: 8)]
    }

    func ended(_ call: ToolCallUpdate.Call, _ status: String, _ text: String?) -> [Step] {
        let entity = Entity.toolCall(call.id, isCancellable: call.isCancellable)
        return [.perform(.end(entity, ToolCallUpdate.end(call.id, status, text: text)))]
    }

    /// Asks in the foreground: the session requires action until the answer.
    static func asking(_ question: Question, accepted: [Step], declined: [Step]) -> [Step] {
        [
            .state(.requiresAction),
            .ask(question, ifAccepted: [.state(.running)] + accepted, otherwise: [.state(.running)] + declined),
        ]
    }

    /// Ten paces, or a tenth of a second without a pace.
    var withdrawal: Duration? {
        guard extras.withdrawsPermissions else { return nil }
        return pace > .zero ? pace * 10 : .milliseconds(100)
    }

    private static func write(terminal: String, to update: inout JSONWriter) {
        update.memberArray("content") { content in
            content.object {
                $0.member("type", "terminal")
                $0.member("terminalId", terminal)
            }
        }
    }

    private func writeEdit(to update: inout JSONWriter) {
        update.memberArray("locations") { list in list.object { $0.member("path", path) } }
        update.memberArray("content") { content in
            content.object { diff in
                diff.member("type", "diff")
                version == .two ? writePatch(to: &diff) : writeTexts(to: &diff)
            }
        }
    }

    private var line: String { "- \(subjects.joined(separator: ", "))\n" }

    private func writeTexts(to diff: inout JSONWriter) {
        diff.member("path", path)
        diff.member("oldText", "# Demo notes\n")
        diff.member("newText", "# Demo notes\n" + line)
    }

    private func writePatch(to diff: inout JSONWriter) {
        diff.memberArray("changes") { changes in
            changes.object {
                $0.member("operation", "modify")
                $0.member("path", path)
            }
        }
        diff.memberObject("patch") {
            $0.member("format", "git_patch")
            $0.member(
                "text",
                """
                diff --git a/demo-notes.md b/demo-notes.md
                --- a/demo-notes.md
                +++ b/demo-notes.md
                @@ -1 +1,2 @@
                 # Demo notes
                +\(line)
                """)
        }
    }
}
