/// The part of the schema for searches, which came with version 2.
extension HubSchema {
    /// `document`: the words of a stretch of a timeline, from item `first` to item `last`, in the form in which the local
    /// index compares them, and two words for the agent and the session's tenant. The text itself is in `run`.
    /// `searched`: how far a session's words are stored: up to item `n`, under `epoch`. Reading continues with item
    /// `next`, which is lower while the last document can grow. Only bridges with `--hub-search` write these tables.
    static let search = #"""
        CREATE TABLE acpbridge.document(
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            first int8 NOT NULL,
            last int8 NOT NULL,
            ts int8 NOT NULL,
            words tsvector NOT NULL,
            PRIMARY KEY (log_id, sid, first)
        );
        CREATE INDEX document_words ON acpbridge.document USING gin (words);
        CREATE INDEX document_recent ON acpbridge.document(ts DESC, log_id DESC, sid DESC, first DESC);
        CREATE TABLE acpbridge.searched(
            log_id int8 NOT NULL,
            sid int8 NOT NULL,
            epoch int8 NOT NULL,
            n int8 NOT NULL,
            next int8 NOT NULL,
            PRIMARY KEY (log_id, sid)
        ) WITH (fillfactor = 50);
        CREATE FUNCTION acpbridge.filter_words(agent text, tenant text) RETURNS text[]
        LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
            SELECT array_remove(ARRAY[chr(57344) || 'a' || md5(agent), chr(57344) || 't' || md5(tenant)], NULL)
        $$;
        CREATE FUNCTION acpbridge.search(
            query text, only_agent text, only_tenant text, only_log int8, only_sid int8, except_log int8,
            before_ts int8, before_log int8, before_sid int8, before_first int8, max_rows int8)
        RETURNS TABLE (log_id int8, sid int8, first int8, last int8, ts int8)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            seen text := acpbridge.own_tenant();
            words text;
            conditions text := '';
        BEGIN
            IF seen IS NOT NULL THEN
                IF only_tenant <> seen THEN RETURN; END IF;
                only_tenant := seen;
            END IF;
            SELECT string_agg('''' || word || '''', ' & ') INTO words
                FROM unnest(acpbridge.filter_words(only_agent, only_tenant)) AS t(word);
            words := concat_ws(' & ', query, words);
            IF only_tenant IS NOT NULL THEN conditions := conditions || ' AND s.tenant = $2'; END IF;
            IF only_agent IS NOT NULL THEN conditions := conditions || ' AND s.agent = $3'; END IF;
            IF only_sid IS NOT NULL THEN conditions := conditions || ' AND d.log_id = $4 AND d.sid = $5'; END IF;
            IF before_ts IS NOT NULL THEN
                conditions := conditions || ' AND (d.ts, d.log_id, d.sid, d.first) < ($7, $8, $9, $10)';
            END IF;
            RETURN QUERY EXECUTE
                'SELECT d.log_id, d.sid, d.first, d.last, d.ts FROM acpbridge.document d
                    JOIN acpbridge.session s ON s.log_id = d.log_id AND s.sid = d.sid
                WHERE d.words @@ $1::tsquery AND d.log_id <> $6' || conditions || '
                ORDER BY d.ts DESC, d.log_id DESC, d.sid DESC, d.first DESC LIMIT $11'
                USING words, only_tenant, only_agent, only_log, only_sid, except_log,
                    before_ts, before_log, before_sid, before_first, least(greatest(max_rows, 0), 1000);
        END $$;
        REVOKE ALL ON FUNCTION
            acpbridge.search(text, text, text, int8, int8, int8, int8, int8, int8, int8, int8) FROM PUBLIC;

        """#

    /// A viewer reads no words: it calls the function, which names the tenant. Under row-level security, PostgreSQL would
    /// not use the index, because `@@` is not leakproof.
    static let searchRoles = """
        GRANT SELECT, INSERT, UPDATE, DELETE ON acpbridge.searched TO \(shipRole);
        GRANT INSERT, DELETE ON acpbridge.document TO \(shipRole);
        GRANT SELECT (log_id, sid, first, last) ON acpbridge.document TO \(shipRole);
        GRANT EXECUTE ON FUNCTION acpbridge.filter_words(text, text) TO \(shipRole);
        GRANT EXECUTE ON FUNCTION
            acpbridge.search(text, text, text, int8, int8, int8, int8, int8, int8, int8, int8) TO \(viewRole);

        """ + ["document", "searched"].map(ownPolicy).joined()
}
