extension Schema {
    /// What makes of a file of the version before one of this.
    struct Migration {
        let version: Int64
        let sql: String
    }

    /// In their order.
    static let migrations = [labels, tenants, sums, clock]

    /// What people say of a session, and its first prompt: of those that are there, the first text of the first prompt
    /// on the timeline.
    private static let labels = Migration(
        version: 2,
        sql: """
            ALTER TABLE session ADD COLUMN own_title TEXT;
            ALTER TABLE session ADD COLUMN tags TEXT;
            ALTER TABLE session ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE session ADD COLUMN prompt TEXT;
            ALTER TABLE session ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
            UPDATE session SET prompt = substr((
                SELECT block.value ->> 'text'
                FROM (
                    SELECT CAST(body AS TEXT) AS params FROM entry
                    WHERE sid = session.sid AND kind = 'prompt' AND json_valid(CAST(body AS TEXT)) ORDER BY n LIMIT 1
                ) JOIN json_each(params, '$.prompt') AS block
                WHERE block.type = 'object' AND block.value ->> 'type' = 'text' LIMIT 1
            ), 1, \(SessionFacts.promptCharacters))
            """)

    /// Whose a session is, where several share a bridge. Those that are there are the bridge's own.
    private static let tenants = Migration(version: 3, sql: "ALTER TABLE session ADD COLUMN tenant TEXT")

    /// What tells that bytes are damaged.
    private static let sums = Migration(
        version: 4, sql: "ALTER TABLE run ADD COLUMN sum INTEGER; ALTER TABLE entry ADD COLUMN sum INTEGER")

    /// The time that retention trusts, so that a clock that was set ahead deletes nothing after a restart.
    private static let clock = Migration(
        version: 5,
        sql: """
            ALTER TABLE log ADD COLUMN clock INTEGER;
            ALTER TABLE log ADD COLUMN clock_trial INTEGER NOT NULL DEFAULT 0
            """)
}
