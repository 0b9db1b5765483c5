import JSONScan

/// The open requests of one session of another bridge.
package struct RequestsOfOthers: Sendable {
    /// The session's place among those of this bridge.
    package let sid: Int64
    package let sessionId: String
    /// The name of the session's bridge.
    package let bridge: String
    /// The text of ``AgentFunctions/openRequests(limitBytes:)``.
    package let body: [UInt8]

    package init(sid: Int64, sessionId: String, bridge: String, body: [UInt8]) {
        (self.sid, self.sessionId, self.bridge, self.body) = (sid, sessionId, bridge, body)
    }

    /// The rows of one list. A row of another session is left out: the text was written by another bridge.
    package func rows(_ list: PendingList) -> [PendingRow] {
        let rows = (try? JSONValue(validating: body))?[list.member]?.elements ?? []
        return rows.enumerated().compactMap { index, row in
            guard row["sessionId"]?.stringValue == sessionId, let agent = row["agent"]?.stringValue,
                row["requestId"] != nil, let time = row[list.time]?.int64Value
            else { return nil }
            let text = JSONWriter.object { writer in
                for (name, value) in row.members where name != "bridge" && name != "nextCursor" {
                    writer.member(name, raw: value.rawText)
                }
                writer.member("bridge", bridge)
            }
            return PendingRow(
                sessionId: sessionId, agent: agent, journal: row["journal"]?.stringValue,
                place: ListPosition(time, sid, Int64(index))
            ) { text }
        }
    }
}

extension PendingList {
    /// The member of ``RequestsOfOthers/body`` with the rows.
    fileprivate var member: String { self == .permissions ? "permissions" : "elicitations" }

    /// The member with the time of a request.
    fileprivate var time: String { self == .permissions ? "askedTs" : "createdTs" }
}
