/// What makes a ``SessionRecord``.
enum RecordSQL {
    private static let select = """
        SELECT s.sid, s.agent, s.session_id, s.title, s.cwd, s.epoch, s.created,
            max(s.last_ts, coalesce(r.ts, 0), coalesce(e.ts, 0)) AS last,
            s.oldest, \(LastRows.head), \(LastRows.timelineHead), s.live, s.exit, s.prompt, s.own_title, s.tags,
            s.archived, s.tenant
        FROM session s \(LastRows.join)
        """

    /// Of settled lives, which are most, only the newest are looked at, by index; of the others each.
    static let recent = """
        \(select) WHERE s.sid IN (
            SELECT sid FROM session WHERE settled = 0 AND gone = 0 AND (?2 IS NULL OR tenant = ?2)
            UNION ALL SELECT sid FROM (
                SELECT sid FROM session WHERE settled = 1 AND gone = 0 AND (?2 IS NULL OR tenant = ?2)
                ORDER BY last_ts DESC LIMIT ?1))
        ORDER BY last DESC, s.sid DESC LIMIT ?1
        """
    static let recentLive = """
        \(select) WHERE s.settled = 0 AND s.live = 1 AND s.gone = 0 AND (?2 IS NULL OR s.tenant = ?2)
        ORDER BY last DESC, s.sid DESC LIMIT ?1
        """
    static let named = """
        \(select) WHERE s.sid IN (
            SELECT max(sid) FROM session WHERE session_id = ?1 AND gone = 0 AND (?2 IS NULL OR agent = ?2)
                AND (?3 IS NULL OR tenant = ?3)
            GROUP BY agent, tenant)
        ORDER BY last DESC, s.sid DESC
        """
    static let life = "\(select) WHERE s.sid = ?1 AND s.gone = 0"

    /// ?1 agent, ?2 live, ?3 archived, ?4 words, ?5 tenant.
    private static let fits = """
        gone = 0 AND (?1 IS NULL OR agent = ?1) AND (?2 IS NULL OR live = ?2) AND (?3 IS NULL OR archived = ?3)
            AND (?4 IS NULL OR \(SearchWords.function)(?4, own_title, title, tags, cwd, prompt, session_id))
            AND (?5 IS NULL OR tenant = ?5)
        """
    /// Of settled lives no more than what stands before the page's end.
    static let listed = """
        \(select) WHERE s.sid IN (
            SELECT sid FROM session WHERE settled = 0 AND \(fits)
            UNION ALL SELECT sid FROM (
                SELECT sid FROM session WHERE settled = 1 AND \(fits) ORDER BY last_ts DESC LIMIT ?6 + ?7))
        ORDER BY last DESC, s.sid DESC LIMIT ?6 OFFSET ?7
        """
    static let listedCount = "SELECT count(*) FROM session WHERE \(fits)"
}
