import JSONScan

extension TinyvexTestClient {
    /// Subscribes to a session's updates; returns the whole answer.
    func subscribe(
        _ session: String, subId: String = "s", after lastSeq: Int64? = nil,
        until untilSeq: Int64? = nil, journal: String? = nil, params: String = "", stream: String = "acp:sessionUpdates"
    ) throws -> JSONValue {
        var members = [
            #""subId":"\#(subId)""#, #""name":"\#(stream)""#, #""params":{"sessionId":"\#(session)"\#(params)}"#,
        ]
        if let lastSeq { members.append(#""lastSeq":\#(lastSeq)"#) }
        if let untilSeq { members.append(#""untilSeq":\#(untilSeq)"#) }
        if let journal { members.append(#""journal":"\#(journal)""#) }
        return try call("tinyvex/subscribe", "{\(members.joined(separator: ","))}")
    }

    /// Returns the next messages; each of them must be an update.
    func updates(_ count: Int) throws -> [[UInt8]] {
        var updates: [[UInt8]] = []
        while updates.count < count { updates.append(try nextUpdate()) }
        return updates
    }

    func nextUpdate() throws -> [UInt8] {
        let message = try nextMessage()
        guard message.starts(with: Self.updateStart) else {
            throw NotAnUpdate(message: String(decoding: message, as: UTF8.self))
        }
        return message
    }

    struct NotAnUpdate: Error { let message: String }

    private static let updateStart = Array(#"{"jsonrpc":"2.0","method":"session/update","#.utf8)

    /// The session's incarnations, as `tinyvex/history.recentSessions` lists them.
    func journals(of session: String) throws -> [String] {
        let rows = try call("tinyvex/history.recentSessions")["result"]?.elements ?? []
        return rows.filter { $0["sessionId"]?.stringValue == session }.compactMap { $0["journal"]?.stringValue }
    }

    /// Returns all stored updates, page by page.
    func history(of session: String, params: String = "") throws -> [(seq: Int64, line: [UInt8])] {
        var updates: [(seq: Int64, line: [UInt8])] = []
        while true {
            let since = updates.last?.seq ?? 0
            let page = try call(
                "tinyvex/history.sessionUpdates",
                #"{"sessionId":"\#(session)","sinceSeq":\#(since),"limit":1000\#(params)}"#)
            for update in page["result"]?["updates"]?.elements ?? [] {
                guard let seq = update["seq"]?.int64Value, let line = update["notification"] else { continue }
                updates.append((seq, Array(line.rawText)))
            }
            if page["result"]?["nextSeq"]?.int64Value == nil { return updates }
        }
    }
}

extension JSONValue {
    /// An error's own code (`TVX…`), or JSON-RPC's number if it has none.
    var errorCode: String? { self["error"]?["data"]?["code"]?.stringValue ?? self["error"]?["code"]?.rawString }
}
