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

    /// Which list has the requests.
    enum Kind: String {
        case permissions, elicitations

        /// The member with the time of a request.
        fileprivate var time: String { self == .permissions ? "askedTs" : "createdTs" }
    }

    /// The rows of one list. A row of another session is left out: the text was written by another bridge.
    func rows(_ kind: Kind) -> [PendingRow] {
        let rows = (try? JSONValue(validating: body))?[kind.rawValue]?.elements ?? []
        return rows.enumerated().compactMap { index, row in
            guard row["sessionId"]?.stringValue == sessionId, let agent = row["agent"]?.stringValue,
                row["requestId"] != nil, let time = row[kind.time]?.int64Value
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

/// One row of `permissions:pending` or `elicitations:pending`.
struct PendingRow {
    let sessionId: String
    let agent: String
    let journal: String?
    let place: ListPosition
    /// Returns the row. Only rows of the requested page are written.
    let json: () -> [UInt8]
}
