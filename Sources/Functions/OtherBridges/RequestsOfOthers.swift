import Access
import Agents
import EventLoop
import JSONScan
import SessionRecords
import Tinyvex

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

extension AgentFunctions {
    /// The open requests of this bridge's sessions, for viewers at other bridges:
    /// `{"permissions":[…],"elicitations":[…]}` for each session that has some, by its number in the log. Requests without
    /// a session are left out: they can be logins.
    ///
    /// - Parameter limitBytes: the length of one text. Rows beyond it are left out.
    package func openRequests(limitBytes: Int) -> [Int64: [UInt8]] {
        var rows: [Int64: (permissions: [[UInt8]], elicitations: [[UInt8]])] = [:]
        for run in agents.runs {
            for permission in run.pendingPermissions {
                guard let sid = Journal(permission.journal)?.sid else { continue }
                rows[sid, default: ([], [])].permissions.append(JSONWriter.object { permission.write(to: &$0) })
            }
            for elicitation in run.pendingElicitations {
                guard let sid = (elicitation.session?.journal).flatMap(Journal.init)?.sid else { continue }
                rows[sid, default: ([], [])].elicitations.append(JSONWriter.object { elicitation.write(to: &$0) })
            }
        }
        return rows.mapValues { Self.text($0.permissions, $0.elicitations, limitBytes) }
    }

    private static func text(_ permissions: [[UInt8]], _ elicitations: [[UInt8]], _ limitBytes: Int) -> [UInt8] {
        // For the names and the brackets.
        var room = limitBytes - 64
        let fits = { (row: [UInt8]) in
            guard row.count < room else { return false }
            room -= row.count + 1
            return true
        }
        return JSONWriter.object { writer in
            writer.memberArray("permissions") { writer in
                for row in permissions where fits(row) { writer.element(raw: row) }
            }
            writer.memberArray("elicitations") { writer in
                for row in elicitations where fits(row) { writer.element(raw: row) }
            }
        }
    }
}
