import Agents
import EventLoop
import JSONScan
import SessionRecords

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
