import FieldLimits
import Postgres
import SessionRecords

/// Commands, as their sender uses them.
extension HubDatabase {
    /// Stores a command if the bridge of its session runs and accepts it.
    ///
    /// - Returns: Nil if the hub does not have the bridge.
    package func send(_ command: BridgeCommand) throws(HubError) -> CommandSending? {
        let rows = try execute(
            """
            WITH home AS (
                SELECT b.lease_until > now() AS reachable, left(b.commands, 16) AS commands
                FROM acpbridge.bridge b WHERE b.log_id = $2
            ), sent AS (
                INSERT INTO acpbridge.command
                    (id, log_id, sid, tenant, who, token, kind, name, arguments, request_id)
                SELECT $1, $2, $3, coalesce($4, acpbridge.own_tenant()), $5, CASE WHEN home.commands = 'jwt' THEN $6 END,
                    $7, $8, $9, $10
                FROM home
                WHERE home.reachable AND (home.commands = 'all' OR (home.commands = 'jwt' AND $6 IS NOT NULL))
                RETURNING id
            )
            SELECT home.reachable, home.commands, (SELECT count(*) FROM sent) FROM home
            """,
            [
                .text(command.id), .integer(command.session.logId), .integer(command.session.own),
                .text(command.tenant), .text(command.who), .text(command.token), .text(command.kind.rawValue),
                .text(command.name), .bytes(command.arguments), .text(command.requestId),
            ])
        guard rows.rowCount == 1 else { return nil }
        guard let isReachable = rows.bool(0, 0), let policy = rows.text(0, 1), let count = rows.integer(0, 2) else {
            throw .damaged
        }
        if count == 1 { return .stored }
        return isReachable ? .refused(CommandPolicy(rawValue: policy) ?? .none) : .unreachable
    }

    /// Removes the rows of commands with a known outcome, and returns the state of others. A command that the hub does
    /// not have is missing.
    package func look(at ids: [String], removing done: [String]) throws(HubError) -> [String: CommandSight] {
        if !done.isEmpty {
            _ = try execute("DELETE FROM acpbridge.command WHERE id = ANY ($1)", [.texts(done)])
        }
        guard !ids.isEmpty else { return [:] }
        let rows = try execute(
            """
            SELECT c.id, c.taken IS NOT NULL, c.expires <= now(), coalesce(b.lease_until > now(), false), c.answer
            FROM acpbridge.command c LEFT JOIN acpbridge.bridge b USING (log_id) WHERE c.id = ANY ($1)
            """, [.texts(ids)])
        var found: [String: CommandSight] = [:]
        for row in 0..<rows.rowCount {
            guard let id = rows.text(row, 0), let isTaken = rows.bool(row, 1), let isExpired = rows.bool(row, 2),
                let isReachable = rows.bool(row, 3)
            else { throw .damaged }
            found[id] = CommandSight(
                isTaken: isTaken, isExpired: isExpired, isReachable: isReachable, answer: rows.bytes(row, 4))
        }
        return found
    }

    /// Removes the commands that no bridge has taken, and returns them.
    package func revoke(_ ids: [String]) throws(HubError) -> Set<String> {
        let rows = try execute(
            "DELETE FROM acpbridge.command WHERE id = ANY ($1) AND taken IS NULL RETURNING id", [.texts(ids)])
        return Set((0..<rows.rowCount).compactMap { rows.text($0, 0) })
    }

    /// Returns the open requests of the bridges that run, except one.
    ///
    /// - Parameter tenant: nil for those of all tenants.
    package func openRequests(except logId: Int64, of tenant: String?) throws(HubError) -> [HubRequests] {
        let rows = try execute(
            """
            SELECT f.log_id, f.sid, f.session_id, f.name, f.body FROM (
                SELECT a.log_id, a.sid, s.session_id, left(b.name, \(FieldLimit.titleCharacters)) AS name, a.body,
                    sum(octet_length(a.body)) OVER (ORDER BY a.log_id, a.sid) AS total
                FROM acpbridge.asking a JOIN acpbridge.session s USING (log_id, sid)
                    JOIN acpbridge.bridge b USING (log_id)
                WHERE a.log_id <> $1 AND b.lease_until > now() AND s.live AND ($2 IS NULL OR s.tenant = $2)
                    AND octet_length(s.session_id) <= \(FieldLimit.sessionIdBytes)
            ) f WHERE f.total <= \(HubRequests.readLimitBytes) ORDER BY f.log_id, f.sid
            LIMIT \(HubRequests.sessionLimit)
            """, [.integer(logId), .text(tenant)])
        var found: [HubRequests] = []
        for row in 0..<rows.rowCount {
            guard let logId = rows.integer(row, 0), let own = rows.integer(row, 1),
                let sessionId = rows.text(row, 2), let bridge = rows.text(row, 3), let body = rows.bytes(row, 4)
            else { throw .damaged }
            guard let session = HubSid(logId: logId, own: own) else { continue }
            found.append(HubRequests(session: session, sessionId: sessionId, bridge: bridge, body: body))
        }
        return found
    }
}

/// Commands and open requests, as the bridge of their sessions uses them.
extension HubDatabase {
    /// True if this process has the lease of the log `$1`; `$2` is the process.
    private static let hasLease = """
        EXISTS (SELECT FROM acpbridge.bridge b WHERE b.log_id = $1 AND b.instance = $2 AND b.lease_until > now())
        """

