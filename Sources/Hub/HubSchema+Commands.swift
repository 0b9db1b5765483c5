/// The part of the schema by which a bridge receives commands for its sessions from other bridges, and shows them the
/// open requests of its agents.
extension HubSchema {
    /// `bridge.commands`: the commands that the bridge accepts: `none`, `jwt` or `all`.
    /// `command`: one row per command until its sender has read the answer. It is not written to the WAL: after a crash
    /// or a failover no command is left, and its sender reports that it is not known whether it ran. Nothing can be
    /// taken twice for that reason. The limits of the columns are those of ``BridgeCommand`` and ``CommandAnswer``.
    /// `sender`: the viewer's user. `taker`: the process that has taken the command.
    /// `asking`: the requests of agents that wait for a person, one row per session that has some.
    static let commands = """
        ALTER TABLE acpbridge.bridge ADD COLUMN commands text NOT NULL DEFAULT 'none';
        CREATE UNLOGGED TABLE acpbridge.command(
            id text PRIMARY KEY CHECK (octet_length(id) <= 64),
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            sender name NOT NULL DEFAULT session_user,
            tenant text,
            who text NOT NULL CHECK (octet_length(who) <= \(BridgeCommand.whoLimitBytes)),
            token text CHECK (octet_length(token) <= \(BridgeCommand.tokenLimitBytes)),
            kind text NOT NULL,
            name text NOT NULL CHECK (octet_length(name) <= 64),
            arguments bytea NOT NULL CHECK (octet_length(arguments) <= \(BridgeCommand.argumentsLimitBytes)),
            request_id text CHECK (octet_length(request_id) <= 256),
            expires timestamptz NOT NULL DEFAULT now() + make_interval(secs => \(BridgeCommand.lifeSeconds)),
            taken timestamptz,
            taker text,
            answer bytea CHECK (octet_length(answer) <= \(CommandAnswer.limitBytes)),
            answered timestamptz
        );
        CREATE INDEX command_log ON acpbridge.command(log_id);
        CREATE TABLE acpbridge.asking(
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            body bytea NOT NULL CHECK (octet_length(body) <= \(HubRequests.limitBytes)),
            PRIMARY KEY (log_id, sid)
        );

        """

    /// A viewer inserts commands for sessions that it sees, as its own user, and for its own tenant. It reads and deletes
    /// its own ones. A bridge reads, takes and answers the commands of its own logs. The policies of `command` name their
    /// statements, because those of a user with both roles are combined.
    static let commandRoles = """
        GRANT SELECT, UPDATE (taken, taker, answer, answered), DELETE ON acpbridge.command TO \(shipRole);
        GRANT INSERT (id, log_id, sid, tenant, who, token, kind, name, arguments, request_id) ON acpbridge.command
            TO \(viewRole);
        GRANT SELECT (id, log_id, sid, sender, tenant, expires, taken, answer), DELETE ON acpbridge.command
            TO \(viewRole);
        GRANT SELECT, INSERT, UPDATE, DELETE ON acpbridge.asking TO \(shipRole);
        GRANT SELECT ON acpbridge.asking TO \(viewRole);
        ALTER TABLE acpbridge.command ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS received ON acpbridge.command;
        CREATE POLICY received ON acpbridge.command FOR SELECT TO \(shipRole)
            USING (log_id = ANY ((SELECT acpbridge.own_logs())::int8[]));
        DROP POLICY IF EXISTS answered ON acpbridge.command;
        CREATE POLICY answered ON acpbridge.command FOR UPDATE TO \(shipRole)
            USING (log_id = ANY ((SELECT acpbridge.own_logs())::int8[]))
            WITH CHECK (log_id = ANY ((SELECT acpbridge.own_logs())::int8[]));
        DROP POLICY IF EXISTS cleared ON acpbridge.command;
        CREATE POLICY cleared ON acpbridge.command FOR DELETE TO \(shipRole)
            USING (log_id = ANY ((SELECT acpbridge.own_logs())::int8[]));
        DROP POLICY IF EXISTS sent ON acpbridge.command;
        CREATE POLICY sent ON acpbridge.command FOR INSERT TO \(viewRole) WITH CHECK (
            sender = session_user
            AND ((SELECT acpbridge.own_tenant()) IS NULL OR tenant = (SELECT acpbridge.own_tenant()))
            AND EXISTS (SELECT FROM acpbridge.session s WHERE s.log_id = command.log_id AND s.sid = command.sid
                AND (command.tenant IS NULL OR s.tenant = command.tenant)));
        DROP POLICY IF EXISTS own ON acpbridge.command;
        CREATE POLICY own ON acpbridge.command FOR SELECT TO \(viewRole) USING (sender = session_user);
        DROP POLICY IF EXISTS removed ON acpbridge.command;
        CREATE POLICY removed ON acpbridge.command FOR DELETE TO \(viewRole) USING (sender = session_user);

        """ + ownPolicy("asking") + seenPolicy("asking")
}
