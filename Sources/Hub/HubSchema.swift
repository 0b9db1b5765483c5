/// The tables at the hub, and the statements that create or upgrade them. `acpbridge hub` executes these; a bridge only
/// compares the version.
package enum HubSchema {
    package static let version: Int64 = 4

    /// 2100-01-01, in days from 1970.
    static let lastDay: Int64 = 47_482

    /// The group roles that `hub init` creates: a bridge's user is a member of one or of both.
    package static let shipRole = "acpbridge_ship"
    package static let viewRole = "acpbridge_view"

    /// The statements that lead to each version, from the one before it.
    package static let steps: [(version: Int64, sql: String)] = [
        (1, tables + functions),
        (2, search + retention + commands),
        // Only the rights of the roles differ.
        (3, ""),
        (4, usage),
    ]

    /// `session.usage`: the usage as a log stores it, JSON text. Null for the sessions of bridges that ship none.
    private static let usage = "ALTER TABLE acpbridge.session ADD COLUMN usage text; "

    /// Held while the schema is changed, so that two commands do not change it at once.
    static let lock = "SELECT pg_advisory_xact_lock(4711203377)"

    /// `bridge`: one row per log. The process `instance` is its only writer until `lease_until`, by PostgreSQL's clock.
    /// `session`: the facts for lists. `facts_sum`: a checksum of the facts, by which the shipper knows them again.
    /// `head`: how far a session is stored. It changes with each transaction, so it has a table of its own, without an
    /// index on what changes.
    /// `claim`: rows of an epoch are valid below the lowest `first_n` of later epochs.
    /// `run`: `count` updates, each followed by LF, or one entry (`kind`). `n`: the timeline number of the first item.
    /// `times`: milliseconds after `ts`, four bytes for each update. `day`: the UTC day on which the session began, so
    /// that a session lies in one partition.
    /// `watch`: the logs that viewers follow. It is not written to the WAL: viewers renew their rows.
    /// `tenant_view`: the viewers' roles that see one tenant only.
    private static let tables = """
        CREATE SCHEMA acpbridge;
        CREATE TABLE acpbridge.schema_version(version int8 NOT NULL);
        INSERT INTO acpbridge.schema_version VALUES (1);
        CREATE TABLE acpbridge.bridge(
            log_id int8 PRIMARY KEY,
            name text NOT NULL,
            version text NOT NULL,
            instance text NOT NULL,
            owner name NOT NULL DEFAULT session_user,
            lease_until timestamptz NOT NULL
        ) WITH (fillfactor = 50);
        CREATE TABLE acpbridge.session(
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            day date NOT NULL,
            agent text NOT NULL,
            session_id text NOT NULL,
            title text,
            own_title text,
            tags text,
            archived bool NOT NULL,
            cwd text,
            prompt text,
            tenant text,
            parent text,
            epoch int8 NOT NULL,
            created int8 NOT NULL,
            last_ts int8 NOT NULL,
            live bool NOT NULL,
            running bool NOT NULL,
            exit text,
            facts_sum int8 NOT NULL,
            PRIMARY KEY (log_id, sid)
        ) WITH (fillfactor = 80);
        CREATE INDEX session_recent ON acpbridge.session(last_ts DESC, log_id DESC, sid DESC);
        CREATE INDEX session_live ON acpbridge.session(last_ts DESC, log_id DESC, sid DESC) WHERE live;
        CREATE INDEX session_name ON acpbridge.session(session_id);
        CREATE TABLE acpbridge.head(
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            epoch int8 NOT NULL,
            n int8 NOT NULL,
            seq int8 NOT NULL,
            seq_n int8 NOT NULL,
            oldest int8 NOT NULL,
            ts int8 NOT NULL,
            PRIMARY KEY (log_id, sid)
        ) WITH (fillfactor = 50);
        CREATE TABLE acpbridge.claim(
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            epoch int8 NOT NULL,
            first int8 NOT NULL,
            first_n int8 NOT NULL,
            PRIMARY KEY (log_id, sid, epoch)
        );
        CREATE TABLE acpbridge.run(
            day date NOT NULL,
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            epoch int8 NOT NULL,
            n int8 NOT NULL,
            first int8 NOT NULL,
            count int8 NOT NULL,
            ts int8 NOT NULL,
            kind text,
            body bytea COMPRESSION lz4 NOT NULL,
            times bytea,
            sum int8 NOT NULL,
            PRIMARY KEY (day, log_id, sid, epoch, n)
        ) PARTITION BY RANGE (day);
        CREATE UNIQUE INDEX run_first ON acpbridge.run(day, log_id, sid, epoch, first) WHERE count > 0;
        CREATE UNLOGGED TABLE acpbridge.watch(
            viewer text NOT NULL,
            log_id int8 NOT NULL,
            until timestamptz NOT NULL,
            PRIMARY KEY (log_id, viewer)
        ) WITH (fillfactor = 50);
        CREATE TABLE acpbridge.tenant_view(role name PRIMARY KEY, tenant text NOT NULL);

        """

    /// `make_day`: bridges may not create tables, so they call this function. A partition is created and attached,
    /// which does not block writers; no default partition exists.
    private static let functions = """
        CREATE FUNCTION acpbridge.make_day(day date) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE name text := 'run_' || to_char(day, 'YYYYMMDD');
        BEGIN
            IF day < DATE '1970-01-01' OR day > DATE '2100-01-01' THEN RAISE EXCEPTION 'day out of range'; END IF;
            IF to_regclass('acpbridge.' || name) IS NOT NULL THEN RETURN; END IF;
            PERFORM pg_advisory_xact_lock(4711203378);
            IF to_regclass('acpbridge.' || name) IS NOT NULL THEN RETURN; END IF;
            EXECUTE format('CREATE TABLE acpbridge.%I (LIKE acpbridge.run INCLUDING ALL)', name);
            EXECUTE format(
                'ALTER TABLE acpbridge.run ATTACH PARTITION acpbridge.%I FOR VALUES FROM (%L) TO (%L)',
                name, day, day + 1);
        END $$;
        CREATE FUNCTION acpbridge.own_logs() RETURNS int8[]
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT coalesce(array_agg(log_id), '{}') FROM acpbridge.bridge WHERE owner = session_user
        $$;
        CREATE FUNCTION acpbridge.own_tenant() RETURNS text
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT tenant FROM acpbridge.tenant_view WHERE role = session_user
        $$;
        REVOKE ALL ON FUNCTION acpbridge.make_day(date), acpbridge.own_logs(), acpbridge.own_tenant() FROM PUBLIC;

        """

    /// Creates the roles, and gives each only the rights that it needs. Repeating this changes nothing.
    ///
    /// A policy decides by `session_user`, which a role cannot change. `INSERT … ON CONFLICT` and the heads need a
    /// bridge to read the rows of its own log. It reads no runs, and no rows of other logs. It deletes what a user has
    /// deleted at the bridge.
    package static let roles =
        """
        DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(shipRole)') THEN CREATE ROLE \(shipRole); END IF;
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(viewRole)') THEN CREATE ROLE \(viewRole); END IF;
        END $$;
        GRANT USAGE ON SCHEMA acpbridge TO \(shipRole), \(viewRole);
        GRANT SELECT ON acpbridge.schema_version, acpbridge.bridge TO \(shipRole), \(viewRole);
        GRANT SELECT, INSERT, UPDATE ON acpbridge.session, acpbridge.head, acpbridge.claim, acpbridge.bridge
            TO \(shipRole);
        GRANT DELETE ON acpbridge.session, acpbridge.head, acpbridge.claim, acpbridge.run TO \(shipRole);
        GRANT INSERT ON acpbridge.run TO \(shipRole);
        GRANT SELECT (day, log_id, sid, epoch, n, first, count, ts, times) ON acpbridge.run TO \(shipRole);
        GRANT SELECT ON acpbridge.watch TO \(shipRole);
        GRANT SELECT ON acpbridge.session, acpbridge.head, acpbridge.claim, acpbridge.run TO \(viewRole);
        GRANT SELECT, INSERT, UPDATE, DELETE ON acpbridge.watch TO \(viewRole);
        GRANT EXECUTE ON FUNCTION acpbridge.own_logs(), acpbridge.own_tenant() TO \(shipRole), \(viewRole);
        GRANT EXECUTE ON FUNCTION acpbridge.make_day(date) TO \(shipRole);
        ALTER TABLE acpbridge.bridge ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS own ON acpbridge.bridge;
        CREATE POLICY own ON acpbridge.bridge TO \(shipRole)
            USING (owner = session_user) WITH CHECK (owner = session_user);
        DROP POLICY IF EXISTS seen ON acpbridge.bridge;
        CREATE POLICY seen ON acpbridge.bridge FOR SELECT TO \(viewRole) USING (
            (SELECT acpbridge.own_tenant()) IS NULL
            OR log_id IN (SELECT s.log_id FROM acpbridge.session s WHERE s.tenant = (SELECT acpbridge.own_tenant())));
        ALTER TABLE acpbridge.session ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS seen ON acpbridge.session;
        CREATE POLICY seen ON acpbridge.session FOR SELECT TO \(viewRole) USING (
            (SELECT acpbridge.own_tenant()) IS NULL OR tenant = (SELECT acpbridge.own_tenant()));

        ALTER TABLE acpbridge.watch ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS watched ON acpbridge.watch;
        CREATE POLICY watched ON acpbridge.watch FOR SELECT TO \(shipRole)
            USING (log_id = ANY ((SELECT acpbridge.own_logs())::int8[]));
        DROP POLICY IF EXISTS seen ON acpbridge.watch;
        CREATE POLICY seen ON acpbridge.watch TO \(viewRole) USING (
            (SELECT acpbridge.own_tenant()) IS NULL
            OR log_id IN (SELECT s.log_id FROM acpbridge.session s WHERE s.tenant = (SELECT acpbridge.own_tenant())));

        """ + ["session", "head", "claim", "run"].map(ownPolicy).joined()
        + ["head", "claim", "run"].map(seenPolicy).joined() + searchRoles + retentionRoles + commandRoles

    static func ownPolicy(_ table: String) -> String {
        """
        ALTER TABLE acpbridge.\(table) ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS own ON acpbridge.\(table);
        CREATE POLICY own ON acpbridge.\(table) TO \(shipRole)
            USING (log_id = ANY ((SELECT acpbridge.own_logs())::int8[]))
            WITH CHECK (log_id = ANY ((SELECT acpbridge.own_logs())::int8[]));

        """
    }

    static func seenPolicy(_ table: String) -> String {
        """
        DROP POLICY IF EXISTS seen ON acpbridge.\(table);
        CREATE POLICY seen ON acpbridge.\(table) FOR SELECT TO \(viewRole) USING (
            (SELECT acpbridge.own_tenant()) IS NULL OR EXISTS (
                SELECT FROM acpbridge.session s WHERE s.log_id = \(table).log_id AND s.sid = \(table).sid
                    AND s.tenant = (SELECT acpbridge.own_tenant())));

        """
    }
}
