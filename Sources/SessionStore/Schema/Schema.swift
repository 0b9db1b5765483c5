import SQLite
import SessionRecords

/// The tables, and the code that creates or upgrades them in a file. The version is SQLite's `user_version`.
enum Schema {
    static let version: Int64 = 11
    /// The page size of a new file. SQLite writes the WAL page by page, with two system calls for each, and a checkpoint
    /// needs two more, so larger pages make a flood cheaper. A file that exists keeps its size.
    static let pageBytes = 16384

    /// Checks the file and turns WAL on. Creates the tables in a new file, and upgrades a file of an earlier version.
    /// Returns whether the file is new.
    static func prepare(_ connection: borrowing Connection, path: String) throws(LogError) -> Bool {
        let found = try LogError.wrapping { () throws(SQLiteError) in try connection.integer("PRAGMA user_version") }
        guard found <= version else { throw .newerSchema(path: path, found: found, supported: version) }
        let isEmpty = try LogError.wrapping { () throws(SQLiteError) in
            try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
        }
        guard (1...version).contains(found) || isEmpty else { throw .notASessionLog(path: path) }
        let isWAL = try LogError.wrapping { () throws(SQLiteError) in
            // The page size takes effect only if it is set before the first page is written.
            if isEmpty { try connection.execute("PRAGMA page_size=\(pageBytes)") }
            return try turnWALOn(connection)
        }
        guard isWAL else { throw .walUnavailable(path: path) }
        try LogError.wrapping { () throws(SQLiteError) in
            if isEmpty { try create(connection) } else { try migrate(connection, from: found) }
        }
        return isEmpty
    }

    /// Returns false if the file system cannot hold a WAL.
    private static func turnWALOn(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
        let statement = try connection.prepare("PRAGMA journal_mode=WAL")
        return try statement.first { $0.text(0) } == "wal"
    }

    private static func create(_ connection: borrowing Connection) throws(SQLiteError) {
        try change(connection, to: version, "\(objects.sql); INSERT INTO log(id) VALUES(\(newLogId))")
    }

    static var newLogId: UInt32 { .random(in: .min ... .max) }

    private static func migrate(_ connection: borrowing Connection, from found: Int64) throws(SQLiteError) {
        for step in migrations where step.version > found {
            try change(connection, to: step.version, step.sql)
        }
    }

    /// Makes the change and sets the version in one transaction.
    private static func change(
        _ connection: borrowing Connection, to version: Int64, _ sql: String
    ) throws(SQLiteError) {
        do throws(SQLiteError) {
            try connection.execute("BEGIN IMMEDIATE; \(sql); PRAGMA user_version=\(version); COMMIT")
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// `run`: the lines of one session that one commit stored, each followed by LF. The lines have the numbers
    /// `first ..< first + count`. This is an ordinary table with an index, because rows of interleaved sessions then
    /// share a page. A table clustered by session writes one page for each session.
    /// `sum`: the CRC-32C of a run's lines or of an entry's body, because SQLite does not detect damage inside them.
    /// NULL in rows of earlier versions.
    /// `log.clock`, `log.clock_trial`: the time that retention trusts (``TrustedClock``).
    /// `run.ts`: the time of the row's last append. `earlier`: 4 bytes for each update, little endian: the milliseconds from its
    /// append to `ts`. NULL if all of the row's appends have the time `ts`.
    /// `place`, `size`: if set, `lines` is empty, and the lines are in ``LinesFile``. `log.lines_synced`: lines before this
    /// place are on disk.
    /// `freed`: places in ``LinesFile`` whose rows are deleted. Their space is not given back yet.
    /// `entry`: `n` is the timeline number. `at` is the number of the next update.
    /// `session.title`: from the agent. `own_title`, `tags` (one per line), `archived`: set by people.
    /// `session.prompt`: the beginning of the first prompt.
    /// `session.gone`: the session was deleted, and its rows are being removed.
    /// `session.tenant`: the session's tenant, if several tenants share a bridge.
    /// `session.parent`: the id of the parent session.
    /// `session.usage`: the usage that the agent has reported last, as JSON text.
    /// `deleted`: sessions that users have deleted, and that the hub of this bridge still has to delete.
    /// `spent`: see ``SpentSQL``.
    /// `session.settled`: `last_ts` also covers the times in the log. If not set, a listing reads the log's times.
    static let objects: [SchemaObject] =
        [
            .table(
                "log",
                """
                id INTEGER NOT NULL,
                opened INTEGER,
                clock INTEGER,
                clock_trial INTEGER NOT NULL DEFAULT 0,
                lines_synced INTEGER NOT NULL DEFAULT 0
                """),
            .table(
                "session",
                """
                sid INTEGER PRIMARY KEY AUTOINCREMENT,
                agent TEXT NOT NULL,
                session_id TEXT NOT NULL,
                title TEXT,
                cwd TEXT,
                epoch INTEGER NOT NULL DEFAULT 0,
                oldest INTEGER NOT NULL DEFAULT 1,
                created INTEGER NOT NULL,
                last_ts INTEGER NOT NULL,
                live INTEGER NOT NULL DEFAULT 1,
                exit TEXT,
                settled INTEGER NOT NULL DEFAULT 0,
                own_title TEXT,
                tags TEXT,
                archived INTEGER NOT NULL DEFAULT 0,
                prompt TEXT,
                gone INTEGER NOT NULL DEFAULT 0,
                tenant TEXT,
                parent TEXT,
                usage TEXT
                """),
            .sequences,
            .index("session_name", on: "session", "(session_id, agent)"),
            .index("session_recent", on: "session", "(settled, last_ts)"),
            .table(
                "epoch", isClustered: true,
                """
                sid INTEGER NOT NULL,
                epoch INTEGER NOT NULL,
                first INTEGER NOT NULL,
                PRIMARY KEY(sid, epoch)
                """),
            .table(
                "run",
                """
                id INTEGER PRIMARY KEY,
                sid INTEGER NOT NULL,
                first INTEGER NOT NULL,
                count INTEGER NOT NULL,
                ts INTEGER NOT NULL,
                lines BLOB NOT NULL,
                sum INTEGER,
                place INTEGER,
                size INTEGER,
                earlier BLOB,
                UNIQUE(sid, first)
                """),
            .constraint(of: "run"),
        ] + places + [
            .table(
                "entry", isClustered: true,
                """
                sid INTEGER NOT NULL,
                n INTEGER NOT NULL,
                at INTEGER NOT NULL,
                ts INTEGER NOT NULL,
                kind TEXT NOT NULL,
                body BLOB NOT NULL,
                sum INTEGER,
                PRIMARY KEY(sid, n)
                """),
            .index("entry_at", on: "entry", "(sid, at)"),
            deletions,
        ] + SpentSQL.objects

    static let deletions = SchemaObject.table("deleted", "sid INTEGER PRIMARY KEY")

    /// The index, table and trigger for the file of floods. The index finds the last place when the log is opened.
    static let places: [SchemaObject] = [
        .index("run_place", on: "run", "(place) WHERE place IS NOT NULL"),
        .table("freed", "place INTEGER PRIMARY KEY, size INTEGER NOT NULL"),
        .trigger(
            "run_freed", "AFTER DELETE", on: "run",
            """
            WHEN typeof(old.place) = 'integer' BEGIN
                INSERT OR REPLACE INTO freed VALUES(old.place, coalesce(old.size, 0));
            END
            """),
    ]
}
