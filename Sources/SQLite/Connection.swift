import CSQLite

/// One SQLite connection, for one thread.
package struct Connection: ~Copyable {
    let handle: OpaquePointer
    /// The number of pages in the WAL. SQLite sets it in each commit, after ``countWALPages()``.
    private let pageCount: UnsafeMutablePointer<Int32>

    package enum Access: Sendable {
        case readWrite, readOnly
        /// To read what is readable in a file that SQLite calls malformed. SQLite does this, for example, if the file
        /// is shorter than its header states: https://sqlite.org/pragma.html#pragma_writable_schema
        case readDamaged
    }

    /// How long another program (a person's `sqlite3` shell) can hold a lock before a request fails.
    private static let busyMilliseconds: Int32 = 1000

    /// If the library is in use already, it refuses this, and works as before.
    private static let memory: Void = sqlite_allocate_as_needed()

    /// The file must exist. SQLite's own mutexes are off because each connection has its own thread.
    package init(path: String, _ access: Access) throws(SQLiteError) {
        Self.memory
        let mode = access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var opened: OpaquePointer?
        var code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        if code == SQLITE_OK, access == .readDamaged {
            code = sqlite3_exec(opened, "PRAGMA writable_schema=ON", nil, nil, nil)
        }
        if code == SQLITE_OK { code = Self.configure(opened) }
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code)
        }
        handle = opened
        pageCount = .allocate(capacity: 1)
        pageCount.initialize(to: 0)
    }

    private static func configure(_ handle: OpaquePointer?) -> Int32 {
        sqlite3_busy_timeout(handle, busyMilliseconds)
        // 512 KiB of pages is enough for appends and for sequential reads. Memory-mapping stays off because a stray write
        // in the process could then damage the file: https://sqlite.org/mmap.html
        return sqlite3_exec(handle, "PRAGMA cache_size=-512; PRAGMA mmap_size=0", nil, nil, nil)
    }

    // close_v2 waits for statements that are not finalised yet: https://sqlite.org/c3ref/close.html
    deinit {
        sqlite3_wal_hook(handle, nil, nil)
        sqlite3_close_v2(handle)
        pageCount.deallocate()
    }

    /// Runs one or several statements and ignores their rows.
    package func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }

    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        let statement = statement(sql)
        try statement.prepare()
        return statement
    }

    /// Returns a statement that is prepared only when it is used. A mistake in `sql` is found then.
    package func statement(_ sql: String) -> Statement { Statement(handle, sql) }

    /// Returns the integer in the first column of the only row.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.first { $0.integer(0) } ?? 0
    }

    /// Copies the whole database, including its WAL, into an empty one: <https://sqlite.org/backup.html>.
    package func copy(to other: borrowing Connection) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            throw SQLiteError(code: sqlite3_extended_errcode(other.handle))
        }
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else { throw SQLiteError(code: code == SQLITE_DONE ? end : code) }
    }

    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
    package var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// Ends a failed transaction. SQLite itself has already ended it after some errors; then this does nothing.
    package func rollBack() {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
}

extension Connection {
    package enum Checkpoint: Sendable {
        /// Move as much of the WAL into the file as no reader needs.
        case passive
        /// Move the whole WAL into the file, and empty the WAL.
        case truncate
    }

    /// Moves the WAL into the file: <https://sqlite.org/c3ref/wal_checkpoint_v2.html>.
    package func checkpoint(_ kind: Checkpoint) throws(SQLiteError) {
        let mode = kind == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }

    /// Makes no checkpoint when the connection is closed.
    package func keepWALWhenClosed() { csqlite_keep_wal_when_closed(handle) }

    /// Turns automatic checkpoints off and counts the WAL's pages instead, in ``walPages``.
    package func countWALPages() throws(SQLiteError) {
        try execute("PRAGMA wal_autocheckpoint=0")
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                context?.assumingMemoryBound(to: Int32.self).pointee = pages
                return SQLITE_OK
            }, pageCount)
    }

    /// The number of pages in the WAL after this connection's last commit, or 0 if nothing was committed since the
    /// number was set to 0.
    package var walPages: Int32 {
        get { pageCount.pointee }
        nonmutating set { pageCount.pointee = newValue }
    }
}
