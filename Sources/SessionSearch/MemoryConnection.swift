import SQLite

/// Owns a database in memory, which a structure that is copied cannot.
final class MemoryConnection {
    let connection: Connection

    init() throws(SQLiteError) { connection = try Connection(path: ":memory:", .readWrite) }
}
