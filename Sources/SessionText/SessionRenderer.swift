import JSONScan
import TerminalText
import TextSearch
import Tinyvex

/// Renders a session's timeline for a person to read. Pure.
///
/// `attach --pretty`, `prompt`, `attach --take` and recordings use this renderer, so a session looks the same in all of
/// them. Lines end in LF alone. The updates of ACP version 1 and 2 differ in their kinds and look the same. The updates
/// of a subagent are indented, and can be labelled with its number.
package struct SessionRenderer: Sendable {
    /// The author of the message on the unfinished line.
    package var line = ExportCursor.Line.none
    /// ``ExportCursor/message(id:)`` of the message on the unfinished line.
    package var message: Int64 = 0
    /// A number for the changes of files that were shown last.
    package var change: Int64 {
        get { contents?.last ?? 0 }
        set { contents?.last = newValue }
    }

    private let hasColour: Bool
    /// Returns the name to show for the user of a prompt or an answer, such as `uid 1000`.
    private let nameOfUser: @Sendable (String) -> String
    /// Nil if each entry is rendered independently.
    private var memory: RenderMemory?
    /// Nil if only the titles of calls and the paths of changed files are shown.
    private var contents: CallContents?
    /// The session of the update that is being rendered. Empty for entries that do not name it.
    private var session = ""
    /// The beginning of each line of this update.
    private var indent: TerminalText = ""
    /// The beginning of each line, before the indentation of a subagent. Empty if only this session is shown.
    private let label: TerminalText
    /// Nil if the lines of subagents are not labelled.
    private var subagentLines: SubagentLines?
    /// The last end of an agent that was rendered is that of a killed bridge.
    private var showsInterruption = false

    /// - Parameters:
    ///   - remembers: True if earlier entries affect the output. Later updates of a tool call then show its
    ///   title, an unchanged status or plan entry is omitted, and an answer shows the name of its option. A whole
    ///   message shows only the text that its chunks did not show. Without memory the pages of a timeline can be
    ///   rendered separately, with ``line``, ``message`` and ``change`` passed from page to page.
    ///   - showsContents: True if the changes of files and the ends of commands' outputs are shown. False if only the
    ///   titles of calls and the paths of changed files are.
    ///   - labelsSubagents: True if several subagents can write at the same time. Their lines are then shown when they are
    ///   complete, each with the number of its subagent. Needs memory.
    ///   - label: Begins each line, which is then shown when it is complete, because other sessions can write at the same
    ///   time. Needs memory and `labelsSubagents`.
    ///   - nameOfUser: Returns the name to show for a user that an entry names, such as `uid 1000`.
    package init(
        hasColour: Bool, remembers: Bool, showsContents: Bool, labelsSubagents: Bool = false,
        label: TerminalText = "", nameOfUser: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.hasColour = hasColour
        self.nameOfUser = nameOfUser
        self.label = label
        memory = remembers ? RenderMemory() : nil
        contents = showsContents ? CallContents(remembers: remembers) : nil
        subagentLines = remembers && labelsSubagents ? SubagentLines() : nil
    }

    /// - Parameter content: The notification of an update, or the data of another entry.
    /// - Returns: The text to append to the output; empty if a person does not need the entry.
    package mutating func render(_ kind: TimelineEntryKind, _ content: JSONValue) -> TerminalText {
        enter(content["params"]?["sessionId"]?.stringValue ?? "")
        return switch kind {
        case .update: render(update: content["params"]?["update"])
        case .prompt: prompt(content)
        case .turnEnd: turnEnd(content)
        case .permissionRequest, .elicitationRequest: permissionRequest(content)
        case .permissionAnswer, .elicitationAnswer: permissionAnswer(content)
        case .agentStart: wholeLine("agent \(UpdateText.plain(content["agent"])) started", .dim)
        case .agentExit: agentExit(content)
        }
    }

    /// Renders the end of a session. The end of its agent is an entry of the timeline; other ends of a session are not.
    ///
    /// - Parameter reason: The reason in `tinyvex/ended`.
    package mutating func render(sessionEnd reason: String) -> TerminalText {
        enter("")
        let rest = endLines()
        return switch reason {
        case "closed": rest + wholeLine("session closed", .dim)
        // Earlier bridges stored no entry for it.
        case "interrupted" where !showsInterruption:
            rest + wholeLine("session interrupted: its bridge was killed", .dim)
        default: rest
        }
    }

    /// Call for a prompt that is not rendered. The agent can repeat it as a message of the user, which is omitted then.
    package mutating func omit(prompt text: String) { memory?.prompts[text] = "" }

    /// Ends the unfinished line, so that other text can follow.
    package mutating func endLine() -> TerminalText {
        defer { (line, message) = (.none, 0) }
        return line == .none ? "" : "\n"
    }

    /// Ends all unfinished lines, also those of subagents. Call at the end of the output.
    ///
    /// - Parameter session: Ends only the labelled line of this subagent, or of the session itself.
    package mutating func endLines(of session: String? = nil) -> TerminalText {
        let writer = session.map(writer)
        let lines = writer.map { subagentLines?.take($0) } ?? subagentLines?.takeAll()
        let shown = show(lines ?? [])
        return session == nil ? endLine() + shown : shown
    }

    /// The text blocks of a prompt entry, with spaces between them.
    package static func promptText(_ content: JSONValue) -> String { text(ofBlocks: content["prompt"]) }

    private static func text(ofBlocks blocks: JSONValue?) -> String {
        (blocks?.elements ?? []).compactMap { $0["text"]?.stringValue }.joined(separator: " ")
    }

    private mutating func enter(_ session: String) {
        self.session = session
        contents?.beginEntry()
        indent = indentation(of: session)
    }

    private func indentation(of session: String) -> TerminalText {
        guard let place = memory?.sessions.place(of: session) else { return label }
        let spaces = Array(repeating: "    " as TerminalText, count: place.depth).joined(separator: "")
        return label + (subagentLines == nil ? spaces : spaces + styled("[\(place.number)]", .cyan) + " ")
    }

    /// The session of this entry is a subagent.
    private var isSubagent: Bool { memory?.sessions.place(of: session) != nil }

    /// The key of a session's unfinished labelled line. Some entries of the session itself do not name it.
    private func writer(_ session: String) -> String { memory?.sessions.place(of: session) == nil ? "" : session }

    // MARK: Updates

    private mutating func render(update: JSONValue?) -> TerminalText {
        guard let update, let name = update["sessionUpdate"]?.stringValue else { return "" }
        if UpdateText.kindsOfVersion2.contains(name) { memory?.isVersion2 = true }
        guard let kind = RenderedKind(rawValue: name) else { return unknown(name) }
        return switch kind {
        case .agentMessageChunk: chunk(update, .message, .plain)
        case .agentThoughtChunk: chunk(update, .thought, .dim)
        case .userMessageChunk: chunk(update, .user, .cyan)
        case .sessionMessageChunk: chunk(update, .message, .dim, prefix: UpdateText.route(update))
        case .compactionSummaryChunk: chunk(update, .message, .dim, prefix: UpdateText.summary)
        case .agentMessage: wholeMessage(update, .message, .plain)
        case .agentThought: wholeMessage(update, .thought, .dim)
        case .userMessage: userMessage(update)
        case .sessionMessage: wholeMessage(update, .message, .dim, prefix: UpdateText.route(update))
        case .toolCall, .toolCallUpdate: toolCall(update, isNew: kind == .toolCall)
        case .toolCallContentChunk: contentChunk(update)
        case .terminalUpdate: terminal(update)
        case .terminalOutputChunk: output(update["data"]?.base64Bytes ?? [], of: terminalKey(update))
        case .plan: plan(update["entries"], id: nil)
        case .planUpdate: plan(update["plan"])
        case .currentModeUpdate: wholeLine("mode: \(UpdateText.plain(update["currentModeId"]))", .dim)
        case .configOptionUpdate: modes(update)
        case .stateUpdate: state(update, of: session)
        case .subagentUpdate: subagent(update)
        case .compactionUpdate: compaction(update)
        case .notice: wholeLine("\(UpdateText.notice(update))", UpdateText.noticeStyle(update))
        case .planRemoved, .availableCommandsUpdate, .sessionInfoUpdate, .usageUpdate, .replayComplete: ""
        }
    }

    /// Shows each unknown kind once, because an extension can send many. Without memory, they are left out.
    private mutating func unknown(_ kind: String) -> TerminalText {
        let name = String(kind.prefix(100))
        guard memory?.others.isNew("", for: "unknown \(name)") == true else { return "" }
        return wholeLine("update of unknown kind \(name)", .dim)
    }

    /// A key for an id. Ids of a subagent's entities can equal those of its parent.
    private func key(_ id: String) -> String {
        let isChild = (memory?.sessions.depth(of: session) ?? 0) > 0
        return isChild ? "\(session) \(id)" : id
    }

    // MARK: Messages

    /// Renders one chunk of a message. All chunks of one message continue the same line.
    private mutating func chunk(
        _ update: JSONValue, _ author: ExportCursor.Line, _ style: TerminalText.Style, prefix: TerminalText = ""
    ) -> TerminalText {
        guard let content = update["content"] else { return "" }
        let words = UpdateText.block(content)
        let id = messageKey(update, prefix)
        if let id { memory?[message: "\(author) \(id)"].append(words.text.utf8) }
        return text(words, author, id: id, style, prefix: prefix)
    }

    /// Renders the part of a message that was not shown before, or all of it if the shown text has been replaced.
    private mutating func wholeMessage(
        _ update: JSONValue, _ author: ExportCursor.Line, _ style: TerminalText.Style, prefix: TerminalText = ""
    ) -> TerminalText {
        guard let content = update["content"] ?? update["summary"] else { return "" }
        let id = messageKey(update, prefix) ?? key("")
        let words = UpdateText.blocks(content)
        // Without memory, the chunks on the unfinished line are taken for the whole message.
        if memory == nil, isUnfinished(author, id: id) { return "" }
        let rest = memory?[message: "\(author) \(id)"].replace(with: Array(words.text.utf8))
        let end = memory != nil && rest == nil ? endOwnLine() : ""
        let shown = rest.map { TerminalText(lines: String(decoding: $0, as: UTF8.self)) } ?? words
        return shown.isEmpty ? end : end + text(shown, author, id: id, style, prefix: prefix)
    }

    /// Renders a message of the user, unless it is the text of a prompt that was shown. Without memory, only the prompts
    /// among the timeline's other entries are shown.
    private mutating func userMessage(_ update: JSONValue) -> TerminalText {
        guard memory != nil else { return "" }
        let prompt = Self.text(ofBlocks: update["content"])
        guard !isSubagent, memory?.prompts.remove(prompt) != nil else { return wholeMessage(update, .user, .cyan) }
        let id = update["messageId"]?.stringValue ?? ""
        let words = Array(UpdateText.blocks(update["content"]).text.utf8)
        _ = memory?[message: "\(ExportCursor.Line.user) \(id)"].replace(with: words)
        return ""
    }

    /// The ids of messages between sessions and of compactions can equal those of other messages.
    private func messageKey(_ update: JSONValue, _ prefix: TerminalText) -> String? {
        if let id = update["compactionId"]?.stringValue { return "compaction \(key(id))" }
        guard let id = update["messageId"]?.stringValue else { return nil }
        return prefix.isEmpty ? key(id) : "session_message \(key(id))"
    }

    private func isUnfinished(_ author: ExportCursor.Line, id: String?) -> Bool {
        line == author && message == ExportCursor.message(id: id)
    }

    /// Continues the line of a text, or begins one.
    private mutating func text(
        _ words: TerminalText, _ author: ExportCursor.Line, id: String?, _ style: TerminalText.Style,
        prefix: TerminalText = ""
    ) -> TerminalText {
        if subagentLines != nil, !indent.isEmpty { return lines(words, "\(author) \(id ?? "")", style, prefix) }
        let isContinued = isUnfinished(author, id: id)
        let start = isContinued ? "" : endLine() + indent
        (line, message) = (author, ExportCursor.message(id: id))
        return start + styled(indented(isContinued ? words : prefix + words, style), style)
    }

    // MARK: Labelled lines

    /// Shows the lines that this text completes.
    private mutating func lines(
        _ words: TerminalText, _ message: String, _ style: TerminalText.Style, _ prefix: TerminalText
    ) -> TerminalText {
        let writer = writer(session)
        let isContinued = subagentLines?.continues(message, of: writer) == true
        let text = (isContinued ? words : prefix + words).text
        var shown = subagentLines?.add(text, message, style, of: writer) ?? []
        // The end of the turn, which would complete the line, can arrive before it.
        if memory?.isBetweenTurns == true, memory?.sessions.isWorking(session) != true {
            shown += subagentLines?.take(writer) ?? []
        }
        return show(shown)
    }

    private mutating func show(_ lines: [SubagentLines.Line]) -> TerminalText {
        guard !lines.isEmpty else { return "" }
        var shown = endLine()
        for line in lines {
            shown += indentation(of: line.session) + styled(TerminalText(lines: line.text), line.style) + "\n"
        }
        return shown
    }

    /// Ends the unfinished line of the session of this entry.
    private mutating func endOwnLine() -> TerminalText {
        let writer = writer(session)
        guard !indent.isEmpty, let lines = subagentLines?.take(writer) else { return endLine() }
        return show(lines) + endLine()
    }

    // MARK: Tool calls

    private mutating func toolCall(_ update: JSONValue, isNew: Bool) -> TerminalText {
        let id = UpdateText.plain(update["toolCallId"])
        let key = key(id)
        let status = update["status"]?.stringValue
        note(title: update["title"], of: key)
        contents?.note(
            update, of: key, hasOutput: status.map { $0 != "pending" } ?? !isNew,
            showsTerminals: memory?.isVersion2 == true)
        guard isShown(status, of: key, isNew: isNew) else {
            keepPaths(update, of: key)
            return ""
        }
        let title = update["title"]?.stringValue ?? memory?.titles[key] ?? id
        return toolCall(title, status) + details(update, of: key)
    }

    /// Keeps the paths of changed files until the call is shown.
    private mutating func keepPaths(_ update: JSONValue, of key: String) {
        guard contents == nil, memory?.isVersion2 == true, let content = update["content"] else { return }
        let changes = UpdateText.changes(content.elements)
        memory?.changes[key] = changes.map(TerminalFilter.oneLine).joined(separator: "\n")
    }

    /// Renders the changes of a call below its line, and the output of a call that has ended.
    private mutating func details(_ update: JSONValue, of key: String) -> TerminalText {
        guard contents != nil else {
            let hidden = memory?.changes.remove(key)?.filledLines.map(String.init)
            return changes(update["content"].map { UpdateText.changes($0.elements) } ?? hidden ?? [])
        }
        let status = update["status"]?.stringValue
        let shown = details(contents?.changes(of: key))
        guard status == "completed" || status == "failed" || status == "cancelled" else { return shown }
        return shown + details(contents?.output(of: key, hasFailed: status == "failed"))
    }

    private mutating func details(_ lines: [DetailLine]?) -> TerminalText {
        var shown: TerminalText = ""
        for line in lines ?? [] { shown += wholeLine(line.text, line.style) }
        return shown
    }

    private mutating func contentChunk(_ update: JSONValue) -> TerminalText {
        guard let item = update["content"] else { return "" }
        guard contents != nil else { return changes(UpdateText.changes([item])) }
        let key = key(UpdateText.plain(update["toolCallId"]))
        contents?.note(chunk: item, of: key)
        return details(contents?.changes(of: key))
    }

    private mutating func toolCall(_ title: String, _ status: String?) -> TerminalText {
        switch status {
        case "completed": wholeLine("✓ \(title)", .green)
        case "failed": wholeLine("✗ \(title)", .red)
        case "cancelled": wholeLine("✗ \(title) (cancelled)", .yellow)
        case "paused": wholeLine("… \(title) (paused)", .yellow)
        default: wholeLine("… \(title)", .yellow)
        }
    }

    private mutating func changes(_ changes: [String]) -> TerminalText {
        var shown: TerminalText = ""
        for change in changes { shown += wholeLine("  \(change)", .dim) }
        return shown
    }

    private mutating func note(title: JSONValue?, of call: String) {
        if let title = title?.stringValue {
            memory?.titles[call] = title
        } else if title?.isNull == true, memory?.isVersion2 == true {
            _ = memory?.titles.remove(call)
        }
    }

    /// Returns whether the status of a call must be shown. Without memory a new call is always shown, because later
    /// updates can lack its title.
    private mutating func isShown(_ status: String?, of call: String, isNew: Bool) -> Bool {
        guard let known = memory?.statuses else {
            return isNew || status == "completed" || status == "failed" || status == "cancelled"
        }
        guard let status, status != "pending", known[call] != status else { return false }
        memory?.statuses[call] = status
        return true
    }

    // MARK: Terminals

    private func terminalKey(_ update: JSONValue) -> String { key(UpdateText.plain(update["terminalId"])) }

    private mutating func terminal(_ update: JSONValue) -> TerminalText {
        let key = terminalKey(update)
        var shown: TerminalText = ""
        if let command = update["command"]?.stringValue, memory?.others.isNew(command, for: "command \(key)") ?? true {
            shown += wholeLine("$ \(command)", .dim)
        }
        let exit = update["exitStatus"].flatMap { $0.isNull ? nil : UpdateText.exit($0) }
        // Without memory, snapshots would repeat the output again and again.
        if let output = update["output"], memory != nil || exit != nil { shown += snapshot(output, of: key) }
        if let exit, memory?.others.isNew(exit, for: "exit \(key)") ?? true { shown += wholeLine("  \(exit)", .dim) }
        return shown
    }

    /// Renders the part of the whole output that was not shown before, or all of it if the shown output has been
    /// replaced.
    private mutating func snapshot(_ snapshot: JSONValue, of key: String) -> TerminalText {
        let bytes = snapshot["data"]?.base64Bytes ?? []
        var terminal = memory?[terminal: key] ?? ShownOutput()
        guard let rest = terminal.shown.replace(with: bytes) else {
            terminal.decoder = OutputDecoder()
            let words = terminal.decoder.text(of: bytes)
            memory?[terminal: key] = terminal
            return endLine() + show(output: words, of: key)
        }
        let words = terminal.decoder.text(of: rest)
        memory?[terminal: key] = terminal
        return show(output: words, of: key)
    }

    private mutating func output(_ bytes: [UInt8], of key: String) -> TerminalText {
        var terminal = memory?[terminal: key] ?? ShownOutput()
        terminal.shown.append(bytes)
        let words = terminal.decoder.text(of: bytes)
        memory?[terminal: key] = terminal
        return show(output: words, of: key)
    }

    private mutating func show(output: String, of key: String) -> TerminalText {
        output.isEmpty ? "" : text(TerminalText(lines: output), .output, id: key, .dim)
    }

    // MARK: Plans and modes

    private mutating func plan(_ plan: JSONValue?) -> TerminalText {
        let id = key(UpdateText.plain(plan?["planId"]))
        switch plan?["type"]?.stringValue {
        case "markdown": return planText(plan?["content"], id)
        case "file": return planText(plan?["uri"], id)
        default: return self.plan(plan?["entries"], id: id)
        }
    }

    private mutating func planText(_ text: JSONValue?, _ id: String) -> TerminalText {
        guard let text = text?.stringValue, memory?.others.isNew(text, for: "plan \(id)") ?? true else { return "" }
        return wholeLine("plan: \(lines: text)", .cyan)
    }

    /// - Parameter id: Nil for the only plan that a session has in ACP version 1.
    private mutating func plan(_ entries: JSONValue?, id: String?) -> TerminalText {
        var shown: TerminalText = ""
        for entry in entries?.elements ?? [] {
            let (step, status) = (UpdateText.plain(entry["content"]), UpdateText.plain(entry["status"]))
            let key = id.map { "\($0)\u{0}\(step)" } ?? step
            if let memory, memory.steps[key] == status { continue }
            memory?.steps[key] = status
            shown += wholeLine("\(Self.mark(status, isVersion2: id != nil)) \(step)", .cyan)
        }
        return shown
    }

    private static func mark(_ status: String, isVersion2: Bool) -> TerminalText {
        switch status {
        case "completed": "[x]"
        case "in_progress": "[>]"
        case "cancelled" where isVersion2: "[-]"
        default: "[ ]"
        }
    }

    /// ACP version 2 has no kind of update for modes: they are options of a category.
    private mutating func modes(_ update: JSONValue) -> TerminalText {
        var shown: TerminalText = ""
        for option in update["configOptions"]?.elements ?? [] where option["category"]?.stringValue == "mode" {
            guard let id = option["configId"]?.stringValue, let value = option["currentValue"]?.stringValue else {
                continue
            }
            let key = "mode \(key(id))"
            guard memory?.others.isNew(value, for: key) == true else { continue }
            shown += wholeLine("mode: \(value)", .dim)
        }
        return shown
    }

    // MARK: Turns

    private mutating func prompt(_ content: JSONValue) -> TerminalText {
        contents?.beginTurn()
        memory?.isBetweenTurns = false
        memory?.prompts[Self.promptText(content)] = ""
        return wholeLine("> \(lines: Self.promptText(content))\(author(content))", .bold)
            + omission(content["omittedBytes"])
    }

    /// In ACP version 2 the answer to a prompt contains only the message's id, and the turn ends with a `state_update`.
    private mutating func turnEnd(_ content: JSONValue) -> TerminalText {
        let hasEnd = content["stopReason"] != nil || content["error"] != nil || content["messageId"] == nil
        let end = UpdateText.turnEnd(content)
        guard hasEnd, memory?.end != end else { return "" }
        if memory?.sessions.end("") == true { memory?.end = end }
        memory?.isBetweenTurns = true
        // A subagent without a state of its own, as in version 1, ends with the turn.
        return endLines() + wholeLine("— \(end)", .dim)
    }

    /// A repeated `idle` is a snapshot and ends nothing. Without memory, the ends of turns come from the timeline's
    /// other entries.
    private mutating func state(_ state: JSONValue?, of session: String) -> TerminalText {
        guard let state, let name = state["state"]?.stringValue else { return "" }
        if name == "running" || name == "requires_action" {
            memory?.sessions.begin(session)
            if !isSubagent { memory?.turnBegan() }
        }
        guard name == "idle", memory?.sessions.end(session) == true else { return "" }
        let end = UpdateText.idle(state)
        if !isSubagent { memory?.turnEnded(end) }
        return wholeLine("— \(end)\(UpdateText.background(state))", .dim)
    }

    private mutating func subagent(_ update: JSONValue) -> TerminalText {
        guard let child = update["sessionId"]?.stringValue else { return "" }
        let title = update["title"]?.stringValue
        let isNew = memory?.sessions.announce(child, under: session) ?? (title != nil)
        let number = subagentLines == nil ? nil : memory?.sessions.place(of: child)?.number
        let name = number.map { "subagent \($0)" } ?? "subagent"
        let shown = isNew ? wholeLine("\(name): \(title ?? child)", .cyan) : ""
        enter(child)
        // Without an own depth, the child's state would be that of its parent.
        return isSubagent ? shown + state(update["state"], of: child) : shown
    }

    // MARK: Other entries

    private mutating func compaction(_ update: JSONValue) -> TerminalText {
        let key = "compaction \(key(UpdateText.plain(update["compactionId"])))"
        let summary = wholeMessage(update, .message, .dim, prefix: UpdateText.summary)
        guard let status = update["status"]?.stringValue, memory?.statuses.isNew(status, for: key) ?? true else {
            return summary
        }
        return summary + wholeLine("\(UpdateText.compaction(update, status))", .dim)
    }

    /// Renders a permission request of either version, or a question (an elicitation).
    private mutating func permissionRequest(_ content: JSONValue) -> TerminalText {
        let params = content["params"]
        let subject = params?["subject"]
        let call = params?["toolCall"] ?? subject?["toolCall"]
        let id = UpdateText.plain(call?["toolCallId"] ?? subject?["toolCallId"])
        memory?.note(offer: content, requestId: UpdateText.plain(content["requestId"]))
        if let question = params?["message"]?.stringValue {
            let shown = wholeLine("? \(question)", .yellow)
            guard let url = params?["url"]?.stringValue else { return shown }
            return shown + wholeLine("  \(url)", .yellow)
        }
        let title = params?["title"]?.stringValue ?? call?["title"]?.stringValue ?? memory?.titles[key(id)] ?? id
        let shown = wholeLine("? permission: \(title)", .yellow)
        return shown + requestDetails(params, call, of: key(id), below: title)
            + omission(content["omittedBytes"] ?? params?["omittedBytes"])
    }

    /// A prompt or a request that is too long for the timeline or for a list lacks some of its content.
    private mutating func omission(_ byteCount: JSONValue?) -> TerminalText {
        guard contents != nil, let byteCount = byteCount?.int64Value else { return "" }
        return wholeLine("  \(byteCount) bytes are not shown here: see acpbridge open", .dim)
    }

    /// Renders the command and the changes that a permission request is about.
    private mutating func requestDetails(
        _ params: JSONValue?, _ call: JSONValue?, of key: String, below title: String
    ) -> TerminalText {
        var shown: TerminalText = ""
        let ownCommand = contents == nil ? nil : call.flatMap(UpdateText.command)
        let isInTitle = ownCommand.map { title == $0 || title == "`\($0)`" } ?? true
        if let command = params?["subject"]?["command"]?.stringValue ?? (isInTitle ? nil : ownCommand) {
            shown += wholeLine("  $ \(command)", .yellow)
        }
        if let call { contents?.note(call, of: key, hasOutput: false, showsTerminals: false) }
        return shown + details(contents?.changes(of: key, isAsked: true))
    }

    /// Renders the command and the changes of a permission request for a dialog that shows its title itself.
    ///
    /// - Parameters:
    ///   - params: The params of the request.
    ///   - earlier: The tool call as the session's updates have shown it before; a request can name it by its id only.
    /// - Returns: Whole lines; empty if the request has neither.
    package static func details(
        ofRequest params: JSONValue, earlier: JSONValue? = nil, hasColour: Bool
    ) -> TerminalText {
        var renderer = SessionRenderer(hasColour: hasColour, remembers: false, showsContents: true)
        if let earlier { renderer.contents?.note(earlier, of: "", hasOutput: false, showsTerminals: false) }
        let call = params["toolCall"] ?? params["subject"]?["toolCall"] ?? earlier
        let title = params["title"] ?? call?["title"]
        return renderer.requestDetails(params, call, of: "", below: title?.stringValue ?? "")
            + renderer.omission(params["omittedBytes"])
    }

    /// Renders the chosen option and the user who chose it: `Allow (uid 1000)`.
    private mutating func permissionAnswer(_ content: JSONValue) -> TerminalText {
        let outcome = content["result"]?["outcome"]
        let id = outcome?["optionId"]?.stringValue
        let offered = memory?.takeOffer(UpdateText.plain(content["requestId"])) ?? []
        let action = content["result"]?["action"]?.stringValue
        let other = id ?? outcome?["outcome"]?.stringValue ?? action ?? "no answer"
        let choice = offered.first { $0.id == id }?.name ?? TerminalText(oneLine: other)
        return wholeLine("  \(choice) (\(content["by"]?.stringValue.map(nameOfUser) ?? "editor"))", .yellow)
    }

    private func author(_ content: JSONValue) -> TerminalText {
        content["by"]?.stringValue.map { " (\(nameOfUser($0)))" } ?? ""
    }

    private mutating func agentExit(_ content: JSONValue) -> TerminalText {
        showsInterruption = content["reason"]?.stringValue == "interrupted"
        return wholeLine("agent ended\(Self.ending(content))", .dim)
    }

    private static func ending(_ content: JSONValue) -> String {
        if content["reason"]?.stringValue == "interrupted" { return ", because its bridge was killed" }
        if let code = content["exitCode"] { return " with status \(code.rawString)" }
        return content["signal"].map { " by signal \($0.rawString)" } ?? ""
    }

    // MARK: Lines

    private mutating func wholeLine(_ text: TerminalText, _ style: TerminalText.Style) -> TerminalText {
        endOwnLine() + indent + styled(indented(text, style), style) + "\n"
    }

    /// Adds the indentation after each line feed.
    ///
    /// - Parameter style: The style of the text; the indentation has none.
    private func indented(_ text: TerminalText, _ style: TerminalText.Style) -> TerminalText {
        guard !indent.isEmpty else { return text }
        let lines = text.text.lines
            .map { TerminalText(lines: String($0)) }
        let isStyled = hasColour && style != .plain
        return lines.joined(separator: isStyled ? "\u{1b}[0m\n\(indent)\(style.start)" : "\n" + indent)
    }

    private func styled(_ text: TerminalText, _ style: TerminalText.Style) -> TerminalText {
        hasColour ? text.styled(style) : text
    }
}
