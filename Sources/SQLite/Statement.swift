import CSQLite

/// One prepared statement, for its connection's thread. It is reset after every use, so that it holds no snapshot open.
package final class Statement {
    private let connection: OpaquePointer
    private let sql: String
    /// Nil until the statement is prepared.
    private var handle: OpaquePointer?

    package enum Value: Sendable {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
        case null
    }

    /// The first use prepares the statement.
    init(_ connection: OpaquePointer, _ sql: String) {
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    func prepare() throws(SQLiteError) {
        guard handle == nil else { return }
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, handle != nil else { throw SQLiteError(code: code) }
    }

    /// Moves to the next row. Returns false if there are no more rows.
    package func step() throws(SQLiteError) -> Bool {
        try prepare()
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(code: code)
        }
    }

    package func reset() { sqlite3_reset(handle) }

    /// Runs the statement to its end and ignores rows.
    package func run(_ values: Value...) throws(SQLiteError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Runs the statement to its end with bytes as the last parameter. The bytes are not copied.
    package func run(_ values: Value..., bytes: ArraySlice<UInt8>) throws(SQLiteError) {
        // Before the `defer`: SQLite does not clear the bindings of no statement, but crashes.
        try prepare()
        defer {
            reset()
            sqlite3_clear_bindings(handle)
        }
        try bind(values)
        let index = Int32(values.count + 1)
        let code = bytes.withUnsafeBytes { bytes in
            let bound = bind(bytes, at: index, nil)
            return bound == SQLITE_OK ? sqlite3_step(handle) : bound
        }
        guard code == SQLITE_DONE else { throw SQLiteError(code: code) }
    }

    /// Runs with the columns of another statement's row, whatever their types are.
    ///
    /// - Parameter replacement: A column that gets another value.
    package func runCopying(
        _ row: Statement, _ columnCount: Int32, replacing replacement: (column: Int32, value: Int64)? = nil
    ) throws(SQLiteError) {
        try prepare()
        defer {
            reset()
            sqlite3_clear_bindings(handle)
        }
        for column in 0..<columnCount {
            let code = sqlite3_bind_value(handle, column + 1, sqlite3_column_value(row.handle, column))
            guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        }
        if let replacement {
            let code = sqlite3_bind_int64(handle, replacement.column + 1, replacement.value)
            guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        }
        while try step() {}
    }

    /// Returns the result of `read` for the first row, or nil without rows.
    package func first<Result>(_ values: Value..., read: (Statement) -> Result) throws(SQLiteError) -> Result? {
        defer { reset() }
        try bind(values)
        return try step() ? read(self) : nil
    }

    /// Returns the results of `read` for all rows.
    package func all<Result>(_ values: Value..., read: (Statement) -> Result) throws(SQLiteError) -> [Result] {
        try all(values, read: read)
    }

    package func all<Result>(_ values: [Value], read: (Statement) -> Result) throws(SQLiteError) -> [Result] {
        defer { reset() }
        try bind(values)
        var results: [Result] = []
        while try step() { results.append(read(self)) }
        return results
    }

    package func bind(_ values: [Value]) throws(SQLiteError) {
        try prepare()
        for (index, value) in zip(Int32(1)..., values) {
            let code = bind(value, at: index)
            guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        }
    }

    /// - Parameter lifetime: Nil if the bytes stay where they are until the statement has run.
    private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32, _ lifetime: sqlite3_destructor_type?) -> Int32 {
        // A null pointer would bind NULL instead of the empty blob.
        bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), lifetime)
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .null: return sqlite3_bind_null(handle, index)
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { bind($0, at: index, copied) }
        case .text(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { characters in
                    sqlite3_bind_text64(
                        handle, index, characters.baseAddress, UInt64(characters.count), copied, UInt8(SQLITE_UTF8))
                }
            }
        }
    }
}

extension Statement {
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// Returns `nil` for NULL.
    package func text(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

    /// Returns the column's bytes, which are valid until the next step or reset.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

extension Statement.Value {
    package static func optional(_ text: String?) -> Self { text.map(Self.text) ?? .null }
    package static func optional(_ bytes: [UInt8]?) -> Self { bytes.map(Self.bytes) ?? .null }
    package static func optional(_ bool: Bool?) -> Self { bool.map { .integer($0 ? 1 : 0) } ?? .null }
    package static func optional(_ integer: Int64?) -> Self { integer.map(Self.integer) ?? .null }
}

/// `SQLITE_TRANSIENT`: SQLite must copy the bytes. Swift's C importer omits this constant because it is a cast.
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
