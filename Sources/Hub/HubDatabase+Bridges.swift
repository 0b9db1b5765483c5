import Postgres
import SessionRecords

/// A bridge that has shipped to the hub.
package struct HubBridge: Sendable, Equatable {
    package let logId: Int64
    package let name: String
    package let version: String
    /// The bridge's lease has not ended, by PostgreSQL's clock.
    package let isReachable: Bool
    /// The time since the lease has ended; 0 if it has not.
    package let awayMilliseconds: Int64
    /// The requests of viewers that the bridge accepts.
    package let commands: String
    package let sessions: Int64
    package let liveSessions: Int64

    /// The log's id in the form of journals.
    package var logText: String { LogName.text(UInt32(truncatingIfNeeded: logId)) }
}

extension HubDatabase {
    /// Returns all bridges by their names. Counts all sessions, so this is for a person's command.
    package func bridges() throws(HubError) -> [HubBridge] {
        let rows = try execute(
            """
            SELECT b.log_id, b.name, b.version, b.lease_until > now(),
                greatest(0, extract(epoch FROM now() - b.lease_until) * 1000)::int8,
                count(s.sid), count(s.sid) FILTER (WHERE s.live), b.commands
            FROM acpbridge.bridge b LEFT JOIN acpbridge.session s USING (log_id)
            GROUP BY b.log_id ORDER BY b.name, b.log_id
            """)
        var bridges: [HubBridge] = []
        for row in 0..<rows.rowCount {
            guard let logId = rows.integer(row, 0), let name = rows.text(row, 1), let version = rows.text(row, 2),
                let isReachable = rows.bool(row, 3), let away = rows.integer(row, 4),
                let sessions = rows.integer(row, 5), let live = rows.integer(row, 6), let commands = rows.text(row, 7)
            else { throw .damaged }
            bridges.append(
                HubBridge(
                    logId: logId, name: name, version: version, isReachable: isReachable, awayMilliseconds: away,
                    commands: commands, sessions: sessions, liveSessions: live))
        }
        return bridges
    }
}
