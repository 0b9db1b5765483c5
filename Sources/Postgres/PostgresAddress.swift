import CPostgres
import Glibc

/// The address of a PostgreSQL database: a URI, or libpq's form `host=… dbname=…`. It can contain a password, so it has
/// no description.
package struct PostgresAddress: Sendable, Equatable {
    let text: String

    /// - Throws: ``PostgresError/invalidAddress``, or ``PostgresError/libraryMissing(reason:)``.
    package init(_ text: String) throws(PostgresError) {
        try Self.load()
        guard !text.utf8.contains(0), cpostgres_is_address(text) else { throw .invalidAddress }
        self.text = text
    }

    static func load() throws(PostgresError) {
        if let reason = cpostgres_load() { throw .libraryMissing(reason: String(cString: reason)) }
    }

    /// `db.example:5433/fleet`: the server and the database, without user and password. Parts that the address does not
    /// have are left out, because the environment or a service file can have them.
    package var place: String {
        let host =
            option("host").map { $0.isEmpty ? "localhost" : $0 } ?? option("service").map { "service \($0)" } ?? ""
        let port = option("port").map { ":\($0)" } ?? ""
        return host + port + (option("dbname").map { "/\($0)" } ?? "")
    }

    private func option(_ name: String) -> String? {
        guard let value = cpostgres_option(text, name) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}

extension PostgresAddress: CustomStringConvertible, CustomReflectable {
    package var description: String { place }
    /// Without children, so that no dump contains the password.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