    /// Takes commands for the sessions of the log. Nobody takes them a second time.
    ///
    /// - Parameters:
    ///   - limit: the number of commands at most.
    ///   - taker: identifies this program. Another program can continue in the same process.
    /// - Returns: The commands, and true if somebody watches the log.
    package func take(
        _ limit: Int, of writer: HubWriter, taker: String
    ) throws(HubError) -> (commands: [ReceivedCommand], isWatched: Bool) {
        let take = PostgresConnection.Statement(
            """
            UPDATE acpbridge.command c SET taken = now(), taker = $3
            WHERE \(Self.hasLease) AND c.id = ANY (ARRAY(
                SELECT w.id FROM acpbridge.command w WHERE w.log_id = $1 AND w.taken IS NULL AND w.expires > now()
                ORDER BY w.expires LIMIT \(limit) FOR UPDATE SKIP LOCKED))
            RETURNING c.id, c.log_id, c.sid, c.tenant, c.who, c.token, c.kind, c.name, c.arguments, c.request_id,
                c.sender
            """, [.integer(writer.logId), .text(writer.instance), .text(taker)])
        let watch = PostgresConnection.Statement(
            "SELECT EXISTS (SELECT FROM acpbridge.watch WHERE log_id = $1 AND until > now())",
            [.integer(writer.logId)])
        let results = try Self.wrapping { () throws(PostgresError) in
            try connection.transaction([take, watch], within: Self.statementLimit)
        }
        guard results.count == 2 else { throw .damaged }
        var commands: [ReceivedCommand] = []
        for row in 0..<results[0].rowCount {
            if let command = Self.command(results[0], row) { commands.append(command) }
        }
        return (commands, results[1].bool(0, 0) ?? false)
    }

    /// Nil for a command that no viewer of this version sends. It is deleted later without an answer.
    private static func command(_ rows: PostgresResult, _ row: Int) -> ReceivedCommand? {
        guard let id = rows.text(row, 0), let logId = rows.integer(row, 1), let own = rows.integer(row, 2),
            let session = HubSid(logId: logId, own: own), let who = rows.text(row, 4),
            let kind = rows.text(row, 6).flatMap(BridgeCommand.Kind.init), let name = rows.text(row, 7),
            let arguments = rows.bytes(row, 8), let sender = rows.text(row, 10)
        else { return nil }
        return ReceivedCommand(
            BridgeCommand(
                id: id, session: session, tenant: rows.text(row, 3), who: who, token: rows.text(row, 5), kind: kind,
                name: name, arguments: arguments, requestId: rows.text(row, 9)), sender: sender)
    }

    /// Stores the answers of commands that this program has taken. An answer without a waiting sender is not stored.
    package func answer(_ answers: [CommandAnswer], taker: String) throws(HubError) {
        _ = try execute(
            """
            UPDATE acpbridge.command c SET answer = a.answer, answered = now()
            FROM unnest($1::text[], $2::bytea[]) AS a(id, answer) WHERE c.id = a.id AND c.taker = $3
            """, [.texts(answers.map(\.id)), .byteArrays(answers.map(\.body)), .text(taker)])
    }

    /// Deletes the commands of the log that were taken and will not be answered, and those whose senders have gone: a
    /// sender reads its answer at once.
    ///
    /// - Parameter known: the commands that this program answers. Others that are taken belong to an earlier program, or
    ///   the answer to ``take(_:of:taker:)`` was lost.
    package func clearCommands(of writer: HubWriter, known: [String]) throws(HubError) {
        _ = try execute(
            """
            DELETE FROM acpbridge.command c WHERE c.log_id = $1 AND \(Self.hasLease) AND (
                (c.taken IS NOT NULL AND c.answer IS NULL AND NOT c.id = ANY ($3))
                OR c.answered < now() - interval '1 minute'
                OR (c.taken IS NULL AND c.expires < now() - interval '1 minute'))
            """, [.integer(writer.logId), .text(writer.instance), .texts(known)])
    }

    /// Changes the rows with the open requests of the log's sessions.
    package func publish(_ change: PublishedRequests.Change, of writer: HubWriter) throws(HubError) {
        let log = PostgresValue.integer(writer.logId)
        var statements = Self.opening(writer)
        if change.replacesAll {
            statements.append(PostgresConnection.Statement("DELETE FROM acpbridge.asking WHERE log_id = $1", [log]))
        } else if !change.deleted.isEmpty {
            statements.append(
                PostgresConnection.Statement(
                    "DELETE FROM acpbridge.asking WHERE log_id = $1 AND sid = ANY ($2)",
                    [log, .integers(change.deleted)]))
        }
        if !change.stored.isEmpty {
            let (sids, bodies) = (Array(change.stored.keys), Array(change.stored.values))
            statements.append(
                PostgresConnection.Statement(
                    """
                    INSERT INTO acpbridge.asking (log_id, sid, body)
                    SELECT $1, * FROM unnest($2::int8[], $3::bytea[])
                    ON CONFLICT (log_id, sid) DO UPDATE SET body = excluded.body
                    """, [log, .integers(sids), .byteArrays(bodies)]))
        }
        do throws(PostgresError) {
            _ = try connection.transaction(statements, within: Self.statementLimit)
        } catch {
            throw Self.failure(error)
        }
    }
}
