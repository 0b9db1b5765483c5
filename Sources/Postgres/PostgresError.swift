/// A failure of a connection to PostgreSQL. No text contains the password, or the address in which it can be written.
package enum PostgresError: Error, Equatable, Sendable {
    /// libpq cannot be loaded.
    case libraryMissing(reason: String)
    /// libpq does not accept the address.
    case invalidAddress
    /// No connection was established.
    case unreachable(reason: String)
    /// The connection was lost. It is not known whether the statement in flight was executed.
    case disconnected(reason: String)
    /// The server did not answer in time, and the connection was closed. It is not known whether the statement in flight
    /// was executed.
    case timedOut
    /// The server refused a statement. The connection can be used again.
    ///
    /// - Parameters:
    ///   - sqlState: five characters: <https://www.postgresql.org/docs/15/errcodes-appendix.html>.
    ///   - message: the server's message, without its details, because details contain values.
    ///   - constraint: the name of the violated constraint.
    case refused(sqlState: String, message: String, constraint: String? = nil)
    /// A result has another shape than the statement should have.
    case unexpectedResult

    /// True if the connection can no longer be used.
    package var endsConnection: Bool {
        switch self {
        case .libraryMissing, .invalidAddress, .unreachable, .disconnected, .timedOut: true
        case .refused, .unexpectedResult: false
        }
    }

    /// `unique_violation`.
    package var isUniqueViolation: Bool { sqlState == "23505" }
    /// `undefined_table`, `undefined_column`, `undefined_function` or `invalid_schema_name`.
    package var isMissingObject: Bool { ["42P01", "42703", "42883", "3F000"].contains(sqlState) }

    /// A row belongs to no partition. A violated constraint has the same code, and a name.
    package var isMissingPartition: Bool {
        if case .refused("23514", _, nil) = self { true } else { false }
    }

    package var sqlState: String? {
        if case .refused(let state, _, _) = self { state } else { nil }
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "PostgreSQL's client library cannot be loaded: \(reason)"
        case .invalidAddress: "the address of the hub is not a PostgreSQL connection string or URI"
        case .unreachable(let reason): "PostgreSQL cannot be reached: \(reason)"
        case .disconnected(let reason): "the connection to PostgreSQL was lost: \(reason)"
        case .timedOut: "PostgreSQL did not answer in time"
        case .refused(let state, let message, _): "PostgreSQL refused a statement: \(message) (SQLSTATE \(state))"
        case .unexpectedResult: "PostgreSQL's answer has an unexpected shape"
        }
    }
}
