import JSONScan
import Tinyvex

/// The first line of a session in the file that `acpbridge export` writes in the format NDJSON. The lines after it are
/// those of ``EnvelopeLine``. The file's child sessions follow, each with a head of its own and after its parent.
package struct ExportHead: Sendable, Equatable {
    /// The version of the format.
    package static let version: Int64 = 1
    static let kind = "export"

    package let agent: String
    package let sessionId: String
    package let title: String?
    package let cwd: String?
    /// The `sessionId` of the parent, which is in the same file; nil for the file's first session.
    package let parentId: String?

    /// The file ends with an ``ExportEnd``. Files of earlier versions have none.
    package let announcesEnd: Bool

    package init(
        agent: String, sessionId: String, title: String?, cwd: String?, parentId: String? = nil,
        announcesEnd: Bool = false
    ) {
        self.agent = agent
        self.sessionId = sessionId
        self.title = title
        self.cwd = cwd
        self.parentId = parentId
        self.announcesEnd = announcesEnd
    }

    /// `{"kind":"export","version":1,"agent":"codex","sessionId":"s1","title":"Fix the tests","cwd":"/src","end":true}`;
    /// the head of a child session has `"parentId":"s1"` and no `end`.
    package var line: [UInt8] {
        JSONWriter.object { writer in
            writer.member("kind", Self.kind)
            writer.member("version", Self.version)
            writer.member("agent", agent)
            writer.member("sessionId", sessionId)
            writer.member("parentId", ifPresent: parentId)
            writer.member("title", ifPresent: title)
            writer.member("cwd", ifPresent: cwd)
            // A child session has no end of its own, because the file has one.
            if announcesEnd { writer.member("end", true) }
        }
    }
}

/// The last line of a file that `acpbridge export` writes in the format NDJSON. By it an import recognizes a file that was
/// cut between two lines.
package struct ExportEnd: Sendable, Equatable {
    static let kind = "end"

    /// The number of the lines before, without empty ones.
    package let lineCount: Int64

    package init(lineCount: Int64) { self.lineCount = lineCount }

    /// `{"kind":"end","lines":17}`
    package var line: [UInt8] {
        JSONWriter.object { writer in
            writer.member("kind", Self.kind)
            writer.member("lines", lineCount)
        }
    }
}

