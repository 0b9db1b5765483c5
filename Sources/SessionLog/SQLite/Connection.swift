import CSQLite

/// One SQLite connection, for one thread.
struct Connection: ~Copyable {
    let handle: OpaquePointer

    enum Access {
        case readWrite, readOnly
        /// To read what is readable in a file that SQLite calls malformed. SQLite does this, for example, if the file
        /// is shorter than its header states: https://sqlite.org/pragma.html#pragma_writable_schema
        case readDamaged
    }

    /// How long another program (a person's `sqlite3` shell) can hold a lock before a request fails.
    private static let busyMilliseconds: Int32 = 1000

    /// The file must exist. SQLite's own mutexes are off because each connection has its own thread.
    init(path: String, _ access: Access) throws(LogError) {
        let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var opened: OpaquePointer?
        var code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        if code == SQLITE_OK, access == .readDamaged {
            code = sqlite3_exec(opened, "PRAGMA writable_schema=ON", nil, nil, nil)
        }
        if code == SQLITE_OK { code = Self.configure(opened) }
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw LogError(sqlite: code)
        }
        handle = opened
    }

    private static func configure(_ handle: OpaquePointer?) -> Int32 {
        sqlite3_busy_timeout(handle, busyMilliseconds)
        // 1 MiB of pages is enough for appends and for sequential reads. Memory-mapping stays off because a stray write
        // in the process could then damage the file: https://sqlite.org/mmap.html
        return sqlite3_exec(handle, "PRAGMA cache_size=-1024; PRAGMA mmap_size=0", nil, nil, nil)
    }

    // close_v2 waits for statements that are not finalised yet: https://sqlite.org/c3ref/close.html
    deinit { sqlite3_close_v2(handle) }

    /// Runs one or several statements and ignores their rows.
    func execute(_ sql: String) throws(LogError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw LogError(sqlite: code) }
    }

    func prepare(_ sql: String) throws(LogError) -> Statement {
        try Statement(handle, sql)
    }

    /// Returns the integer in the first column of the only row.
    func integer(_ sql: String) throws(LogError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.first { $0.integer(0) } ?? 0
    }

    /// Copies the whole database, including its WAL, into an empty one: <https://sqlite.org/backup.html>.
    func copy(to other: borrowing Connection) throws(LogError) {
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw LogError(sqlite: sqlite3_extended_errcode(other.handle))
        }
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw LogError(sqlite: code == SQLITE_DONE ? end : code) }
    }

    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// Ends a failed transaction. SQLite itself has already ended it after some errors; then this does nothing.
    func rollBack() {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
}
