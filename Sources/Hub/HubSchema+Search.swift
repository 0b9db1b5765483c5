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
        LANGUAGE plpgsql STABLE SECURITY DEFINER
        SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
        DECLARE
            tenant_seen text := acpbridge.own_tenant();
            filters text;
            here text := ' AND d.log_id <> $6';
            theirs text := '';
            newest CONSTANT text := ' ORDER BY d.ts DESC, d.log_id DESC, d.sid DESC, d.first DESC LIMIT ';
            columns CONSTANT text := 'SELECT d.log_id, d.sid, d.first, d.last, d.ts ';
            joined CONSTANT text := ' d JOIN acpbridge.session s ON s.log_id = d.log_id AND s.sid = d.sid WHERE true';
            found int8;
            rest int8 := least(greatest(max_rows, 0), 1000);
            is_cut bool;
        BEGIN
            IF tenant_seen IS NOT NULL THEN
                IF only_tenant <> tenant_seen THEN RETURN; END IF;
                only_tenant := tenant_seen;
            END IF;
            SELECT string_agg(quote_literal(t.word), ' & ') INTO filters
                FROM unnest(acpbridge.filter_words(only_agent, only_tenant)) AS t(word);
            query := concat_ws(' & ', query, filters);
            IF only_tenant IS NOT NULL THEN theirs := theirs || ' AND s.tenant = $2'; END IF;
            IF only_agent IS NOT NULL THEN theirs := theirs || ' AND s.agent = $3'; END IF;
            IF only_sid IS NOT NULL THEN here := here || ' AND d.log_id = $4 AND d.sid = $5'; END IF;
            IF before_ts IS NOT NULL THEN
                here := here || ' AND (d.ts, d.log_id, d.sid, d.first) < ($7, $8, $9, $10)';
            END IF;
            IF only_sid IS NULL THEN
                -- A frequent word is among the newest documents.
                RETURN QUERY EXECUTE 'WITH d AS MATERIALIZED (SELECT * FROM acpbridge.document d WHERE true'
                    || here || newest || '2000) ' || columns || 'FROM d' || joined || theirs
                    || ' AND d.words @@ $1::tsquery' || newest || '$11'
                    USING query, only_tenant, only_agent, only_log, only_sid, except_log,
                        before_ts, before_log, before_sid, before_first, rest;
                GET DIAGNOSTICS found = ROW_COUNT;
                rest := rest - found;
                IF rest <= 0 THEN RETURN; END IF;
                EXECUTE 'SELECT d.ts, d.log_id, d.sid, d.first, true FROM acpbridge.document d WHERE true'
                    || here || newest || '1 OFFSET 1999'
                    INTO before_ts, before_log, before_sid, before_first, is_cut
                    USING query, only_tenant, only_agent, only_log, only_sid, except_log,
                        before_ts, before_log, before_sid, before_first;
                IF is_cut IS NULL THEN RETURN; END IF;
                here := ' AND d.log_id <> $6 AND (d.ts, d.log_id, d.sid, d.first) < ($7, $8, $9, $10)';
            END IF;
            -- A rare word is found by the index, and the documents are sorted then.
            RETURN QUERY EXECUTE 'WITH d AS MATERIALIZED (' || columns || 'FROM acpbridge.document d
                WHERE d.words @@ $1::tsquery' || here || ') ' || columns || 'FROM d' || joined || theirs
                || newest || '$11'
                USING query, only_tenant, only_agent, only_log, only_sid, except_log,
                    before_ts, before_log, before_sid, before_first, rest;
        END $$;
        REVOKE ALL ON FUNCTION
            acpbridge.search(text, text, text, int8, int8, int8, int8, int8, int8, int8, int8) FROM PUBLIC;

        """#

    /// The function looks at the newest documents first, and uses the GIN index for the older ones. PostgreSQL would choose one
    /// of both ways by the word's frequency, which its statistics do not have for most words: it would read all documents for a
    /// rare word.
    ///
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
