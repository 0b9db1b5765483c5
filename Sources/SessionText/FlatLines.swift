import JSONScan
import TerminalText
import Tinyvex

/// Turns a session's timeline into short JSON objects without nested values, for log tools. Pure.
///
///     {"seq":12,"ts":"2026-11-21T04:00:00.123Z","session":"demo-17","agent":"demo","kind":"tool_call",
///      "tool":"edit","call":"t1","status":"pending","text":"… Add a line"}
///
/// `kind` is the kind of the update (`sessionUpdate`), or of the entry. `tool`, `call` and `status` are missing if the
/// entry has none. `text` is the entry as `attach --pretty` shows it, without the changes of files and outputs of calls.
package struct FlatLines: Sendable {
    /// Bytes of one line with its line feed. The lowest limit of a common log tool is 8 KiB (rsyslog), with its own header.
    /// A longer text is cut and ends with `…`.
    package static let limitBytes = 4096
    /// Bytes of each other value, as JSON without quotes. All of them together leave at least 2 KiB for the text.
    private static let fieldLimitBytes = 256

    private let session: String
    private let agent: String
    private var renderer: SessionRenderer
    /// ACP's kinds of tool calls (`read`, `edit`) and their titles, by the call's id.
    private var tools = RecentTexts()
    private var titles = RecentTexts()

    /// - Parameters:
    ///   - session: The session of entries that do not name one.
    ///   - nameOfUser: Returns the name to show for a user that an entry names, such as `uid 1000`.
    package init(
        session: String, agent: String, nameOfUser: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.session = session
        self.agent = agent
        renderer = SessionRenderer(
            hasColour: false, remembers: true, showsContents: false, nameOfUser: nameOfUser)
    }

    /// - Parameters:
    ///   - seq: The number of an update, or of the last update before another entry.
    ///   - time: Milliseconds since 1970.
    ///   - content: The notification of an update, or the data of another entry.
    /// - Returns: One JSON object without a line feed.
    package mutating func line(
        seq: Int64, time: Int64, kind: TimelineEntryKind, content: JSONValue
    ) -> [UInt8] {
        let update = content["params"]?["update"]
        let call = Self.call(update, content)
        let id = call?["toolCallId"]?.stringValue
        note(call, id)
        let fields: [(String, String?)] = [
            ("session", content["params"]?["sessionId"]?.stringValue ?? session), ("agent", agent),
            ("kind", update?["sessionUpdate"]?.stringValue ?? kind.rawValue), ("tool", id.flatMap { tools[$0] }),
            ("call", id), ("status", Self.status(kind, update ?? content)),
        ]
        let text = text(kind, content, call: id)
        return JSONWriter.object { writer in
            writer.member("seq", seq)
            writer.member("ts", Timestamp.milliseconds(time))
            for case (let name, let value?) in fields {
                writer.member(name, Self.cut(TerminalFilter.oneLine(value), to: Self.fieldLimitBytes))
            }
            // `,"text":""}` and the line feed have 12 bytes.
            writer.member("text", Self.cut(text, to: Self.limitBytes - writer.bytes.count - 12))
        }
    }

    /// The object with the members of a tool call: the update itself, or a part of a permission request of either version.
    private static func call(_ update: JSONValue?, _ content: JSONValue) -> JSONValue? {
        if let update { return update }
        let params = content["params"]
        return params?["toolCall"] ?? params?["subject"]?["toolCall"] ?? params?["subject"]
    }

    private mutating func note(_ call: JSONValue?, _ id: String?) {
        guard let call, let id else { return }
        if let kind = call["kind"]?.stringValue { tools[id] = kind }
        if let title = call["title"]?.stringValue { titles[id] = title }
    }

    /// The renderer shows a call's status only if it has changed. A line for a log always has the title.
    private mutating func text(_ kind: TimelineEntryKind, _ content: JSONValue, call: String?) -> String {
        let shown = renderer.render(kind, content).text
        if shown.isEmpty { return TerminalFilter.oneLine(call.flatMap { titles[$0] } ?? "") }
        // A part of a message leaves its line open, and a line feed at its end belongs to the message.
        let isPart = !renderer.endLine().isEmpty
        return isPart || shown.last != "\n" ? shown : String(shown.dropLast())
    }

    // MARK: Status

    /// - Parameter value: An update, or the data of another entry.
    private static func status(_ kind: TimelineEntryKind, _ value: JSONValue) -> String? {
        switch kind {
        case .update: status(ofUpdate: value)
        case .turnEnd: value["stopReason"]?.stringValue ?? (value["error"] == nil ? nil : "error")
        case .permissionAnswer, .elicitationAnswer: answer(value)
        case .agentExit: exit(code: value["exitCode"], signal: value["signal"]) ?? interruption(value)
        case .agentStart, .prompt, .permissionRequest, .elicitationRequest: nil
        }
    }

    private static func status(ofUpdate update: JSONValue) -> String? {
        if let exitStatus = update["exitStatus"], !exitStatus.isNull {
            return exit(code: exitStatus["exitCode"], signal: exitStatus["signal"])
        }
        let state = update["state"]
        return update["status"]?.stringValue ?? state?.stringValue ?? state?["state"]?.stringValue
    }

    private static func answer(_ answer: JSONValue) -> String? {
        if answer["error"] != nil { return "error" }
        let result = answer["result"]
        return result?["outcome"]?["outcome"]?.stringValue ?? result?["action"]?.stringValue
    }

    private static func exit(code: JSONValue?, signal: JSONValue?) -> String? {
        if let code, !code.isNull { return "exit \(UpdateText.plain(code))" }
        return signal.flatMap { $0.isNull ? nil : "signal \(UpdateText.plain($0))" }
    }

    /// The bridge was killed, and its agent with it.
    private static func interruption(_ exit: JSONValue) -> String? {
        exit["reason"]?.stringValue.flatMap { $0 == "interrupted" ? $0 : nil }
    }

    // MARK: Limits

    /// The longest beginning of `text` that fits as JSON, with `…` if something is missing.
    ///
    /// - Parameters:
    ///   - text: Filtered text: of the control characters, it has only line feeds and tabs.
    ///   - limit: Bytes of the JSON text without quotes.
    static func cut(_ text: String, to limit: Int) -> String {
        let mark = "…"
        var (byteCount, end, fitting) = (0, text.startIndex, text.startIndex)
        for scalar in text.unicodeScalars {
            byteCount += size(scalar)
            guard byteCount <= limit else { return text[..<fitting] + mark }
            end = text.unicodeScalars.index(after: end)
            if byteCount <= limit - mark.utf8.count { fitting = end }
        }
        return text
    }

    /// Bytes in JSON: quotes, backslashes, line feeds and tabs have a backslash before them.
    private static func size(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "\"", "\\", "\n", "\t": 2
        default: UTF8.width(scalar)
        }
    }
}
