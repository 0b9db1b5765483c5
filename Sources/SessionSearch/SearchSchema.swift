import CSQLite
import SQLite

/// The tables of an index. The version is SQLite's `user_version`. An index of another version is not
/// migrated but built again.
enum SearchSchema {
    /// Raise this number also when ``SearchedText`` or ``SearchTokens`` change: words are deleted by their text.
    static let version: Int64 = 1
    /// "acps". Another database is never taken for an index.
    private static let applicationId: Int64 = 0x6163_7073

    /// The file is an index of another version or of another log, or another database. Such a file is replaced like a
    /// damaged one.
    static let mismatch = SQLiteError(code: SQLITE_NOTADB)

    /// Creates the tables in a new file. Returns false for ``mismatch``.
    static func prepare(_ connection: borrowing Connection, logId: UInt32) throws(SQLiteError) -> Bool {
        if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
            try connection.execute("PRAGMA page_size=4096; PRAGMA journal_mode=WAL")
            try connection.execute(
                """
                BEGIN IMMEDIATE; \(tables); INSERT INTO source(log) VALUES(\(logId));
                PRAGMA application_id=\(applicationId); PRAGMA user_version=\(version); COMMIT
                """)
        }
        // A lost transaction is indexed again, so nothing must wait for the disk. Freed words are overwritten.
        try connection.execute("PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA cache_size=-4096")
        guard try connection.integer("PRAGMA user_version") == version,
            try connection.integer("PRAGMA application_id") == applicationId
        else { return false }
        return try connection.integer("SELECT log FROM source") == Int64(logId)
    }

    /// `session`: the items up to `done` are indexed; reading continues with `next`, which is lower while the last
    /// document can grow. `probe`: older updates were trimmed. `round`: the last listing that had the session.
    /// `part`: `bytes` of text in `docs` documents, of which `dead` are gone; `leaving`: its documents move to another
    /// part.
    /// `doc`: the place of a document: the items `first ... last` of a timeline.
    private static let tables = """
        CREATE TABLE source(log INTEGER NOT NULL) STRICT;
        CREATE TABLE session(
            sid INTEGER PRIMARY KEY,
            agent TEXT NOT NULL,
            tenant TEXT,
            head INTEGER NOT NULL,
            oldest INTEGER NOT NULL,
            done INTEGER NOT NULL DEFAULT 0,
            next INTEGER NOT NULL DEFAULT 1,
            probe INTEGER NOT NULL DEFAULT 0,
            round INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_behind ON session(sid) WHERE done < head;
        CREATE INDEX session_trimmed ON session(sid) WHERE probe = 1;
        CREATE TABLE part(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            bytes INTEGER NOT NULL DEFAULT 0,
            docs INTEGER NOT NULL DEFAULT 0,
            dead INTEGER NOT NULL DEFAULT 0,
            leaving INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE doc(
            id INTEGER PRIMARY KEY,
            part INTEGER NOT NULL,
            sid INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX doc_place ON doc(sid, first)
        """

    /// The words of a part. It keeps neither text nor positions (`content`, `detail`) nor lengths (`columnsize`).
    static func createWords(of part: Int64) -> String {
        "CREATE VIRTUAL TABLE words_\(part) USING fts5("
            + "text, content='', detail=none, columnsize=0, \(SearchTokens.tokenizer))"
    }
}

/// The statements of an index, prepared once.
struct SearchStatements {
    let begin, commit: Statement
    let done, note, unlisted, deleteSession, names, behind, trimmed, probed, skip, advance, sums: Statement
    let documentAt, insertDocument, deleteDocument, deleteDocuments, documentsByPart, documentCount: Statement
    let lastId, freeId: Statement
    let nextToMove, documentsToMove, setPart: Statement

    init(_ connection: borrowing Connection) throws(SQLiteError) {
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        done = try connection.prepare("SELECT done FROM session WHERE sid = ?1")
        note = try connection.prepare(
            """
            INSERT INTO session(sid, agent, tenant, head, oldest, round) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT(sid) DO UPDATE SET head = max(head, ?4), probe = probe OR oldest < ?5, oldest = max(oldest, ?5),
                round = ?6
            """)
        unlisted = try connection.prepare("SELECT sid FROM session WHERE round < ?1")
        deleteSession = try connection.prepare("DELETE FROM session WHERE sid = ?1")
        names = try connection.prepare("SELECT agent, tenant, done FROM session WHERE sid = ?1")
        // The newest sessions first, because people look for these.
        behind = try connection.prepare("SELECT sid, next FROM session WHERE done < head ORDER BY sid DESC LIMIT 1")
        trimmed = try connection.prepare("SELECT sid FROM session WHERE probe = 1 LIMIT 1")
        probed = try connection.prepare("UPDATE session SET probe = 0 WHERE sid = ?1")
        skip = try connection.prepare("UPDATE session SET done = head, next = head + 1 WHERE sid = ?1")
        advance = try connection.prepare("UPDATE session SET done = ?2, next = ?3 WHERE sid = ?1")
        sums = try connection.prepare("SELECT sum(min(done, head)), sum(head) FROM session")
        documentAt = try connection.prepare("SELECT id, part, last FROM doc WHERE sid = ?1 AND first = ?2")
        insertDocument = try connection.prepare(
            "INSERT INTO doc(id, part, sid, first, last) VALUES(?1, ?2, ?3, ?4, ?5)")
        deleteDocument = try connection.prepare("DELETE FROM doc WHERE id = ?1")
        deleteDocuments = try connection.prepare("DELETE FROM doc WHERE sid = ?1 AND first < ?2")
        documentsByPart = try connection.prepare(
            "SELECT part, count(*) FROM doc WHERE sid = ?1 AND first < ?2 GROUP BY part")
        documentCount = try connection.prepare("SELECT count(*) FROM doc")
        lastId = try connection.prepare("SELECT max(id) FROM doc WHERE id >= ?1 AND id < ?2")
        freeId = try connection.prepare(
            """
            SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM doc WHERE id = ?1) THEN ?1 ELSE (
                SELECT id + 1 FROM doc AS used WHERE id >= ?1 AND id < ?2
                    AND NOT EXISTS (SELECT 1 FROM doc WHERE id = used.id + 1) ORDER BY id LIMIT 1) END
            """)
        nextToMove = try connection.prepare(
            """
            SELECT sid, first FROM doc WHERE (sid, first) > (?2, ?3) AND part = ?1 ORDER BY sid, first LIMIT 1
            """)
        documentsToMove = try connection.prepare(
            """
            SELECT id, first, last FROM doc WHERE sid = ?2 AND first > ?3 AND part = ?1 ORDER BY first LIMIT 256
            """)
        setPart = try connection.prepare("UPDATE doc SET part = ?2 WHERE id = ?1")
    }
}
