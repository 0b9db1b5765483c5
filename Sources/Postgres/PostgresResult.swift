import CPostgres

/// The rows of one statement, in PostgreSQL's binary format. Used by the thread of its connection.
package final class PostgresResult {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { cpostgres_clear(result) }

    package var rowCount: Int { Int(cpostgres_rows(result)) }
    package var columnCount: Int { Int(cpostgres_columns(result)) }

    /// Returns the bytes of a value; nil for NULL, and for a row or column that does not exist.
    package func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        guard let (row, column) = place(row, column), !cpostgres_is_null(result, row, column) else { return nil }
        let length = Int(cpostgres_length(result, row, column))
        guard let start = cpostgres_value(result, row, column), length > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: length))
    }

    /// Returns a value of the type `int8`, `int4` or `int2`; nil for NULL and for other types.
    package func integer(_ row: Int, _ column: Int) -> Int64? {
        guard let bytes = bytes(row, column), [2, 4, 8].contains(bytes.count) else { return nil }
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch bytes.count {
        case 2: return Int64(Int16(truncatingIfNeeded: bits))
        case 4: return Int64(Int32(truncatingIfNeeded: bits))
        default: return Int64(bitPattern: bits)
        }
    }

    /// Returns a value of the type `text`, `name` or `varchar`.
    package func text(_ row: Int, _ column: Int) -> String? {
        bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a value of the type `bool`.
    package func bool(_ row: Int, _ column: Int) -> Bool? { bytes(row, column).map { $0 == [1] } }

    private func place(_ row: Int, _ column: Int) -> (Int32, Int32)? {
        guard row >= 0, column >= 0, row < rowCount, column < columnCount else { return nil }
        return (Int32(row), Int32(column))
    }
}
