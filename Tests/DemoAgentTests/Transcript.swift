import JSONScan

@testable import acpbridge_demo_agent

/// A client of version 2 and of child sessions.
extension Client {
    /// A client that has agreed on version 2.
    static func versionTwo(
        capabilities: String = "{}", keepsRecords: Bool = false, restoring records: [SessionRecord] = []
    ) -> Client {
        var client = Client(keepsRecords: keepsRecords, restoring: records)
        client.request(
            "initialize",
            #"{"protocolVersion":2,"info":{"name":"test","version":"1"},"capabilities":\#(capabilities)}"#)
        _ = client.machine.takeOutput()
        return client
    }

    /// A client of version 2 with the open session `demo-t-1`. Its first prompt is request 104.
    static func inSessionTwo(capabilities: String = "{}", keepsRecords: Bool = false) -> Client {
        var client = versionTwo(capabilities: capabilities, keepsRecords: keepsRecords)
        client.request("session/new", #"{"cwd":"/project"}"#)
        _ = client.machine.takeOutput()
        return client
    }

    mutating func prompt(_ text: String, key: String) {
        request(
            "session/prompt",
            #"{"sessionId":"demo-t-1","prompt":[{"type":"text","text":"\#(text)"}],"idempotencyKey":"\#(key)"}"#)
    }

    /// Advances the time by a duration.
    mutating func run(for duration: Duration) throws -> [JSONValue] {
        let end = now + duration
        var messages: [JSONValue] = []
        while true {
            machine.advance(to: now)
            messages += try received()
            guard let wake = machine.wake, wake <= end else { break }
            now = max(now, wake)
        }
        now = end
        return messages
    }

    static let allow = #"{"outcome":{"outcome":"selected","optionId":"allow"}}"#
    static let cancelled = #"{"outcome":{"outcome":"cancelled"}}"#
}

extension JSONValue {
    /// A short text for the message: the child session, the kind of an update, and its status or state with the
    /// types of the background work.
    var line: String {
        if let id = self["result", "messageId"]?.stringValue { return "inserted \(id)" }
        if let id = self["params", "requestId"]?.rawString { return "\(self["method"]?.stringValue ?? "") \(id)" }
        guard let update = self["params", "update"] else { return summary }
        let session = self["params", "sessionId"]?.stringValue ?? ""
        let child = session.hasPrefix("demo-t-1.") ? "\(session.dropFirst("demo-t-1.".count)): " : ""
        guard updateKind == "state_update" else { return child + summary }
        return child + update.stateLine
    }

    private var stateLine: String {
        let state = "state \(self["state"]?.stringValue ?? "?")"
        let reason = self["stopReason"]?.stringValue.map { " \($0)" } ?? ""
        let types = self["background"]?.elements.map { $0["type"]?.stringValue ?? "?" }
        return state + reason + (types.map { " [\($0.joined(separator: " "))]" } ?? "")
    }
}

extension [JSONValue] {
    var lines: [String] { map(\.line) }

    /// The lines, with consecutive duplicates removed.
    var transcript: [String] {
        reduce(into: []) { lines, message in
            if lines.last != message.line { lines.append(message.line) }
        }
    }
}