/// One line of an NDJSON export. Pure.
package enum ExportLine: Equatable {
    case head(ExportHead)
    /// `notification` is the whole `session/update`. `ts` is in milliseconds since 1970.
    case update(ts: Int64, notification: [UInt8])
    case entry(ts: Int64, kind: TimelineEntryKind, data: [UInt8])
    /// Updates that the export does not have.
    case skipped
    case end(ExportEnd)

    /// The reason why a line cannot be imported: the end of a sentence that begins with the line's number.
    package struct Fault: Error, Equatable {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The largest line that can be imported. A request to the bridge has at most 16 MiB, and quoting a line in JSON can
    /// double it.
    package static let limitBytes = 7 << 20

    package init(_ line: [UInt8]) throws(Fault) {
        guard line.count <= Self.limitBytes else {
            throw Fault(reason: "is longer than \(Self.limitBytes >> 20) MiB")
        }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(validating: line)
        } catch {
            throw Fault(reason: "is not JSON: \(error)")
        }
        guard value.kind == .object, !value.repeatsName, let name = value["kind"]?.stringValue else {
            throw Fault(reason: "is not an object with 'kind'")
        }
        switch name {
        case ExportHead.kind: self = .head(try Self.head(value))
        case "skipped": self = .skipped
        case ExportEnd.kind:
            guard let lines = value["lines"]?.int64Value else { throw Fault(reason: "has no number 'lines'") }
            self = .end(ExportEnd(lineCount: lines))
        default:
            guard let kind = TimelineEntryKind(rawValue: name) else {
                throw Fault(reason: "has the unknown kind \(quoted(name))")
            }
            guard let ts = value["ts"]?.stringValue.flatMap(Timestamp.parse) else {
                throw Fault(reason: "has no 'ts' such as 2026-01-31T10:30:00.000Z")
            }
            self = try Self.entry(kind, ts, value)
        }
    }

    private static func head(_ value: JSONValue) throws(Fault) -> ExportHead {
        guard value["version"]?.int64Value == ExportHead.version else {
            throw Fault(reason: "is of another version of the format; this program reads version \(ExportHead.version)")
        }
        guard let agent = value["agent"]?.stringValue, !agent.isEmpty,
            let id = value["sessionId"]?.stringValue
        else { throw Fault(reason: "has no 'agent' and 'sessionId'") }
        return ExportHead(
            agent: agent, sessionId: id, title: value["title"]?.stringValue, cwd: value["cwd"]?.stringValue,
            parentId: value["parentId"]?.stringValue, announcesEnd: value["end"]?.boolValue == true)
    }

    private static func entry(
        _ kind: TimelineEntryKind, _ ts: Int64, _ value: JSONValue
    ) throws(Fault) -> ExportLine {
        guard kind == .update else {
            // The data of a turn's end is the agent's answer, which can be any value.
            guard let data = value["data"], data.kind == .object || kind == .turnEnd else {
                throw Fault(reason: "has no object 'data'")
            }
            return .entry(ts: ts, kind: kind, data: Array(data.rawText))
        }
        guard let notification = value["notification"], notification.kind == .object else {
            throw Fault(reason: "has no object 'notification'")
        }
        guard !notification.repeatsName, notification["method"]?.stringValue == "session/update",
            let params = notification["params"], params.kind == .object, !params.repeatsName,
            params["sessionId"]?.kind == .string, params["update"]?.kind == .object
        else { throw Fault(reason: "has a 'notification' that is not a session/update") }
        return .update(ts: ts, notification: Array(notification.rawText))
    }

    /// The same line in an import: its session's id is replaced in the update, prompt or request. Ids of other sessions are
    /// replaced where the protocol names a child session or the sender and recipient of a message between sessions.
    package func renamed(by ids: ImportIds) -> ExportLine {
        switch self {
        case .head, .skipped, .end: self
        case .update(let ts, let notification): .update(ts: ts, notification: Self.rename(notification, by: ids))
        case .entry(let ts, let kind, let data):
            switch kind {
            case .prompt: .entry(ts: ts, kind: kind, data: Self.rename(data, ["sessionId"], by: ids))
            case .permissionRequest, .elicitationRequest:
                .entry(ts: ts, kind: kind, data: Self.rename(data, ["params", "sessionId"], by: ids))
            default: self
            }
        }
    }

    private static func rename(_ text: [UInt8], _ path: [String], by ids: ImportIds) -> [UInt8] {
        var value = try? JSONValue(validating: text)
        for name in path { value = value?[name] }
        guard let token = value, token.kind == .string else { return text }
        return JSONStrings.replacing(text, [(token.rawText.indices, JSONWriter.scalar(ids.current))])
    }

    private static func rename(_ notification: [UInt8], by ids: ImportIds) -> [UInt8] {
        guard let params = (try? JSONValue(validating: notification))?["params"], let own = params["sessionId"],
            let name = own.stringValue
        else { return notification }
        var tokens = [(range: own.rawText.indices, with: JSONWriter.scalar(ids.current))]
        for other in params["update"].map(Self.sessions) ?? [] {
            guard let id = other.stringValue else { continue }
            let renamed = id == name ? ids.current : ids.imported(id)
            tokens.append((range: other.rawText.indices, with: JSONWriter.scalar(renamed)))
        }
        return JSONStrings.replacing(notification, tokens.sorted { $0.range.lowerBound < $1.range.lowerBound })
    }

    /// The ids of sessions in an update.
    private static func sessions(in update: JSONValue) -> [JSONValue] {
        switch update["sessionUpdate"]?.stringValue {
        case "subagent_update": [update["sessionId"]].compactMap(\.self)
        case "session_message", "session_message_chunk":
            [update["senderSessionId"], update["recipientSessionId"]].compactMap(\.self)
        case "state_update": (update["background"]?.elements ?? []).compactMap { $0["sessionId"] }
        default: []
        }
    }
}
