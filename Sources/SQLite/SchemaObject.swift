/// A table, index or trigger, as `sqlite_schema` describes it.
package struct SchemaObject: Sendable {
    enum Kind: String, Sendable {
        case table, index, trigger
    }

    /// What the object's own tree holds, by the type of its leaf pages.
    enum Content: UInt8 {
        case keys = 0x0a
        case rows = 0x0d
    }

    let kind: Kind
    let name: String
    /// The table that it belongs to; itself for a table.
    let table: String
    /// Nil for the index of a constraint.
    let sql: String?
    /// True for one that SQLite creates together with a table.
    let isAutomatic: Bool
    /// Nil for a trigger.
    let content: Content?

    private init(
        _ kind: Kind, _ name: String, of table: String, _ content: Content?, _ sql: String?, isAutomatic: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.table = table
        self.content = content
        self.sql = sql
        self.isAutomatic = isAutomatic
    }

    /// A strict table.
    ///
    /// - Parameter isClustered: The table has no row numbers, and is ordered by its primary key.
    package static func table(_ name: String, isClustered: Bool = false, _ columns: String) -> SchemaObject {
        SchemaObject(
            .table, name, of: name, isClustered ? .keys : .rows,
            "CREATE TABLE \(name)(\n\(columns)\n) STRICT\(isClustered ? ", WITHOUT ROWID" : "")")
    }

    /// - Parameter columns: With parentheses, and with the condition of an index of some rows.
    package static func index(_ name: String, on table: String, _ columns: String) -> SchemaObject {
        SchemaObject(.index, name, of: table, .keys, "CREATE INDEX \(name) ON \(table)\(columns)")
    }

    /// - Parameters:
    ///   - event: `AFTER DELETE`.
    ///   - action: From the condition to the end.
    package static func trigger(_ name: String, _ event: String, on table: String, _ action: String) -> SchemaObject {
        SchemaObject(.trigger, name, of: table, nil, "CREATE TRIGGER \(name) \(event) ON \(table) \(action)")
    }

    /// The index of the first `UNIQUE` or `PRIMARY KEY` of a table with row numbers.
    package static func constraint(of table: String) -> SchemaObject {
        SchemaObject(.index, "sqlite_autoindex_\(table)_1", of: table, .keys, nil, isAutomatic: true)
    }

    /// The last row numbers of tables with `AUTOINCREMENT`.
    package static let sequences = SchemaObject(
        .table, "sqlite_sequence", of: "sqlite_sequence", .rows, "CREATE TABLE sqlite_sequence(name,seq)",
        isAutomatic: true)
}

extension [SchemaObject] {
    /// The statements that create them.
    package var sql: String { filter { !$0.isAutomatic }.compactMap(\.sql).joined(separator: ";\n") }
}
