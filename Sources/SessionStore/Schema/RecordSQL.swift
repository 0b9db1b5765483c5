import FieldLimits
import SQLite
import SessionRecords

/// The SQL that selects a ``SessionRecord``.
enum RecordSQL {
    /// Rows of earlier versions can hold texts of any size. The texts are cut here, so that the rest reaches neither
    /// SQLite's sorter nor memory. They are cut as blobs, because `substr` of a text ends at the text's first NUL. The
    /// reader cuts to whole characters.
    private static let select = """
        SELECT s.sid, \(beginning("s.agent", FieldLimit.agentCharacters)), s.session_id,
            \(beginning("s.title", FieldLimit.titleCharacters)),
            CASE WHEN \(byteCount("s.cwd")) <= \(FieldLimit.folderBytes) THEN s.cwd END, s.epoch, s.created,
            \(LastRows.joinedLastTs) AS last,
            s.oldest, \(LastRows.head), \(LastRows.timelineHead), s.live, s.exit,
            \(beginning("s.prompt", FieldLimit.promptCharacters)),
            \(beginning("s.own_title", FieldLimit.titleCharacters)), s.tags, s.archived, s.tenant,
            CASE WHEN \(byteCount("s.parent")) <= \(FieldLimit.sessionIdBytes) THEN s.parent END,
            \(usage), \(LastRows.usedTs)
        FROM session s \(LastRows.join)
        """

    static let usage = "CASE WHEN \(byteCount("s.usage")) <= \(FieldLimit.usageBytes) THEN s.usage END"

    private static func byteCount(_ column: String) -> String { "length(CAST(\(column) AS BLOB))" }

    /// A scalar takes four bytes at most.
    private static func beginning(_ column: String, _ characters: Int) -> String {
        "substr(CAST(\(column) AS BLOB), 1, \(4 * characters))"
    }

    /// The session was not deleted, and its id is short enough to be published.
    private static let isListed = "gone = 0 AND \(byteCount("session_id")) <= \(FieldLimit.sessionIdBytes)"

    /// A row with a longer agent name than a record can hold also matches the cut name in its record.
    private static func isAgent(_ parameter: String) -> String {
        """
        (\(parameter) IS NULL OR agent = \(parameter)
            OR (length(agent) > \(FieldLimit.agentCharacters)
                AND substr(agent, 1, \(FieldLimit.agentCharacters)) = \(parameter)))
        """
    }

    /// A page after a place in the list begins at that place's time. Rows of the same time are ordered by their
    /// numbers.
    private static func isAfter(_ last: String, _ sid: String, _ parameters: (ts: String, sid: String)) -> String {
        """
        (\(parameters.ts) IS NULL OR \(last) < \(parameters.ts)
            OR (\(last) = \(parameters.ts) AND \(sid) < \(parameters.sid)))
        """
    }

    /// ?1 limit, ?2 tenant, ?3 and ?4 the place. Most incarnations are settled; of these only the newest are read, by
    /// index. Of the other incarnations each is read.
    static let recent = """
        \(select) WHERE s.sid IN (
            SELECT sid FROM session WHERE settled = 0 AND \(isListed) AND (?2 IS NULL OR tenant = ?2)
            UNION ALL SELECT sid FROM (
                SELECT sid FROM session WHERE settled = 1 AND \(isListed) AND (?2 IS NULL OR tenant = ?2)
                    AND last_ts <= coalesce(?3, \(Int64.max)) AND \(isAfter("last_ts", "sid", ("?3", "?4")))
                ORDER BY last_ts DESC, sid DESC LIMIT ?1))
            AND \(isAfter("last", "s.sid", ("?3", "?4")))
        ORDER BY last DESC, s.sid DESC LIMIT ?1
        """
    static let recentLive = """
        \(select) WHERE s.sid IN (
            SELECT sid FROM session WHERE settled = 0 AND live = 1 AND \(isListed) AND (?2 IS NULL OR tenant = ?2))
            AND \(isAfter("last", "s.sid", ("?3", "?4")))
        ORDER BY last DESC, s.sid DESC LIMIT ?1
        """
    /// ?1 limit, ?2 tenant, ?3 and ?4 the place, ?5 the id, ?6 agent.
    static let incarnations = """
        \(select) WHERE s.sid IN (
            SELECT sid FROM session
            WHERE session_id = ?5 AND \(isListed) AND (?2 IS NULL OR tenant = ?2) AND \(isAgent("?6")))
            AND \(isAfter("last", "s.sid", ("?3", "?4")))
        ORDER BY last DESC, s.sid DESC LIMIT ?1
        """
    static let named = """
        \(select) WHERE s.sid IN (
            SELECT max(sid) FROM session WHERE session_id = ?1 AND \(isListed) AND \(isAgent("?2"))
                AND (?3 IS NULL OR tenant = ?3)
            GROUP BY agent, tenant)
        ORDER BY last DESC, s.sid DESC LIMIT \(ReadLimit.namesakes)
        """
    static let incarnation = """
        \(select) WHERE s.sid = ?1 AND s.gone = 0 AND \(byteCount("s.session_id")) <= \(FieldLimit.sessionIdBytes)
        """

    /// ?1 agent, ?2 live, ?3 archived, ?4 words, ?5 tenant, ?6 the hidden ids, with a line feed before and after each,
    /// ?7 null for children, too.
    private static let fits = """
        \(isListed) AND \(isAgent("?1")) AND (?2 IS NULL OR live = ?2) AND (?3 IS NULL OR archived = ?3)
            AND (?4 IS NULL OR \(SearchWords.function)(?4, own_title, \(beginning("title", FieldLimit.titleCharacters)),
                tags, \(beginning("cwd", FieldLimit.folderBytes)), prompt, session_id, agent))
            AND (?5 IS NULL OR tenant = ?5)
            AND (?6 IS NULL OR NOT instr(?6,
                char(10) || substr(session_id, 1, instr(session_id || '.', '.') - 1) || char(10)))
            AND (?7 IS NULL OR parent IS NULL)
        """
    /// ?8 limit, ?9 offset, ?10 and ?11 the place. Of settled incarnations only those before the page's end are read.
    static let listed = """
        \(select) WHERE s.sid IN (
            SELECT sid FROM session WHERE settled = 0 AND \(fits)
            UNION ALL SELECT sid FROM (
                SELECT sid FROM session WHERE settled = 1 AND \(fits)
                    AND last_ts <= coalesce(?10, \(Int64.max)) AND \(isAfter("last_ts", "sid", ("?10", "?11")))
                ORDER BY last_ts DESC, sid DESC LIMIT ?8 + ?9))
            AND \(isAfter("last", "s.sid", ("?10", "?11")))
        ORDER BY last DESC, s.sid DESC LIMIT ?8 OFFSET ?9
        """
    static let listedCount = "SELECT count(*) FROM session WHERE \(fits)"
}
