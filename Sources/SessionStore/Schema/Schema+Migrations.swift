import FieldLimits

extension Schema {
    /// One step that upgrades a file by one schema version.
    struct Migration {
        let version: Int64
        let sql: String
    }

    /// All migrations, in order.
    static let migrations = [labels, tenants, sums, clock, parents, usage, floods, times, deletedAtHub, spent]

    /// Adds the label that people give a session, and the session's first prompt. For existing sessions the first
    /// prompt is the first text of the first prompt on the timeline.
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
            ), 1, \(FieldLimit.promptCharacters))
            """)

    /// Adds the session's tenant, for several tenants that share a bridge. Existing sessions belong to the bridge
    /// itself.
    private static let tenants = Migration(version: 3, sql: "ALTER TABLE session ADD COLUMN tenant TEXT")

    /// Adds the checksums that detect damaged bytes.
    private static let sums = Migration(
        version: 4, sql: "ALTER TABLE run ADD COLUMN sum INTEGER; ALTER TABLE entry ADD COLUMN sum INTEGER")

    /// Adds the time that retention trusts, so that a clock that was set ahead deletes nothing after a restart.
    private static let clock = Migration(
        version: 5,
        sql: """
            ALTER TABLE log ADD COLUMN clock INTEGER;
            ALTER TABLE log ADD COLUMN clock_trial INTEGER NOT NULL DEFAULT 0
            """)

    /// Adds the parent of a child session. Existing sessions have none.
    private static let parents = Migration(version: 6, sql: "ALTER TABLE session ADD COLUMN parent TEXT")

    /// Adds the usage. Existing sessions have none until their agents report it again.
    private static let usage = Migration(version: 7, sql: "ALTER TABLE session ADD COLUMN usage TEXT")

    /// Adds the places of lines that are outside of the tables. The lines of existing runs stay in them.
    private static let floods = Migration(
        version: 8,
        sql: """
            ALTER TABLE log ADD COLUMN lines_synced INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE run ADD COLUMN place INTEGER;
            ALTER TABLE run ADD COLUMN size INTEGER;
            \(places.sql)
            """)

    /// Adds the times of the updates of a run that were read at different times. Each existing run has one time.
    private static let times = Migration(version: 9, sql: "ALTER TABLE run ADD COLUMN earlier BLOB")

    /// Adds the deletions that a hub does not have. Earlier versions kept them in a file of its own.
    private static let deletedAtHub = Migration(version: 10, sql: [deletions].sql)

    /// Adds the usage by time. That of existing sessions counts at their last activity.
    private static let spent = Migration(version: 11, sql: "\(SpentSQL.objects.sql); \(SpentSQL.fill)")
}
